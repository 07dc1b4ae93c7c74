"""Every event of this service under its stored name."""

from __future__ import annotations

from services.calls.calls import registered as calls
from services.calls.rooms import registered as rooms
from shared.eventstore.registry import EventRegistry


def register_events(registry: EventRegistry) -> None:
    """Register what each folder stores."""
    rooms.register(registry)
    calls.register(registry)
