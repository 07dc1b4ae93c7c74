"""What can be recorded about the rules: that a table was published. The event carries it whole, so that the log alone can say what held when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from services.moderation.policy.tables import Row, Settings
from shared.eventstore.registry import EventRegistry


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyPublished:
    """From here on this table holds.

    `published_at` is the moment of the command (UTC); `packaged` says that the service itself published the table it came with, so that a newer
    package may replace it, which it never does to a table that a head admin published.
    """

    version: str
    note: str | None
    published_at: datetime
    published_by: str
    packaged: bool
    settings: Settings
    infractions: tuple[Row, ...]


Event = PolicyPublished


def register(registry: EventRegistry) -> None:
    """Give the events their stored names."""
    registry.register("moderation.policy_published", 1, PolicyPublished)
