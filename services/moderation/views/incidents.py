"""A player's incidents as the API shows them: as they were decided, and what became of them since."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from services.moderation.record.entries import Incident
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
from services.moderation.record.numbers import strike_numbers
from services.moderation.record.state import INITIAL, RecordState
from services.moderation.views.decisions import Origin, adjustment_view, decision, details, reading
from services.moderation.views.sanctions import sanction_view
from services.moderation.views.timeline import Recorded, fold_all, settled
from shared.refusal import Refusal


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
    _numbers: dict[str, int] | None = field(default=None, repr=False)

    def strike(self, incident_id: str) -> dict[str, int] | None:
        """The incident's strike with its number among those that count now; None when it is none. Asked once the record is folded."""
        if self._numbers is None:
            self._numbers = strike_numbers(self.state.incidents)
        number = self._numbers.get(incident_id)
        return None if number is None else {"number": number}


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


def found_on(found: PlayerIncidents, incident_id: str) -> IncidentHistory:
    """The incident on this record. Raises a `Refusal` `not_found` where it is not."""
    history = found.incidents.get(incident_id)
    if history is None:
        raise Refusal("not_found", "There is no such incident of this player.")
    return history


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
        **decision(origin),
        **reading(history.reassessed),
        "strike": found.strike(origin.incident_id),
        "sanctions": [sanction_view(held, at) for held in incident.sanctions],
        "legal_review": incident.legal_review,
        "status": incident_status(incident),
        "adjustments": [
            {**adjustment_view(event, at, personal=personal), "reverted": event.adjustment_id in history.reverted} for event in history.adjustments
        ],
        "appeal_id": _appeal_of(found.state, origin.incident_id),
        "replaced_by": history.replaced_by,
        "rollback_id": history.rollback_id,
    }
    if personal and isinstance(origin, IncidentDecided):
        view |= details(origin)
    return view


def _appeal_of(state: RecordState, incident_id: str) -> str | None:
    """The latest appeal about the incident or one of its adjustments."""
    return next((appeal.appeal_id for appeal in reversed(list(state.appeals.values())) if appeal.incident_id == incident_id), None)
