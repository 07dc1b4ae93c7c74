"""Loading a player's cosmetics."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, cast

from services.cosmetics.slots.events import SlotEvent
from services.cosmetics.slots.state import INITIAL, SlotState, fold
from shared.eventstore.codec import Codec
from shared.eventstore.port import EventStore
from shared.refusal import Refusal

Fetch = Callable[..., Awaitable[Sequence[Any]]]
_PLAYER_SQL = "SELECT player_id FROM cosmetics WHERE cosmetic_id = $1"


def stream_of(player_id: str) -> str:
    """The stream of a player's cosmetics."""
    return f"cosmetics-{player_id}"


class Slots:
    """Reads cosmetics. What can't be decoded raises `Unavailable`."""

    def __init__(self, store: EventStore, codec: Codec, fetch: Fetch) -> None:
        self._store = store
        self._codec = codec
        self._fetch = fetch

    async def load(self, player_id: str) -> SlotState:
        """The player's cosmetics, of version 0 when there are none."""
        stored = await self._store.read(stream_of(player_id))
        return fold(INITIAL, (cast("SlotEvent", self._codec.decode(item)) for item in stored))

    async def player_of(self, cosmetic_id: str) -> str:
        """Whose cosmetic it is. Raises a `Refusal` `not_found`."""
        rows = await self._fetch(_PLAYER_SQL, cosmetic_id)
        if not rows:
            raise Refusal("not_found", "There is no such cosmetic.")
        return str(rows[0][0])
