"""The stored names of the events about a player's cosmetics."""

from __future__ import annotations

from typing import Any, Final

from services.cosmetics.slots import events
from shared.eventstore.registry import EventRegistry

UPLOADED: Final = "cosmetics.cosmetic_uploaded"
REPORTED: Final = "cosmetics.cosmetic_reported"


def register(registry: EventRegistry) -> None:
    """Give each event its stored name."""
    registry.register(UPLOADED, 2, events.CosmeticUploaded, personal=("likeness",))
    registry.upcast(UPLOADED, 1, unsealed)
    registry.register("cosmetics.cosmetic_deleted", 1, events.CosmeticDeleted)
    registry.register(REPORTED, 1, events.CosmeticReported, personal=("words",))
    registry.register("cosmetics.cosmetic_approved", 1, events.CosmeticApproved)
    registry.register("cosmetics.cosmetic_removed", 2, events.CosmeticRemoved, personal=("words",))
    registry.upcast("cosmetics.cosmetic_removed", 1, unprinted)
    registry.register("cosmetics.cosmetic_restored", 1, events.CosmeticRestored)
    registry.register("cosmetics.removal_reinstated", 1, events.RemovalReinstated)
    registry.register("cosmetics.cosmetic_purged", 2, events.CosmeticPurged, personal=("words",))
    registry.upcast("cosmetics.cosmetic_purged", 1, unprinted)


def unsealed(stored: dict[str, Any]) -> dict[str, Any]:
    """Version 1 of an upload kept what it looks like in its picture, in the open."""
    return {**stored, "likeness": None}


def unprinted(stored: dict[str, Any]) -> dict[str, Any]:
    """Version 1 barred a picture by the fingerprints of its upload."""
    return {**stored, "prints": []}
