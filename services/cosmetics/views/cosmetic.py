"""A cosmetic as the API shows it, and as its row keeps it."""

from __future__ import annotations

from typing import Any

import msgspec

from services.cosmetics.slots.state import ACTIVE, PURGED, REMOVED, Cosmetic, SlotState
from services.cosmetics.views.known import Known, known_write
from shared.eventstore.port import TableWrite

MAX_RANK = 9999
_encode = msgspec.json.Encoder().encode


def image_url(cosmetic_id: str) -> str:
    """Where the picture is: an address that never shows another one (I18)."""
    return f"/v1/cosmetics/{cosmetic_id}/image"


def cosmetic_view(player_id: str, item: Cosmetic) -> dict[str, Any]:
    """One cosmetic."""
    return {
        "cosmetic_id": item.cosmetic_id,
        "player_id": player_id,
        "slot": item.slot,
        "width": item.picture.width,
        "height": item.picture.height,
        "sha256": item.picture.sha256,
        "state": item.state,
        "image_url": image_url(item.cosmetic_id),
        "sizes": [{"size": r.size, "width": r.width, "height": r.height} for r in item.picture.renditions],
        "transparent": item.picture.alpha,
        "uploaded_at": item.uploaded_at,
        "reports": item.reports,
        "in_review": item.in_review,
        "incident_id": item.incident_id,
    }


def rows_of(player_id: str, before: SlotState, after: SlotState) -> tuple[TableWrite, ...]:
    """The rows of every cosmetic that changed, and of those that became or ceased to be barred."""
    writes = []
    for item in after.cosmetics.values():
        old = before.cosmetics.get(item.cosmetic_id)
        if old == item:
            continue
        writes.append(_row(player_id, item, after.version))
        if item.barred != (old is not None and old.barred):
            known = Known(name=item.cosmetic_id, kind="removed", player_id=player_id, incident_id=item.barred_by)
            writes.append(known_write(known, item.prints, listed=item.barred))
    return tuple(writes)


def _row(player_id: str, item: Cosmetic, version: int) -> TableWrite:
    files = _encode({r.size: [r.sha256, r.length] for r in item.picture.renditions})
    view = _encode(cosmetic_view(player_id, item))
    row = (item.cosmetic_id, player_id, version, item.slot, item.state, item.in_review, _rank(item), item.incident_id, files, view)
    return TableWrite(table="cosmetics", row=row)


def _rank(item: Cosmetic) -> int:
    """Its place in the review list: the most reported first. What was reported and is not shown any more waits behind all that is (A-52)."""
    reports = min(item.reports, MAX_RANK)
    return MAX_RANK + 1 - reports if reports and item.state != ACTIVE else -reports


def withdrawn(state: str) -> bool:
    """Whether players no longer see it, while staff may look (A10)."""
    return state in {REMOVED, "replaced", "deleted"}


def gone(state: str) -> bool:
    """Whether its bytes are destroyed."""
    return state == PURGED
