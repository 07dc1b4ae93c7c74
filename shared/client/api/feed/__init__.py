"""Operations and types of `feed`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from shared.client.api.feed.operations import FeedOperations
from shared.client.api.feed.replies import FeedItem, FeedPage

__all__ = [
    "FeedItem",
    "FeedOperations",
    "FeedPage",
]
