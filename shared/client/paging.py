"""The feed by long poll: page after page, for as long as somebody asks."""

from __future__ import annotations

from typing import Final, Self

from shared.client.api.feed import FeedOperations, FeedPage
from shared.client.api.log import LogOperations
from shared.client.problem import Problem, Unreachable
from shared.client.retries import RETRIED_STATUSES
from shared.client.transport import Transport

WAIT_SECONDS: Final = 25
ANSWER_SECONDS: Final = 10.0
EARLY_SECONDS: Final = 1.0
MAX_TRIES: Final = 32  # behind which waits have long stopped to grow


async def head(transport: Transport) -> int:
    """About where the log ends: the size that its newest checkpoint signs, at most a second behind. Raises `Problem` or `Unreachable`."""
    checkpoint = await LogOperations(transport).get_checkpoint()
    return int(checkpoint.split(b"\n", 2)[1])


class FeedPages:
    """`async for page in client.feed_pages(after=...)`: pages of the feed that hold something, in order, without an end.

    `after` is where the next page begins: keep it with what you did about the page's items. A page holds whole positions. A service that can't be
    reached or has no time is asked again for ever, less and less often (`trouble` says why nothing comes); any other "no" raises `Problem`. It may be
    iterated again after an exception, and goes on where it was.
    """

    def __init__(self, transport: Transport, *, after: int | None, limit: int, wait: int) -> None:
        self.after = after
        self.trouble: Exception | None = None
        self._transport = transport
        self._feed = FeedOperations(transport)
        self._limit = limit
        self._wait = wait
        self._failed = 0

    def __aiter__(self) -> Self:
        """Itself."""
        return self

    async def __anext__(self) -> FeedPage:
        """The next page with items."""
        while True:
            page = await self.ask()
            if page is not None and page.items:
                return page

    async def ask(self) -> FeedPage | None:
        """One page, which may be empty; None after a pause when there was no answer. Raises `Problem` for what no pause helps against."""
        clock = self._transport.monotonic
        try:
            if self.after is None:
                self.after = await head(self._transport)
            began, timeout = clock(), self._wait + ANSWER_SECONDS
            page = await self._feed.get_feed(after=self.after, limit=self._limit, wait=self._wait, timeout=timeout)
        except (Unreachable, Problem) as trouble:
            if isinstance(trouble, Problem) and trouble.status not in RETRIED_STATUSES:
                raise
            self.trouble, self._failed = trouble, min(self._failed + 1, MAX_TRIES)
            asked = trouble.retry_after if isinstance(trouble, Problem) else 0.0
            await self._transport.sleep(max(asked, self._transport.retries.wait(self._failed, None)))
            return None
        self.trouble, self._failed = None, 0
        self.after = max(self.after, page.next_after)
        if not page.items and clock() - began < EARLY_SECONDS:  # it was not asked to wait, or a service that ends lets its readers go at once
            await self._transport.sleep(EARLY_SECONDS)
        return page
