"""Examples for the API description; a test checks them against the shapes."""

from __future__ import annotations

from typing import Any

from services.moderation.record import examples as record

ROLLBACK_ID = "019ad000-0000-7000-8000-000000000031"
BODY: dict[str, Any] = {"from": "2026-11-30T09:00:00Z", "to": "2026-11-30T11:00:00Z", "reason": "The account was stolen."}
REVERSE_BODY: dict[str, Any] = {"reason": "It was not stolen after all."}
_GOOD: dict[str, Any] = {**record.STANDING, "status": "good", "strikes": 0, "ban": None, "version": 2}
_CHANGES: list[dict[str, Any]] = [
    {"path": "status", "before": "banned", "after": "good"},
    {"path": "strikes", "before": 1, "after": 0},
    {"path": "ban", "before": record.STANDING["ban"], "after": None},
]
_BACK: list[dict[str, Any]] = [{"path": item["path"], "before": item["after"], "after": item["before"]} for item in _CHANGES]
_HEAD: dict[str, Any] = {
    "rollback_id": ROLLBACK_ID,
    "staff_id": "admin-1",
    "from": BODY["from"],
    "to": BODY["to"],
    "at": "2026-11-30T12:00:00Z",
    "by": "head-1",
    "state": "in_force",
}
_COUNTS: dict[str, Any] = {"players": 1, "overturned": 1, "reverted": 0, "reimposed": 0, "reassessed": 0, "kept": 0, "listed": 1}
_LISTED: list[dict[str, Any]] = [
    {"kind": "appeal_decision", "at": "2026-11-30T10:30:00Z", "player_id": "p2", "decision_id": "019ad000-0000-7000-8000-000000000032"}
]
_REVERSED: dict[str, Any] = {"reversed_at": "2026-12-01T09:00:00Z", "reversed_by": "head-2"}
ROLLED_BACK: dict[str, Any] = {
    **_HEAD,
    "counts": _COUNTS,
    "players": [
        {
            "player_id": record.PLAYER,
            "before": record.STANDING,
            "after": _GOOD,
            "changes": _CHANGES,
            "overturned": [record.INCIDENT_ID],
            "reverted": [],
            "reimposed": [],
            "reassessed": [],
            "kept": [],
            "linked": [],
            "irreversible": [],
            "version": 2,
        }
    ],
    "network_bans": [],
    "kept": [],
    "listed": _LISTED,
    "version": 1,
    "position": 19,
}
REVERSED: dict[str, Any] = {
    **_HEAD,
    "state": "reversed",
    **_REVERSED,
    "players": [
        {
            "player_id": record.PLAYER,
            "before": _GOOD,
            "after": {**record.STANDING, "version": 3},
            "changes": _BACK,
            "reinstated": [record.INCIDENT_ID],
            "proxy_lift": False,
            "kept": [],
            "version": 3,
        }
    ],
    "network_bans": [],
    "kept": [],
    "version": 2,
    "position": 21,
}
ITEM: dict[str, Any] = {**_HEAD, "reversed_at": None, "reversed_by": None, "counts": _COUNTS}
PAGE: dict[str, Any] = {"items": [ITEM], "next_cursor": None}
FULL: dict[str, Any] = {
    **ITEM,
    "reason": BODY["reason"],
    "players": [
        {
            "player_id": record.PLAYER,
            "version_before": 1,
            "version_after": 2,
            "overturned": [record.INCIDENT_ID],
            "reverted": [],
            "reimposed": [],
            "reassessed": [],
        }
    ],
    "network_bans": [],
    "kept": [],
    "listed": _LISTED,
    "reversal": None,
    "version": 1,
}
