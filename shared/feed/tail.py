"""The one task of a process that follows the outbox: woken by the log's notifications, and by a slow clock when those are lost (E10)."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from typing import Final

import structlog

from shared.eventstore.connections import BaseConnection, Link, connection_lost
from shared.feed.hub import FeedHub
from shared.feed.reading import read
from shared.refusal import Unavailable

CHANNEL: Final = "moderation_log"
POLL: Final = 1.0
PAGE: Final = 1000
GAP: Final = 0.004
ANSWER_WITHIN: Final = 5.0
RETRY: Final = 0.2

_log = structlog.stdlib.get_logger("feed")


@dataclass(slots=True, kw_only=True)
class FeedTail:
    """Reads what is new, once for the whole process, and publishes it in the hub.

    Under load it reads every `GAP` seconds rather than for each commit; otherwise at once.
    """

    link: Link
    hub: FeedHub
    poll: float = POLL

    async def run(self) -> None:
        """Follow until cancelled, through every loss of the connection."""
        told = ""
        while True:
            try:
                await self._follow()
            except Exception as error:  # noqa: BLE001  the tail outlives whatever it meets
                name = type(error).__qualname__
                if name != told and not isinstance(error, Unavailable) and not connection_lost(error, self.link.connection):
                    _log.warning("feed_tail_failed", error=name)
                told = name
            self.link.drop()
            await asyncio.sleep(RETRY)

    async def close(self) -> None:
        """End the connection."""
        await self.link.close()

    async def _follow(self) -> None:
        connection = await self.link.open()
        await connection.add_listener(CHANNEL, self._woken)
        connection.add_termination_listener(self._woken)
        while not connection.is_closed():
            self.hub.wake_tail.clear()
            if await self._step(connection):
                continue
            await asyncio.sleep(GAP)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self.poll):
                    await self.hub.wake_tail.wait()

    def _woken(self, *_: object) -> None:
        self.hub.wake_tail.set()

    async def _step(self, connection: BaseConnection) -> bool:
        """Read one page; whether there is more at once."""
        hub = self.hub
        async with asyncio.timeout(ANSWER_WITHIN):
            if not hub.started:
                row = await connection.fetchrow("SELECT h.position, c.epoch FROM log_head h, config_epoch c")
                assert row is not None
                hub.begin(row[0], row[1])
            found = await read(connection.fetch, hub.head, PAGE)
        if found.upto > hub.head:
            hub.metrics.feed_delay.observe(max(found.age, 0.0))
            hub.metrics.feed_items.inc(sum(place.count for place in found.places))
        hub.publish(found.places, found.upto, found.epoch)
        return found.upto < found.head
