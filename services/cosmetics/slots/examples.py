"""Examples for the API's description."""

from __future__ import annotations

from typing import Any, Final

_ID: Final = "019ad000-0000-7000-8000-000000000030"
SHA256: Final = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
COSMETIC: Final[dict[str, Any]] = {
    "cosmetic_id": _ID,
    "player_id": "p-yugi",
    "slot": "avatar",
    "width": 512,
    "height": 512,
    "sha256": SHA256,
    "state": "active",
    "image_url": f"/v1/cosmetics/{_ID}/image",
    "sizes": [{"size": size, "width": width, "height": width} for size, width in (("2x", 512), ("1x", 256), ("thumb", 128))],
    "transparent": False,
    "uploaded_at": "2026-11-30T10:00:00Z",
    "reports": 0,
    "in_review": True,
    "incident_id": None,
}
DETAILS: Final = {**COSMETIC, "reports": 1, "reported": [{"reporter_id": "p-kaiba", "reason": "Offensive.", "at": "2026-11-30T11:00:00Z"}]}
CHANGED: Final = {**COSMETIC, "version": 1, "position": 17}
UPLOADED: Final = {**CHANGED, "replaced": None}
REPORTED: Final = {**CHANGED, "reports": 1, "version": 2}
APPROVED: Final = {**CHANGED, "in_review": False, "version": 2}
PURGED: Final = {**CHANGED, "state": "purged", "in_review": False, "version": 3}
_INCIDENT: Final = "019ad000-0000-7000-8000-000000000031"
REMOVED: Final = {
    **CHANGED, "state": "removed", "in_review": False, "incident_id": _INCIDENT, "version": 2, "incident": {"incident_id": _INCIDENT},
}  # fmt: skip
DELETED: Final = {"slot": "avatar", "cosmetic_id": _ID, "version": 2, "position": 18}
PAGE: Final = {"items": [COSMETIC], "next_cursor": None}
REPORT_BODY: Final = {"reporter_id": "p-kaiba", "reason": "Offensive."}
REMOVAL_BODY: Final = {"reason": "Offensive.", "sha256": SHA256}
