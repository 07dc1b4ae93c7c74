"""What comes back. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class FeedItem(Struct, frozen=True, kw_only=True):
    """An integration event. Items that one event caused share its position."""

    position: int
    type: str
    player_id: str | None = None
    data: dict[str, Any]


class FeedPage(Struct, frozen=True, kw_only=True):
    """A part of the feed, in order; `next_after` is the position to ask behind next."""

    items: list[FeedItem]
    next_after: int
