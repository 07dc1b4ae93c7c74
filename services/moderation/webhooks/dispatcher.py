"""Pushes the feed to its webhooks: at least once, each player's items in order, until it arrives or three days have passed.

One process dispatches at a time: it holds an advisory lock on the connection through which it records outcomes, so a dispatcher that loses the lock
can record nothing any more.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

import msgspec
import structlog

from services.moderation.webhooks.operator import Webhooks, load_webhooks
from services.moderation.webhooks.queue import GIVE_UP_AFTER, Attempted, Delivery, DeliveryQueue
from services.moderation.webhooks.state import WebhookState
from shared.eventstore.connections import Link, connection_lost
from shared.observability import Metrics
from shared.refusal import Unavailable
from shared.webhooks.sender import Outcome, Sender

# An outcome that is lost in a crash of the database is a message sent twice, which receivers have to expect anyway.
SETTINGS: Final = {"synchronous_commit": "off", "statement_timeout": "10000", "lock_timeout": "5000", "jit": "off"}
CHANNEL: Final = "moderation_log"
POLL: Final = 1.0
STANDBY: Final = 5.0
EXPIRE_EVERY: Final = 60.0
TURN_SECONDS: Final = 30.0
AT_ONCE: Final = 8
DOWN_AFTER: Final = 5
_ONE_AT_A_TIME: Final = 0x51304C0B
_STEPS: Final = (5, 30, 120, 600, 1800, 3600, 7200, 14_400, 21_600, 28_800)
_PAUSES: Final = (5, 10, 30, 60, 120, 300)

_log = structlog.stdlib.get_logger("webhooks")
_encode = msgspec.json.Encoder().encode


def body_of(one: Delivery) -> bytes:
    """The message: the same bytes at every attempt."""
    about = {} if one.player_id is None else {"player_id": one.player_id}
    return _encode({"type": one.type, "timestamp": one.recorded_at, "position": one.position, **about, "data": msgspec.Raw(one.data)})


def back_off(attempts: int, asked: float | None, chance: float) -> timedelta:
    """How long until the next attempt after so many failed ones: steps up to 8 hours, a fifth more or less by `chance` (0 to 1).

    Never sooner than the receiver asked for.
    """
    step = _STEPS[min(attempts, len(_STEPS)) - 1] * (0.8 + 0.4 * chance)
    return timedelta(seconds=max(step, asked or 0.0))


@dataclass(slots=True)
class _Lane:
    """What is under way to one webhook. After several failures in a row it counts as down: one attempt at a time, and pauses between."""

    under_way: set[asyncio.Task[None]] = field(default_factory=set)
    failures: int = 0
    not_before: datetime | None = None

    def room(self, now: datetime) -> int:
        """How many messages may be sent to it now besides."""
        if self.not_before is not None and now < self.not_before:
            return 0
        return (1 if self.failures >= DOWN_AFTER else AT_ONCE) - len(self.under_way)


@dataclass(slots=True, kw_only=True)
class Dispatcher:
    """Run it in every process; they agree on who works."""

    link: Link
    webhooks: Webhooks
    sender: Sender
    metrics: Metrics
    poll: float = POLL
    chance: Callable[[], float] = field(default_factory=lambda: random.SystemRandom().random)
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _lanes: dict[str, _Lane] = field(default_factory=dict)

    async def run(self) -> None:
        """Dispatch until cancelled, whatever happens to the database."""
        told = ""
        while True:
            pause = STANDBY
            try:
                await self._work()
            except Exception as error:  # noqa: BLE001  the dispatcher outlives whatever it meets
                pause, name = self.poll, type(error).__qualname__
                if name != told and not isinstance(error, Unavailable) and not connection_lost(error, self.link.connection):
                    _log.warning("webhook_dispatcher_failed", error=name)
                told = name
            finally:
                await self._stop_all()
                self.link.drop()
            await asyncio.sleep(pause)

    async def close(self) -> None:
        """End what is under way, and the connections."""
        await self._stop_all()
        await self.sender.close()
        await self.link.close()

    async def _stop_all(self) -> None:
        tasks = [task for lane in self._lanes.values() for task in lane.under_way]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._lanes.clear()

    async def _work(self) -> None:
        """Work as long as the connection, and with it the lock, holds; return at once when another process has it."""
        connection = await self.link.open()
        if not await connection.fetchval("SELECT pg_try_advisory_lock($1)", _ONE_AT_A_TIME):
            return
        await connection.add_listener(CHANNEL, lambda *_: self._wake.set())
        connection.add_termination_listener(lambda *_: self._wake.set())
        queue, loop = DeliveryQueue(connection), asyncio.get_running_loop()
        next_expiry = 0.0
        while not connection.is_closed():
            self._wake.clear()
            expire = loop.time() >= next_expiry
            if expire:
                next_expiry = loop.time() + EXPIRE_EVERY
            async with asyncio.timeout(TURN_SECONDS):
                more = await self._turn(queue, expire=expire)
            if not more:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self.poll):
                        await self._wake.wait()

    async def _turn(self, queue: DeliveryQueue, *, expire: bool) -> bool:
        """One round over all webhooks; whether there is more to do at once."""
        known, more = await load_webhooks(queue.rows), False
        if expire:
            await queue.clear([state.webhook_id for state in known])
            await self._count(queue)
        for webhook_id in self._lanes.keys() - {state.webhook_id for state in known}:
            await self.sender.forget(webhook_id)
            if not self._lanes[webhook_id].under_way:
                del self._lanes[webhook_id]
        for state in known:
            if not state.active:
                continue
            now = self.webhooks.clock.now()
            await queue.redeliver(state.webhook_id, state.types, now)
            if expire and (count := await queue.expire(state.webhook_id, now)):
                self.metrics.webhook_dead.inc(count)
            more |= await queue.take_over(state.webhook_id, state.types, now)
            lane = self._lanes.setdefault(state.webhook_id, _Lane())
            room = lane.room(now)
            for one in await queue.claim(state.webhook_id, now, room) if room > 0 else ():
                task = asyncio.create_task(self._deliver(queue, state, one, lane), name="webhook-delivery")
                lane.under_way.add(task)
                task.add_done_callback(lane.under_way.discard)
                task.add_done_callback(self._done)
        return more

    def _done(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None and not isinstance(error, Unavailable):
            _log.warning("webhook_delivery_failed", error=type(error).__qualname__)
        self._wake.set()

    async def _deliver(self, queue: DeliveryQueue, state: WebhookState, one: Delivery, lane: _Lane) -> None:
        """One attempt, and its outcome."""
        clock = self.webhooks.clock
        target = self.webhooks.target(state, began := clock.now())
        outcome = await self.sender.send(target, one.message_id, body_of(one), int(began.timestamp()))
        now = clock.now()
        how = Attempted(at=now, status=outcome.status, error=outcome.error)
        self.metrics.webhook_seconds.observe(outcome.seconds)
        if outcome.arrived:
            lane.failures, lane.not_before = 0, None
            await queue.arrived(one, how)
            self.metrics.webhook_attempts.labels("arrived").inc()
            return
        self.metrics.webhook_attempts.labels("failed").inc()
        lane.failures += 1
        if lane.failures >= DOWN_AFTER:
            lane.not_before = now + timedelta(seconds=_PAUSES[min(lane.failures - DOWN_AFTER, len(_PAUSES) - 1)])
        await queue.failed(one, how, self._again_at(one, outcome, now))
        if outcome.gone:
            await self.webhooks.disable(one.webhook_id, gone=True)
            _log.warning("webhook_disabled", webhook_id=one.webhook_id, reason="gone")

    def _again_at(self, one: Delivery, outcome: Outcome, now: datetime) -> datetime | None:
        """When to try again; None when that would be too late."""
        again = now + back_off(one.attempts + 1, outcome.retry_after, self.chance())
        if outcome.gone or again - one.created_at <= GIVE_UP_AFTER:
            return again
        self.metrics.webhook_dead.inc()
        _log.warning("webhook_delivery_given_up", webhook_id=one.webhook_id, position=one.position, attempts=one.attempts + 1)
        return None

    async def _count(self, queue: DeliveryQueue) -> None:
        rows = await queue.rows("SELECT count(*) FILTER (WHERE NOT dead), count(*) FILTER (WHERE dead) FROM webhook_deliveries")
        self.metrics.webhook_waiting.set(rows[0][0])
        self.metrics.webhook_given_up.set(rows[0][1])
