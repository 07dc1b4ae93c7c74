"""The stored names of the gallery's events."""

from __future__ import annotations

from services.cosmetics.gallery.events import ArtworkListed, ArtworkUnlisted
from shared.eventstore.registry import EventRegistry


def register(registry: EventRegistry) -> None:
    """Give each event its stored name."""
    registry.register("cosmetics.artwork_listed", 1, ArtworkListed)
    registry.register("cosmetics.artwork_unlisted", 1, ArtworkUnlisted)
