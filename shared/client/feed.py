"""`client.feed`: the declared operation, and the iteration over all of it."""

from __future__ import annotations

from collections.abc import Collection

from shared.client.api.feed import FeedOperations
from shared.client.following import FeedType, Following
from shared.client.streaming import Patience


class Feed(FeedOperations):
    """The operations of `feed`; called, it is the feed itself."""

    __slots__ = ()

    def __call__(
        self, *, after: int | None = None, types: Collection[FeedType] | None = None, patience: Patience | None = None
    ) -> Following:
        """Every item behind `after` (None: from now on), or those of some types, as an iteration that reconnects by itself.

        Streams are for game servers and staff, the long poll behind a proxy without streams for game servers only.
        """
        return Following(self.transport, after=after, types=types, patience=patience or Patience())
