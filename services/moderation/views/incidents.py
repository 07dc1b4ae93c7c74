"""A player's incidents as the API shows them: as they were decided, and what became of them since."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from services.moderation.record.entries import Held, Incident
from services.moderation.record.events import (
    AltBanned,
    IncidentDecided,
    IncidentImported,
    IncidentOverturned,
    IncidentReassessed,
    LinkedIpBanImposed,
    RecordEvent,
    SanctionsAdjusted,
)
from services.moderation.record.state import INITIAL, RecordState
from services.moderation.views.sanctions import assessment_line, plain_sanction, sanction_view
from services.moderation.views.timeline import Recorded, fold_all, settled

Origin = IncidentDecided | IncidentImported | AltBanned | LinkedIpBanImposed


@dataclass(slots=True)
class IncidentHistory:
    """One incident: how it came about, the adjustments since, and its latest reassessment.

    `reverted` are the adjustments that a rollback took back; `rollback_id` is the rollback that overturned the incident.
    """

    origin: Origin
    version: int
    position: int
    adjustments: list[SanctionsAdjusted] = field(default_factory=list)
    reassessed: IncidentReassessed | None = None
    replaced_by: str | None = None
    reverted: set[str] = field(default_factory=set)
    rollback_id: str | None = None


@dataclass(slots=True)
class PlayerIncidents:
    """All incidents of a player in the order recorded, beside the folded record."""

    player_id: str
    state: RecordState = INITIAL
    incidents: dict[str, IncidentHistory] = field(default_factory=dict)


def collect(player_id: str, events: Iterable[Recorded]) -> PlayerIncidents:
    """Fold the record and keep what the views show besides."""
    record = list(events)
    found = PlayerIncidents(player_id=player_id, state=fold_all(record))
    for recorded in record:
        event = recorded.event
        if isinstance(event, IncidentDecided | IncidentImported | AltBanned | LinkedIpBanImposed):
            found.incidents.setdefault(
                event.incident_id, IncidentHistory(origin=event, version=recorded.version, position=recorded.position)
            )
        elif isinstance(event, SanctionsAdjusted):
            history = found.incidents[event.incident_id]
            history.adjustments.append(event)
            history.reverted.add(event.adjustment_id)
    for recorded in settled(record):
        _what_stands(found.incidents, recorded.event)
    return found


def _what_stands(incidents: dict[str, IncidentHistory], event: RecordEvent) -> None:
    """Note a change that no rollback took back."""
    match event:
        case SanctionsAdjusted():
            incidents[event.incident_id].replaced_by = event.adjustment_id
            incidents[event.incident_id].reverted.discard(event.adjustment_id)
        case IncidentReassessed():
            incidents[event.incident_id].reassessed = event
            incidents[event.incident_id].replaced_by = event.reassessment_id
        case IncidentOverturned():
            incidents[event.incident_id].rollback_id = event.rollback_id
        case _:
            pass


def newest_first(found: PlayerIncidents, *, status: str | None = None) -> list[IncidentHistory]:
    """The incidents by the moment of their decision, the latest first; of one moment the later recorded first."""
    wanted = [
        history
        for incident_id, history in found.incidents.items()
        if status is None or incident_status(found.state.incidents[incident_id]) == status
    ]
    return sorted(wanted, key=lambda history: (history.origin.at, history.version), reverse=True)


def incident_status(incident: Incident) -> str:
    """`in_force` or `overturned`."""
    return "overturned" if incident.overturned else "in_force"


def incident_view(found: PlayerIncidents, history: IncidentHistory, at: datetime, *, personal: bool) -> dict[str, Any]:
    """The incident at `at`. With `personal` its descriptions, evidence, note and reasons, as far as they can be read still."""
    origin = history.origin
    incident = found.state.incidents[origin.incident_id]
    view = {
        "incident_id": origin.incident_id,
        "player_id": found.player_id,
        "decided_at": origin.at,
        **_decision(origin),
        **_reading(history.reassessed),
        "strike": None if incident.strike is None else {"number": incident.strike},
        "sanctions": [sanction_view(held, at) for held in incident.sanctions],
        "legal_review": incident.legal_review,
        "status": incident_status(incident),
        "adjustments": [
            {**_adjustment_view(event, at, personal=personal), "reverted": event.adjustment_id in history.reverted} for event in history.adjustments
        ],
        "appeal_id": _appeal_of(found.state, origin.incident_id),
        "replaced_by": history.replaced_by,
        "rollback_id": history.rollback_id,
    }
    if personal and isinstance(origin, IncidentDecided):
        view |= _details(origin)
    return view


def _decision(origin: Origin) -> dict[str, Any]:
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
                "external_id": origin.external_id,
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
                "external_id": origin.external_id,
            }
        case _:
            return {
                **_blank(),
                "decided_by": origin.by,
                "policy_version": origin.policy_version,
                "occurred_at": origin.at,
                "linked_to": origin.main_player_id,
            }


def _reading(reassessed: IncidentReassessed | None) -> dict[str, Any]:
    """The column and assessment in force, where the incident was read again (I-34)."""
    if reassessed is None:
        return {}
    return {"column": reassessed.column_after, "assessment": [assessment_line(line) for line in reassessed.offenses]}


def _appeal_of(state: RecordState, incident_id: str) -> str | None:
    """The latest appeal about the incident or one of its adjustments."""
    return next((appeal.appeal_id for appeal in reversed(list(state.appeals.values())) if appeal.incident_id == incident_id), None)


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


def _details(origin: IncidentDecided) -> dict[str, Any]:
    details = origin.details
    return {
        "descriptions": list(details.descriptions) if details else [],
        "evidence": [
            {"kind": item.kind, "ref": item.ref, "text": item.text, "sha256": item.sha256} for item in (details.evidence if details else ())
        ],
        "internal_note": details.internal_note if details else None,
    }


def _adjustment_view(event: SanctionsAdjusted, at: datetime, *, personal: bool) -> dict[str, Any]:
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
