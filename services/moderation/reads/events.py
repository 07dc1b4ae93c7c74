"""What is recorded of a sensitive read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from shared.eventstore.registry import EventRegistry


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordRead:
    """A member of staff or an auditor was shown words about a player.

    `what` is a kind of read of `services/gateway/sensitive.py`, `subject` the incident or appeal where one was named. `player_id` is None for a
    list that is about no one player. `via` is the game server whose token was used, where the reader acted through one.
    """

    reader: str
    role: str
    what: str
    at: datetime
    player_id: str | None = None
    subject: str | None = None
    via: str | None = None
    request_id: str | None = None


def register(registry: EventRegistry) -> None:
    """Give the event its stored name."""
    registry.register("moderation.record_read", 1, RecordRead)
