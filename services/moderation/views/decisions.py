"""What was decided, as the API shows it: the decision an incident began with, its latest reading, its adjustments, and its personal part."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from services.moderation.record.entries import Held
from services.moderation.record.events import (
    AltBanned,
    IncidentDecided,
    IncidentImported,
    IncidentReassessed,
    LinkedIpBanImposed,
    SanctionsAdjusted,
)
from services.moderation.record.naming import plain_name
from services.moderation.views.sanctions import assessment_line, plain_sanction, sanction_view

Origin = IncidentDecided | IncidentImported | AltBanned | LinkedIpBanImposed


def decision(origin: Origin) -> dict[str, Any]:
    """How the incident came about."""
    match origin:
        case IncidentDecided():
            return {
                "decided_by": origin.decided_by,
                "policy_version": origin.policy_version,
                "imported": False,
                "column": origin.column,
                "assessment": [assessment_line(line) for line in origin.offenses],
                "occurred_at": origin.occurred_at,
                "duel_id": origin.duel_id,
                "call_id": origin.call_id,
                "external_id": _act_name(origin),
                "notify": origin.notify,
                "alts": origin.alts,
                "evasion": origin.evasion,
                "extends": _extension(origin),
                "linked_to": None,
            }
        case IncidentImported():
            return {
                **_blank(),
                "decided_by": origin.decided_by,
                "imported": True,
                "infraction": origin.infraction,
                "occurred_at": origin.at,
                "external_id": _act_name(origin),
            }
        case _:
            return {
                **_blank(),
                "decided_by": origin.by,
                "policy_version": origin.policy_version,
                "occurred_at": origin.at,
                "notify": origin.notify,
                "linked_to": origin.main_player_id,
            }


def reading(reassessed: IncidentReassessed | None) -> dict[str, Any]:
    """The column and assessment in force, where the incident was read again (I-34)."""
    if reassessed is None:
        return {}
    return {"column": reassessed.column_after, "assessment": [assessment_line(line) for line in reassessed.offenses]}


def _blank() -> dict[str, Any]:
    return {
        "decided_by": None,
        "policy_version": None,
        "imported": False,
        "column": None,
        "assessment": [],
        "occurred_at": None,
        "duel_id": None,
        "call_id": None,
        "external_id": None,
        "notify": True,
        "alts": [],
        "evasion": False,
        "extends": None,
        "linked_to": None,
    }


def _act_name(origin: IncidentDecided | IncidentImported) -> str | None:
    """What the act is called, as far as it can be read still."""
    return origin.act.external_id if origin.act is not None else plain_name(origin.external_id)


def _extension(origin: IncidentDecided) -> dict[str, Any] | None:
    extension = origin.extension
    if extension is None:
        return None
    return {
        "incident_id": extension.incident_id,
        "days": extension.days,
        "ends_at_before": extension.ends_at_before,
        "ends_at": extension.ends_at,
    }


def details(origin: IncidentDecided) -> dict[str, Any]:
    """The descriptions, evidence and note, as far as they can be read still."""
    said = origin.details
    return {
        "descriptions": list(said.descriptions) if said else [],
        "evidence": [{"kind": item.kind, "ref": item.ref, "text": item.text, "sha256": item.sha256} for item in (said.evidence if said else ())],
        "internal_note": said.internal_note if said else None,
    }


def adjustment_view(event: SanctionsAdjusted, at: datetime, *, personal: bool) -> dict[str, Any]:
    """An adjustment; with `personal` its reason."""
    view = {
        "adjustment_id": event.adjustment_id,
        "at": event.at,
        "by": event.by,
        "role": event.role,
        "sanctions_before": [plain_sanction(sanction, "replaced") for sanction in event.before],
        "sanctions_after": [sanction_view(Held(sanction=sanction), at) for sanction in event.after],
        "strike_before": event.strike_before,
        "strike_after": event.strike_after,
    }
    if personal:
        view["reason"] = event.words.reason if event.words is not None else None
    return view
