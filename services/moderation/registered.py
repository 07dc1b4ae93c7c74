"""Every event of this service under its stored name."""

from __future__ import annotations

from services.moderation.staff import registered as staff
from shared.eventstore.registry import EventRegistry


def register_events(registry: EventRegistry) -> None:
    """Register what each folder stores."""
    staff.register(registry)
