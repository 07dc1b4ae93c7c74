"""What other systems are told of cosmetics: what to show, and what to show no longer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from services.cosmetics.slots.events import (
    CosmeticDeleted,
    CosmeticPurged,
    CosmeticRemoved,
    CosmeticRestored,
    CosmeticUploaded,
    RemovalReinstated,
    SlotEvent,
)
from services.cosmetics.slots.state import ACTIVE, SlotState
from services.cosmetics.views.cosmetic import image_url
from shared.eventstore.port import OutboxItem

_encode = msgspec.json.Encoder().encode


def slot_items(player_id: str, before: SlotState, events: Sequence[SlotEvent], *, first: int) -> tuple[OutboxItem, ...]:
    """What is told of these events, which are number `first` and on of the request."""
    items = []
    for number, event in enumerate(events, first):
        told = _told(before, event)
        if told is not None:
            kind, data = told
            whole = {"cosmetic_id": event.cosmetic_id, "at": event.at, **data}
            items.append(OutboxItem(type=kind, player_id=player_id, data=_encode(whole), event=number))
    return tuple(items)


def _told(before: SlotState, event: SlotEvent) -> tuple[str, dict[str, Any]] | None:
    match event:
        case CosmeticUploaded():
            shown = {"slot": event.slot, "sha256": event.picture.sha256, "image_url": image_url(event.cosmetic_id), "replaced": event.replaced}
            return "cosmetic.activated", shown
        case CosmeticRestored() if event.active:
            sha256 = before.cosmetics[event.cosmetic_id].picture.sha256
            return "cosmetic.activated", {"slot": event.slot, "sha256": sha256, "image_url": image_url(event.cosmetic_id), "replaced": None}
        case CosmeticRemoved() | RemovalReinstated() if before.cosmetics[event.cosmetic_id].state == ACTIVE:  # else its slot shows what it did
            return "cosmetic.removed", {"slot": event.slot, "because": "removed", "incident_id": event.incident_id}
        case CosmeticDeleted():
            return "cosmetic.removed", {"slot": event.slot, "because": "deleted", "incident_id": None}
        case CosmeticPurged():
            was_live = before.cosmetics[event.cosmetic_id].state == ACTIVE
            return "cosmetic.removed", {"slot": event.slot, "because": "purged", "incident_id": None, "was_active": was_live}
        case _:
            return None
