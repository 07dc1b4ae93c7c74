"""Examples for the API description: one player's first Spam (Major), and what may follow from it."""

from __future__ import annotations

from typing import Any

PLAYER = "p1"
INCIDENT_ID = "01890a5d-ac96-774b-bcce-b302099a8057"
SANCTION_ID = "01890a5d-ac96-774b-bcce-b302099a8058"
ADJUSTMENT_ID = "01890a5d-ac96-774b-bcce-b302099a8059"
STARTS, ENDS = "2026-11-30T10:00:00Z", "2026-12-01T10:00:00Z"

BAN: dict[str, Any] = {"sanction_id": SANCTION_ID, "kind": "ban", "days": 1, "starts_at": STARTS, "ends_at": ENDS, "state": "active"}
STANDING: dict[str, Any] = {
    "player_id": PLAYER,
    "status": "banned",
    "strikes": 1,
    "warnings": 0,
    "ban": {"permanent": False, "starts_at": STARTS, "ends_at": ENDS, "incident_ids": [INCIDENT_ID]},
    "ip_banned": False,
    "proxy_banned": False,
    "legal_review": False,
    "version": 1,
    "as_of": STARTS,
}
INCIDENT_BODY: dict[str, Any] = {
    "player_id": PLAYER,
    "offenses": [{"infraction": "spam-major", "description": "Kept posting the same link after being asked to stop."}],
    "occurred_at": "2026-11-30T09:58:00Z",
    "external_id": "report-4711",
    "evidence": [{"kind": "chat_log", "ref": "chat/2026-11-30/4711", "text": "join my server join my server"}],
}
INCIDENT_VIEW: dict[str, Any] = {
    "incident_id": INCIDENT_ID,
    "player_id": PLAYER,
    "decided_at": STARTS,
    "decided_by": "admin-1",
    "policy_version": "5f0c9a1e7b2d4c68",
    "imported": False,
    "column": 1,
    "assessment": [
        {
            "infraction": "spam-major",
            "column": 1,
            "cell": "1 day ban",
            "sanctions": [{"kind": "ban", "days": 1}],
            "upgraded_from": None,
            "upgradable_to": None,
            "basis": "S4",
            "charged": "spam-major",
            "variant": None,
            "derived_from": None,
        }
    ],
    "occurred_at": "2026-11-30T09:58:00Z",
    "duel_id": None,
    "call_id": None,
    "external_id": "report-4711",
    "notify": True,
    "alts": [],
    "evasion": False,
    "extends": None,
    "linked_to": None,
    "strike": {"number": 1},
    "sanctions": [BAN],
    "legal_review": False,
    "status": "in_force",
    "adjustments": [],
    "appeal_id": None,
    "replaced_by": None,
    "rollback_id": None,
}
INCIDENT: dict[str, Any] = {**INCIDENT_VIEW, "standing": STANDING, "version": 1, "position": 17}
INCIDENT_PAGE: dict[str, Any] = {"items": [INCIDENT_VIEW], "next_cursor": None}
ACTIVE: dict[str, Any] = {"items": [{**BAN, "incident_id": INCIDENT_ID}], "next_cursor": None}

ADJUSTMENT_BODY: dict[str, Any] = {"sanctions": [{"kind": "ban", "days": 3}], "strike": True, "reason": "A repeat within the hour."}
_LONGER: dict[str, Any] = {**BAN, "days": 3, "ends_at": "2026-12-03T10:00:00Z"}
_AFTER: dict[str, Any] = {**STANDING, "ban": {**STANDING["ban"], "ends_at": "2026-12-03T10:00:00Z"}, "version": 2}
ADJUSTMENT: dict[str, Any] = {
    "player_id": PLAYER,
    "incident_id": INCIDENT_ID,
    "strike": {"number": 1},
    "sanctions": [_LONGER],
    "adjustment_id": ADJUSTMENT_ID,
    "standing": _AFTER,
    "version": 2,
    "position": 18,
}
REASON_BODY: dict[str, Any] = {"reason": "A shared line of a students' home."}
LIFTED: dict[str, Any] = {name: value for name, value in ADJUSTMENT.items() if name != "adjustment_id"}
PROXY_LIFTED: dict[str, Any] = {"player_id": PLAYER, "standing": {**STANDING, "version": 2}, "version": 2, "position": 18}
ACKNOWLEDGED: dict[str, Any] = LIFTED
IMPORT_BODY: dict[str, Any] = {
    "incidents": [
        {
            "player_id": PLAYER,
            "infraction": "spam-major",
            "decided_at": "2025-03-01T12:00:00Z",
            "decided_by": "former-admin",
            "strike": True,
            "sanctions": [{"kind": "ban", "days": 1}],
            "external_id": "old-site-4711",
        }
    ]
}
IMPORTED: dict[str, Any] = {"imported": 1, "known": 0, "failed": [], "position": 19}
QUERY_BODY: dict[str, Any] = {"player_ids": [PLAYER, "p2"]}
QUERIED: dict[str, Any] = {"standings": [STANDING, {"player_id": "p2", "error": "unavailable"}]}
ACCESS_BODY: dict[str, Any] = {"player_id": PLAYER, "ip": "203.0.113.7", "proxy": False}
ACCESS: dict[str, Any] = {"allowed": False, "reasons": [{"code": "banned", "ends_at": ENDS, "incident_id": INCIDENT_ID}], "standing": STANDING}
STATEMENT: dict[str, Any] = {
    "incident_id": INCIDENT_ID,
    "player_id": PLAYER,
    "decided_at": STARTS,
    "facts": {"occurred_at": "2026-11-30T09:58:00Z", "duel_id": None, "descriptions": ["Kept posting the same link after being asked to stop."]},
    "rules": [{"infraction": "spam-major", "name": "Spam (Major)", "basis": "S4", "cell": "1 day ban", "column": 1, "upgraded_from": None}],
    "sanctions": [BAN],
    "strike": {"number": 1},
    "status": "in_force",
    "appeal": {"how": "You may appeal this decision once.", "path": "/v1/appeals"},
}
HISTORY: dict[str, Any] = {
    "items": [
        {
            "position": 17,
            "version": 1,
            "type": "moderation.incident_decided.v2",
            "recorded_at": STARTS,
            "occurred_at": "2026-11-30T09:58:00Z",
            "actor": "admin-1",
            "role": "admin",
            "via": None,
            "policy_version": "5f0c9a1e7b2d4c68",
            "data": {"incident_id": INCIDENT_ID, "player_id": PLAYER, "column": 1, "strike": 1},
            "hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        }
    ],
    "next_cursor": None,
}
