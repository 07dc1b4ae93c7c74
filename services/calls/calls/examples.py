"""Examples for the API description: one call, from the button to its end."""

from __future__ import annotations

from typing import Any, Final

CALL_ID: Final = "019ad000-0000-7000-8000-000000000010"
DECISION_ID: Final = "019ad000-0000-7000-8000-000000000011"
_AT: Final = "2026-11-30T10:00:00Z"
_TAKEN: Final = "2026-11-30T10:01:30Z"

PRESS_BODY: Final[dict[str, Any]] = {
    "duel_id": "duel-4711",
    "caller_id": "p-yugi",
    "category": "ruling-question",
    "message": "Does the effect resolve when the card left the field?",
    "origin": "duel",
    "context": {"history_ref": "history/4711", "chat_ref": "chat/4711"},
}
PROBLEM: Final[dict[str, Any]] = {
    "caller_id": "p-yugi",
    "category": "ruling-question",
    "origin": "duel",
    "participant": True,
    "at": _AT,
    "withdrawn_at": None,
    "message": None,
    "context": None,
}
CALL: Final[dict[str, Any]] = {
    "call_id": CALL_ID,
    "state": "open",
    "category": "ruling-question",
    "duel_id": "duel-4711",
    "origin": "duel",
    "caller_id": "p-yugi",
    "players": ["p-yugi", "p-kaiba"],
    "ruling_authority": "TCG",
    "opened_at": _AT,
    "pauses": True,
    "problems": [PROBLEM],
    "withdrawn_problems": [],
    "taken_by": None,
    "lease_until": None,
    "takes": [],
    "presence": [],
    "afk": {"suggests": None, "players": []},
    "decisions": [],
    "closed_at": None,
    "summary": None,
    "misuse": None,
    "misuse_incident_id": None,
    "queue_position": 1,
    "estimated_wait_seconds": 90,
    "stale": False,
    "version": 1,
}
SHOWN: Final[dict[str, Any]] = {
    **CALL,
    "problems": [{**PROBLEM, "message": PRESS_BODY["message"], "context": PRESS_BODY["context"]}],
}
PRESSED: Final[dict[str, Any]] = {**CALL, "joined_existing": False, "position": 21}
OPEN: Final[dict[str, Any]] = {**CALL, "version": 3, "position": 26}
TAKEN: Final[dict[str, Any]] = {
    **CALL,
    "state": "taken",
    "pauses": False,
    "taken_by": "admin-1",
    "lease_until": "2026-11-30T10:03:30Z",
    "takes": [{"staff_id": "admin-1", "at": _TAKEN, "taken_over_from": None}],
    "queue_position": None,
    "estimated_wait_seconds": None,
    "version": 2,
    "position": 24,
}
CANCELLED: Final[dict[str, Any]] = {
    **CALL,
    "state": "cancelled",
    "pauses": False,
    "problems": [],
    "withdrawn_problems": [{**PROBLEM, "withdrawn_at": _TAKEN}],
    "closed_at": _TAKEN,
    "queue_position": None,
    "estimated_wait_seconds": None,
    "version": 3,
    "position": 26,
}
DECISION: Final[dict[str, Any]] = {
    "decision_id": DECISION_ID,
    "kind": "ruling",
    "decided_by": "admin-1",
    "at": "2026-11-30T10:02:00Z",
    "text": None,
    "ruling_authority": "TCG",
    "sources": [{"kind": "official_ruling", "ref": None}],
    "possible_in_paper": None,
    "from_history": None,
    "incident_id": None,
    "player_id": None,
    "appeal": None,
}
DECISION_BODY: Final[dict[str, Any]] = {
    "kind": "ruling",
    "text": "The effect resolves.",
    "sources": [{"kind": "official_ruling", "ref": "rulings/1234"}],
}
DECIDED: Final[dict[str, Any]] = {**TAKEN, "decisions": [DECISION], "decision_id": DECISION_ID, "incident": None, "version": 3, "position": 25}
_APPEAL: Final[dict[str, Any]] = {
    "player_id": "p-kaiba",
    "at": "2026-11-30T10:02:10Z",
    "outcome": None,
    "decided_by": None,
    "decided_at": None,
    "text": None,
    "incident_appeal_id": None,
}
APPEAL_BODY: Final[dict[str, Any]] = {"player_id": "p-kaiba", "decision_id": DECISION_ID}
APPEALED: Final[dict[str, Any]] = {**TAKEN, "state": "appealed", "decisions": [{**DECISION, "appeal": _APPEAL}], "version": 4, "position": 26}
VERDICT_BODY: Final[dict[str, Any]] = {"outcome": "upheld", "text": "The ruling stands."}
VERDICT: Final[dict[str, Any]] = {
    **TAKEN,
    "taken_by": "senior-1",
    "decisions": [{**DECISION, "appeal": {**_APPEAL, "outcome": "upheld", "decided_by": "senior-1", "decided_at": "2026-11-30T10:04:00Z"}}],
    "version": 5,
    "position": 29,
}
RESOLVE_BODY: Final[dict[str, Any]] = {"summary": "Answered the question.", "misuse": False}
RESOLVED: Final[dict[str, Any]] = {
    **DECIDED,
    "state": "resolved",
    "lease_until": None,
    "closed_at": "2026-11-30T10:03:00Z",
    "misuse": False,
    "incident": None,
    "version": 4,
    "position": 28,
}
del RESOLVED["decision_id"]
PAGE: Final[dict[str, Any]] = {"items": [CALL], "next_cursor": None}
QUEUES: Final[dict[str, Any]] = {
    "items": [
        {"category": "ruling-question", "open": 1, "oldest_opened_at": _AT, "median_wait_seconds": 90, "stale": 0, "lapsed": 0},
    ]
}
PRESENCE_BODY: Final[dict[str, Any]] = {"player_id": "p-kaiba", "event": "disconnected"}
IDLE_BODY: Final[dict[str, Any]] = {"player_id": "p-kaiba", "idle_since": "2026-11-30T09:55:00Z", "at": _AT}
MOMENT_BODY: Final[dict[str, Any]] = {"player_id": "p-kaiba", "at": "2026-11-30T10:01:40Z"}
