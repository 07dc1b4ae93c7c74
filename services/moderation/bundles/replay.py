"""Standings from the events of a bundle, folded by the very code that answers requests."""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast

import msgspec

from services.moderation.record.events import RecordEvent
from services.moderation.record.state import INITIAL, RecordState, evolve
from services.moderation.registered import register_events
from services.moderation.views.standing import as_reply, facts_of, standing_at
from shared.eventstore.codec import Codec
from shared.eventstore.envelope import StoredEvent
from shared.eventstore.registry import EventRegistry

RECORD = "record-"
_encode = msgspec.json.Encoder().encode


class Replay:
    """Folds records event by event, up to a moment."""

    def __init__(self, as_of: datetime) -> None:
        registry = EventRegistry()
        register_events(registry)
        self._codec = Codec(registry)
        self._personal = {form.cls: form.personal for form in registry.forms()}
        self._as_of = as_of
        self._states: dict[str, tuple[RecordState, int]] = {}

    @property
    def players(self) -> list[str]:
        """Everybody with a record, in order."""
        return sorted(self._states)

    def add(self, stored: StoredEvent) -> None:
        """Fold one more event; events of other streams are left alone. Raises `UnreadableEvent`."""
        if not stored.stream.startswith(RECORD):
            return
        event = cast("RecordEvent", self._codec.decode(stored))
        player = stored.stream.removeprefix(RECORD)
        state, version = self._states.get(player, (INITIAL, 0))
        if event.at <= self._as_of:
            state, version = evolve(state, event), stored.version
        self._states[player] = state, version

    def standing(self, player_id: str) -> dict[str, Any]:
        """The standing as JSON shows it."""
        state, version = self._states.get(player_id, (INITIAL, 0))
        found: dict[str, Any] = msgspec.json.decode(_encode(as_reply(standing_at(player_id, facts_of(state), version, self._as_of))))
        return found

    def personal(self, stored: StoredEvent, data_key: bytes | None) -> dict[str, Any] | None:
        """The event's personal parts, opened; None when it has none (any more)."""
        if data_key is None or not stored.stream.startswith(RECORD):
            return None
        event = self._codec.decode(stored, data_key=data_key)
        parts = {name: msgspec.to_builtins(value) for name in self._personal[type(event)] if (value := getattr(event, name)) is not None}
        return parts or None
