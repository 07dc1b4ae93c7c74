"""The player's statement of reasons: facts, rule, sanctions with dates, how to appeal. No staff identity, evidence or internal note (I-18)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from services.moderation.policy.tables import Policy
from services.moderation.record.entries import Held
from services.moderation.record.evasion import is_running
from services.moderation.record.events import AltBanned, IncidentDecided, IncidentImported, LinkedIpBanImposed
from services.moderation.record.state import BANS
from services.moderation.views.incidents import IncidentHistory, PlayerIncidents
from services.moderation.views.sanctions import sanction_view

REDRESS = "You may appeal this decision once. A Senior or Head Admin who did not take it decides; bans keep running meanwhile."


def statement(found: PlayerIncidents, history: IncidentHistory, policy: Policy | None, at: datetime) -> dict[str, Any] | None:
    """The statement, or None where the player is not told: a silent incident shows its ban while that stands, and nothing else (I-18)."""
    incident = found.state.incidents[history.origin.incident_id]
    shown = [sanction_view(held, at) for held in incident.sanctions]
    head = {"incident_id": incident.incident_id, "player_id": found.player_id, "decided_at": incident.at}
    tail = {"appeal": {"how": REDRESS, "path": "/v1/appeals"}}
    if not incident.notify:
        bans = [held for held in incident.sanctions if _bars(held, at)]
        if incident.overturned or not bans:
            return None
        return {**head, "facts": None, "rules": [], "sanctions": [sanction_view(held, at) for held in bans], "strike": None, **tail}
    return {
        **head,
        "facts": _facts(history),
        "rules": _rules(history, policy),
        "sanctions": shown,
        "strike": found.strike(incident.incident_id),
        "status": "overturned" if incident.overturned else "in_force",
        **tail,
    }


def _bars(held: Held, at: datetime) -> bool:
    return held.state == "active" and held.sanction.kind in BANS and is_running(held.sanction, at)


def _facts(history: IncidentHistory) -> dict[str, Any]:
    match history.origin:
        case IncidentDecided() as origin:
            descriptions = origin.details.descriptions if origin.details is not None else ()
            return {"occurred_at": origin.occurred_at, "duel_id": origin.duel_id, "descriptions": [text for text in descriptions if text]}
        case origin:
            return {"occurred_at": origin.at, "duel_id": None, "descriptions": []}


def _rules(history: IncidentHistory, policy: Policy | None) -> list[dict[str, Any]]:
    match history.origin:
        case IncidentDecided() as origin:
            lines = origin.offenses if history.reassessed is None else history.reassessed.offenses
            return [
                {**_rule(policy, line.infraction), "cell": line.cell, "column": line.column, "upgraded_from": line.upgraded_from} for line in lines
            ]
        case IncidentImported() as origin:
            return [_rule(policy, origin.infraction)]
        case AltBanned() | LinkedIpBanImposed():
            return [{"infraction": None, "name": "An account linked to another one that broke the rules", "basis": "S4"}]


def _rule(policy: Policy | None, infraction: str) -> dict[str, Any]:
    row = policy.rows.get(infraction) if policy is not None else None
    if row is None:
        return {"infraction": infraction, "name": infraction, "basis": "I-21"}
    return {"infraction": row.id, "name": row.name, "description": row.description, "basis": row.basis}
