"""Lists that come in pages, as one asynchronous iteration."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from shared.client.transport import Query, Transport

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class PageOf(Protocol[T_co]):
    """A page as the service gives it."""

    @property
    def items(self) -> Sequence[T_co]:
        """What the page holds."""

    @property
    def next_cursor(self) -> str | None:
        """Where the next page begins; None after the last."""


@dataclass(frozen=True, slots=True)
class Paged(Generic[T]):
    """A list: `async for item in ...` reads page after page as it goes, `await ....all()` reads it whole, `await ....page(cursor)` one page of it.

    Pages are stable while others write: nothing is skipped, nothing comes twice.
    """

    transport: Transport
    path: str
    query: Query
    reply: type[PageOf[T]]
    options: Mapping[str, Any]

    async def page(self, cursor: str | None = None) -> PageOf[T]:
        """The first page, or the one that a cursor names. Raises `Problem` or `Unreachable`."""
        return await self.transport.fetch("GET", self.path, self.reply, query={**self.query, "cursor": cursor}, options=self.options)

    async def __aiter__(self) -> AsyncIterator[T]:
        """Every item."""
        cursor: str | None = None
        while True:
            page = await self.page(cursor)
            for item in page.items:
                yield item
            cursor = page.next_cursor
            if cursor is None:
                return

    async def all(self) -> list[T]:
        """Every item, in a list."""
        return [item async for item in self]
