"""The stored names of the events about a player's cosmetics."""

from __future__ import annotations

from typing import Final

from services.cosmetics.slots import events
from shared.eventstore.registry import EventRegistry

REPORTED: Final = "cosmetics.cosmetic_reported"


def register(registry: EventRegistry) -> None:
    """Give each event its stored name."""
    registry.register("cosmetics.cosmetic_uploaded", 1, events.CosmeticUploaded)
    registry.register("cosmetics.cosmetic_deleted", 1, events.CosmeticDeleted)
    registry.register(REPORTED, 1, events.CosmeticReported, personal=("words",))
    registry.register("cosmetics.cosmetic_approved", 1, events.CosmeticApproved)
    registry.register("cosmetics.cosmetic_removed", 1, events.CosmeticRemoved, personal=("words",))
    registry.register("cosmetics.cosmetic_restored", 1, events.CosmeticRestored)
    registry.register("cosmetics.removal_reinstated", 1, events.RemovalReinstated)
    registry.register("cosmetics.cosmetic_purged", 1, events.CosmeticPurged, personal=("words",))
