"""Examples for the API description: the appeal of a second strike's permanent ban."""

from __future__ import annotations

from typing import Any

from services.moderation.record.examples import INCIDENT_ID, STANDING, STARTS

APPEAL_ID = "01890a5d-ac96-774b-bcce-b302099a8060"
LATER_ID = "01890a5d-ac96-774b-bcce-b302099a8061"
BODY: dict[str, Any] = {"player_id": "p1", "incident_id": INCIDENT_ID, "grounds": "I did not post that; my sister had my tablet."}
ITEM: dict[str, Any] = {
    "appeal_id": APPEAL_ID,
    "player_id": "p1",
    "state": "open",
    "incident_id": INCIDENT_ID,
    "adjustment_id": None,
    "network_ban_id": None,
    "opened_at": "2026-11-30T12:00:00Z",
    "outcome": None,
    "decided_by": None,
    "decided_at": None,
}
OPENED: dict[str, Any] = {**ITEM, "version": 3, "position": 21}
WITHDRAWN: dict[str, Any] = {**ITEM, "state": "withdrawn", "version": 4, "position": 22}
FULL: dict[str, Any] = {**ITEM, "grounds": BODY["grounds"], "reply": None, "cascade": None, "kept": [], "reason": None, "former_staff": []}
PAGE: dict[str, Any] = {"items": [ITEM], "next_cursor": None}
WITHDRAW_BODY: dict[str, Any] = {"player_id": "p1"}
PREVIEW_BODY: dict[str, Any] = {"outcome": "overturned", "cascade": True}
DECISION_BODY: dict[str, Any] = {
    **PREVIEW_BODY,
    "reason": "The chat log shows another account.",
    "reply": "You were right: we lifted the ban.",
    "player_version": 3,
}
_AFTER: dict[str, Any] = {
    **STANDING,
    "strikes": 1,
    "ban": {"permanent": False, "starts_at": STARTS, "ends_at": "2026-12-05T10:00:00Z", "incident_ids": [LATER_ID]},
    "version": 6,
}
_BEFORE: dict[str, Any] = {
    **STANDING,
    "status": "permanently_banned",
    "strikes": 2,
    "ban": {"permanent": True, "starts_at": STARTS, "ends_at": None, "incident_ids": [INCIDENT_ID, LATER_ID]},
    "version": 3,
}
PREVIEW: dict[str, Any] = {
    "before": _BEFORE,
    "after": _AFTER,
    "changes": [
        {"path": "status", "before": "permanently_banned", "after": "banned"},
        {"path": "strikes", "before": 2, "after": 1},
        {"path": "ban.ends_at", "before": None, "after": "2026-12-05T10:00:00Z"},
    ],
    "reassessed": [
        {
            "incident_id": LATER_ID,
            "column_before": 2,
            "column_after": 1,
            "strike_before": 2,
            "strike_after": 1,
            "sanctions_before": [{"kind": "permanent_ban", "starts_at": STARTS, "ends_at": None}],
            "sanctions_after": [{"kind": "ban", "starts_at": STARTS, "ends_at": "2026-12-05T10:00:00Z", "days": 5}],
        }
    ],
    "kept": [],
    "linked": [],
    "irreversible": [],
    "freed": [],
    "player_version": 3,
}
DECIDED: dict[str, Any] = {
    **ITEM,
    "state": "decided",
    "outcome": "overturned",
    "decided_by": "senior-1",
    "decided_at": "2026-11-30T13:00:00Z",
    **PREVIEW,
    "version": 6,
    "position": 25,
}
