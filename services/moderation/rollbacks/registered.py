"""The stored names of a rollback's own events. A name or version once released is never changed."""

from __future__ import annotations

from services.moderation.rollbacks.events import RollbackReversed, StaffRolledBack
from shared.eventstore.registry import EventRegistry


def register(registry: EventRegistry) -> None:
    """Give each event its stored name."""
    registry.register("moderation.staff_rolled_back", 1, StaffRolledBack, personal=("words",))
    registry.register("moderation.rollback_reversed", 1, RollbackReversed, personal=("words",))
