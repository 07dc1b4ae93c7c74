"""Loading duel rooms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from services.calls.rooms.events import RoomEvent
from services.calls.rooms.state import INITIAL, RoomState, evolve
from shared.eventstore.codec import Codec
from shared.eventstore.envelope import StoredEvent
from shared.eventstore.port import EventStore
from shared.refusal import Refusal


def stream_of(duel_id: str) -> str:
    """The stream of a duel room."""
    return f"duel-{duel_id}"


class Rooms:
    """Reads rooms. What can't be decoded raises `Unavailable`."""

    def __init__(self, store: EventStore, codec: Codec) -> None:
        self._store = store
        self._codec = codec

    async def load(self, duel_id: str) -> RoomState:
        """The room, of version 0 when there is none."""
        return self.fold(await self._store.read(stream_of(duel_id)))

    async def find(self, duel_id: str) -> RoomState:
        """The room. Raises a `Refusal` `not_found`."""
        room = await self.load(duel_id)
        if not room.exists:
            raise Refusal("not_found", "There is no such duel room.", field="duel_id")
        return room

    def fold(self, stored: Iterable[StoredEvent]) -> RoomState:
        """The room after these events."""
        state = INITIAL
        for item in stored:
            state = evolve(state, cast("RoomEvent", self._codec.decode(item)))
        return state
