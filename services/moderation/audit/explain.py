"""Why a sanction: the events, the row and cell of the table, the column, the choice, the upgrades, and what changed it since."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from services.moderation.policy.tables import Policy, Row
from services.moderation.record.entries import Held
from services.moderation.record.events import (
    AdjustmentReverted,
    AltBanned,
    AssessedOffense,
    EffectAcknowledged,
    IncidentDecided,
    IncidentImported,
    IncidentOverturned,
    IncidentReassessed,
    IncidentReinstated,
    IpBanLifted,
    IpBanReimposed,
    LinkedIpBanImposed,
    RecordEvent,
    SanctionsAdjusted,
)
from services.moderation.views.incidents import IncidentHistory, PlayerIncidents
from services.moderation.views.sanctions import assessment_line, sanction_view
from services.moderation.views.timeline import Recorded

_ABOUT = (
    AdjustmentReverted,
    AltBanned,
    EffectAcknowledged,
    IncidentDecided,
    IncidentImported,
    IncidentOverturned,
    IncidentReassessed,
    IncidentReinstated,
    IpBanLifted,
    IpBanReimposed,
    LinkedIpBanImposed,
    SanctionsAdjusted,
)
_FIVE = "Five or more linked accounts were banned at once (I-13)."
_STACKED = {"permanent_ban": ("permanent_ban", "ip_ban"), "ban": ("ban",)}


def explanation(found: PlayerIncidents, history: IncidentHistory, events: Sequence[Recorded], policy: Policy | None) -> dict[str, Any]:
    """The whole answer for one incident; nothing in it is derived again from today's rules."""
    origin = history.origin
    incident = found.state.incidents[origin.incident_id]
    lines = _lines(history)
    return {
        "incident_id": origin.incident_id,
        "player_id": found.player_id,
        "policy_version": getattr(origin, "policy_version", None),
        "column": _column(history),
        "strike": _strike(history, found.strike(origin.incident_id)),
        "events": [_event(item) for item in events if _is_about(item.event, origin.incident_id)],
        "offenses": [_offense(line, policy) for line in lines],
        "sanctions": [_sanction(held, found, history, lines) for held in incident.sanctions],
    }


def _lines(history: IncidentHistory) -> tuple[AssessedOffense, ...]:
    if history.reassessed is not None:
        return history.reassessed.offenses
    return history.origin.offenses if isinstance(history.origin, IncidentDecided) else ()


def _column(history: IncidentHistory) -> dict[str, Any]:
    if not isinstance(history.origin, IncidentDecided):
        return {"value": None, "why": "This incident was not read from the table."}
    if history.reassessed is not None:
        before = history.reassessed.column_before
        return {"value": history.reassessed.column_after, "why": f"Read again after an earlier strike fell; before, it was column {before} (I-34)."}
    column = history.origin.column
    return {"value": column, "why": f"{column - 1} active strikes over all categories at the decision, and one more (I-2)."}


def _strike(history: IncidentHistory, strike: dict[str, int] | None) -> dict[str, Any]:
    if strike is not None:
        return {**strike, "why": "At least one of the offenses carries a strike; an incident adds at most one (I-1, I-4)."}
    if isinstance(history.origin, IncidentDecided) and history.origin.evasion:
        return {"number": None, "why": "Evading a ban adds days and no strike (I-13)."}
    return {"number": None, "why": "None of the offenses carries a strike, or the strike was taken away (I-1, I-20)."}


def _is_about(event: RecordEvent, incident_id: str) -> bool:
    return isinstance(event, _ABOUT) and event.incident_id == incident_id


def _event(item: Recorded) -> dict[str, Any]:
    return {"version": item.version, "position": item.position, "type": type(item.event).__name__, "at": item.event.at}


def _offense(line: AssessedOffense, policy: Policy | None) -> dict[str, Any]:
    row = policy.rows.get(line.infraction) if policy is not None else None
    chosen = line.discretion
    return {
        **assessment_line(line),
        "rule": _rule(row),
        "discretion": {
            "days": chosen.days,
            "permanent": chosen.permanent,
            "outcome": chosen.outcome,
            "ip_ban": chosen.ip_ban,
            "upgrade": chosen.upgrade,
            "warning_ignored": chosen.warning_ignored,
        },
        "strike": line.strike,
    }


def _rule(row: Row | None) -> dict[str, Any] | None:
    if row is None:
        return None
    return {"name": row.name, "description": row.description, "columns": row.columns, "basis": row.basis, "interpretations": row.interpretations}


def _sanction(held: Held, found: PlayerIncidents, history: IncidentHistory, lines: Sequence[AssessedOffense]) -> dict[str, Any]:
    view = sanction_view(held, held.sanction.starts_at)
    kinds = _STACKED.get(held.sanction.kind, (held.sanction.kind,))
    from_lines = [line.infraction for line in lines if any(outcome.kind in kinds for outcome in line.sanctions)]
    return {**view, "state": held.state, "why": _why(held, found, history, from_lines), "from": from_lines}


def _why(held: Held, found: PlayerIncidents, history: IncidentHistory, from_lines: Sequence[str]) -> list[str]:
    said = []
    adjusted = next((a for a in reversed(history.adjustments) if _is_new(held.sanction.sanction_id, a)), None)
    if adjusted is not None:
        said.append("Set in an appeal (I-30)." if adjusted.appeal_id is not None else "Set by a Head Admin (I-20).")
    elif from_lines:
        said.append(f"Imposed by the cell of {', '.join(from_lines)}.")
    elif isinstance(history.origin, IncidentImported):
        said.append("Taken over from before this service existed (I-22).")
    elif isinstance(history.origin, AltBanned | LinkedIpBanImposed):
        said.append(f"An alt of {history.origin.main_player_id} (I-13).")
        if held.sanction.kind == "ip_ban":
            said.append(_FIVE)
    elif found.state.incidents[history.origin.incident_id].linked_ip_ban:
        said.append(_FIVE)
    if len(from_lines) > 1 and held.sanction.kind == "ban":
        said.append("The days of several offenses add up (I-4).")
    if held.extended_days:
        said += [f"Extended by {days} days by evasion in incident {incident_id} (I-13)." for incident_id, days in _extensions(held, found).items()]
    return said


def _is_new(sanction_id: str, adjusted: SanctionsAdjusted) -> bool:
    before = {sanction.sanction_id for sanction in adjusted.before}
    return sanction_id in {sanction.sanction_id for sanction in adjusted.after} - before


def _extensions(held: Held, found: PlayerIncidents) -> Mapping[str, int]:
    return {
        incident.incident_id: incident.extension.days
        for incident in found.state.incidents.values()
        if incident.in_force and incident.extension is not None and incident.extension.sanction_id == held.sanction.sanction_id
    }
