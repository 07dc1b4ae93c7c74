"""The operations of `feed`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from typing import Unpack

from shared.client.api.feed.replies import FeedPage
from shared.client.options import PublicOptions
from shared.client.transport import Transport


class FeedOperations:
    """The operations of `feed`."""

    __slots__ = ("transport",)

    def __init__(self, transport: Transport) -> None:
        self.transport = transport

    async def get_feed(self, *, after: int = 0, limit: int = 50, wait: int = 0, **options: Unpack[PublicOptions]) -> FeedPage:
        """What happened, in order.

        Integration events by the log's positions: none is left out, doubled or out of order. Ask with `after` = `next_after` of the page before; a
        page holds whole positions, so it may exceed `limit` by the items of one event. With `wait` an empty page comes only after so many seconds.
        For game_server.
        """
        return await self.transport.fetch(
            "GET", "/v1/feed", FeedPage, acts=False, query={"after": after, "limit": limit, "wait": wait}, options=options
        )
