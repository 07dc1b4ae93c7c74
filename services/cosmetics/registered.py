"""Every event of this service under its stored name."""

from __future__ import annotations

from services.cosmetics.gallery import registered as gallery
from services.cosmetics.slots import looks
from services.cosmetics.slots import registered as slots
from shared.eventstore.registry import EventRegistry


def register_events(registry: EventRegistry) -> None:
    """Register what each folder stores."""
    slots.register(registry)
    gallery.register(registry)
    looks.register(registry)
