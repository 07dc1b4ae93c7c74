"""Golden files: one for every stored event form ever released, frozen when it was released and never written again (E07)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import msgspec

from services.calls.api import register_events as register_calls
from services.cosmetics.api import register_events as register_cosmetics
from services.moderation.registered import register_events
from shared.eventstore.envelope import StoredEvent
from shared.eventstore.registry import EventRegistry

FOLDER: Final = Path(__file__).parent / "events"
DATA_KEY: Final = bytes(range(32))
"""The data key of every golden file; it protects nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """An event as it may happen, from which a golden file is made; `version` is that in its stream."""

    event: object
    stream: str
    version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Golden:
    """One stored event: `payload` is the exact JSON text, `value` what it decodes to with the data key, as plain values."""

    type: str
    stream: str
    version: int
    payload: str
    value: dict[str, Any]

    def stored(self) -> StoredEvent:
        """The event as the log gives it back."""
        return StoredEvent(
            position=1,
            stream=self.stream,
            version=self.version,
            type=self.type,
            recorded_at=datetime(2026, 11, 30, tzinfo=UTC),
            command_id="golden",
            meta=b"{}",
            payload=self.payload.encode(),
            leaf_hash=bytes(32),
        )


def registry() -> EventRegistry:
    """All events of all services."""
    events = EventRegistry()
    register_events(events)
    register_calls(events)
    register_cosmetics(events)
    return events


def read(stored_type: str) -> list[Golden]:
    """The golden events of one stored form."""
    return msgspec.json.decode((FOLDER / f"{stored_type}.json").read_bytes(), type=list[Golden])
