"""The feed as one iteration that outlives connections, restarts and proxies."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Collection
from contextlib import aclosing
from types import TracebackType
from typing import Final, Literal, Self

import httpx
import msgspec

from shared.client.api.feed import FeedItem
from shared.client.events import Event
from shared.client.paging import MAX_TRIES, WAIT_SECONDS, FeedPages
from shared.client.progress import Progress
from shared.client.streaming import Interrupted, Patience, StreamRefused, opened
from shared.client.transport import Transport

FeedType = Literal[
    "appeal.decided", "appeal.opened", "call.cancelled", "call.opened", "call.released", "call.resolved", "call.taken", "cosmetic.activated",
    "cosmetic.removed", "duel.paused", "duel.resumed", "effect.ordered", "incident.decided", "sanction.changed", "standing.changed",
    "tournament.penalty",
]  # fmt: skip
FAILURES: Final = 3
"""So many streams in a row that never began, though somebody answers, are taken for a proxy that passes none on."""
POLLED_SECONDS: Final = 300.0
PAGE_ITEMS: Final = 200
_decode = msgspec.json.Decoder(FeedItem).decode


class Following:
    """`async for item in client.feed(after=...)`: every item of the feed once, in order, without an end.

    `after` is the position up to which everything was given: read it in the loop's body, keep it with what you did about the item, and begin there
    after a restart of your own. Items of one position come again then when the loop ended between them.

    What ends a stream (cut, dead, restart of the service, 429, 503) is waited out: a new one begins at the last id, after the time that the service
    asks for, or later and later. Where no streams pass, it is the long poll; a stream is tried again every five minutes. `trouble` says why nothing
    comes, None while all is well. A token that does not count (any more) or has no right raises `Problem`.

    A wait for the next item may be cancelled (`asyncio.timeout`): the connection is closed, and the next wait opens another. Close it with
    `aclose()`, or use it in an `async with`.
    """

    def __init__(
        self, transport: Transport, *, after: int | None, types: Collection[str] | None, patience: Patience, polled: float = POLLED_SECONDS
    ) -> None:
        self.trouble: Exception | None = None
        self._transport = transport
        self._types = None if types is None else frozenset(types)
        self._patience = patience
        self._polled = polled
        self._progress = Progress(after)
        self._items: AsyncGenerator[FeedItem, None] | None = None
        self._failures = 0
        self._asked = 0.0  # seconds that the last stream said to wait before the next

    @property
    def after(self) -> int | None:
        """The position up to which every item was given; None before the service has said where "now" is."""
        return self._progress.after

    def __aiter__(self) -> Self:
        """Itself."""
        return self

    async def __anext__(self) -> FeedItem:
        """The next item."""
        if self._items is None:
            self._items = self._run()
        try:
            while True:
                item = await anext(self._items)
                if self._types is None or item.type in self._types:
                    return item
        except BaseException:
            self._items = None  # a generator that has raised is over; what was given is not in it
            raise

    async def aclose(self) -> None:
        """Close the connection."""
        items, self._items = self._items, None
        if items is not None:
            await items.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.aclose()

    async def _run(self) -> AsyncGenerator[FeedItem, None]:
        while True:
            poll = False
            self._progress.restart()
            try:
                async with aclosing(self._stream()) as items:
                    async for item in items:
                        yield item
            except StreamRefused as refused:
                self.trouble, poll, self._failures = refused, True, max(self._failures, FAILURES)
            except Interrupted as trouble:
                poll = await self._interrupted(trouble)
            if poll:
                self._progress.restart()
                async with aclosing(self._poll()) as items:
                    async for item in items:
                        yield item

    async def _interrupted(self, trouble: Interrupted) -> bool:
        """Wait as long as it takes to try again; whether to poll instead."""
        self.trouble = trouble
        self._failures = 0 if trouble.began else min(self._failures + 1, MAX_TRIES)
        grown = 0.0 if trouble.began and self._asked else self._transport.retries.wait(max(self._failures, 1), trouble.response)
        await self._transport.sleep(max(grown, self._asked))
        return self._failures >= FAILURES and not isinstance(trouble.__cause__, httpx.ConnectError | httpx.ConnectTimeout)

    async def _stream(self) -> AsyncGenerator[FeedItem, None]:
        """What one connection brings. Raises `Interrupted` at its end."""
        self._asked = 0.0
        async with opened(self._transport, self.after, self._patience) as events, aclosing(events):
            async for event in events:
                self.trouble, self._failures = None, 0
                if event.retry is not None:
                    self._asked = event.retry / 1000
                for item in self._read(event):
                    yield item

    def _read(self, event: Event) -> list[FeedItem]:
        if event.data is None:
            if event.place is not None:  # where "now" is, at the beginning of a stream that was told no position
                self._progress.reached(event.place)
            return []
        try:
            item = _decode(event.data)
        except msgspec.DecodeError as trouble:
            raise Interrupted("not an item of the feed", began=True) from trouble
        return [item] if self._progress.take(item.position, last=event.place is not None) else []

    async def _poll(self) -> AsyncGenerator[FeedItem, None]:
        """Follow by long poll for a while, or until that fails too."""
        clock = self._transport.monotonic
        until = clock() + self._polled
        pages = FeedPages(self._transport, after=self.after, limit=PAGE_ITEMS, wait=WAIT_SECONDS)
        while clock() < until:
            page = await pages.ask()
            self.trouble = pages.trouble
            if page is None:
                return
            places = [item.position for item in page.items]
            for item, following in zip(page.items, [*places[1:], None], strict=False):  # no items: no places
                if self._progress.take(item.position, last=following != item.position):
                    yield item
            self._progress.reached(page.next_after)
