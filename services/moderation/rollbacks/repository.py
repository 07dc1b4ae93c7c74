"""Loading rollbacks."""

from __future__ import annotations

from typing import cast

from services.moderation.rollbacks.events import RollbackStreamEvent
from services.moderation.rollbacks.state import INITIAL, RollbackState, evolve
from shared.eventstore.codec import Codec
from shared.eventstore.port import EventStore
from shared.security.data_keys import DataKeys


def stream_of(rollback_id: str) -> str:
    """The stream of one rollback."""
    return f"rollback-{rollback_id}"


def subject_of(rollback_id: str) -> str:
    """Whose data key seals a rollback's reasons; with the slash it is never the id of a player."""
    return f"rollback/{rollback_id}"


class RollbackStreams:
    """Reads rollbacks. What can't be decoded raises `Unavailable` (E06)."""

    def __init__(self, store: EventStore, codec: Codec, data_keys: DataKeys) -> None:
        self._store = store
        self._codec = codec
        self._data_keys = data_keys

    async def state(self, rollback_id: str, *, personal: bool = False) -> RollbackState:
        """One rollback; nothing is known of it at version 0. With `personal` its reasons too, as far as they can be read still."""
        stored = await self._store.read(stream_of(rollback_id))
        subject = subject_of(rollback_id)
        key = (await self._data_keys.of([subject])).get(subject) if personal and stored else None
        state = INITIAL
        for item in stored:
            state = evolve(state, cast("RollbackStreamEvent", self._codec.decode(item, data_key=key)))
        return state
