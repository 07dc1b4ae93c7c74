"""Overturning an adjustment: the sanctions from before it are put back, as far as they would stand today (I-30)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from services.moderation.record.entries import Incident
from services.moderation.record.events import IpBanLifted, RecordEvent, Sanction, SanctionsAdjusted
from services.moderation.record.impose import DAY
from services.moderation.record.state import RecordState
from services.moderation.views.timeline import Recorded, settled


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """By whose decision, and in which appeal or rollback."""

    at: datetime
    by: str
    role: str
    appeal_id: str | None = None
    rollback_id: str | None = None


def restored_before(
    adjustment_id: str, incident: Incident, state: RecordState, record: Sequence[Recorded], cause: Cause, ids: Iterator[str]
) -> tuple[RecordEvent, ...]:
    """The sanctions from before the adjustment, if it is the latest; one that was replaced since has no effect any more."""
    made = [item.event for item in settled(record) if isinstance(item.event, SanctionsAdjusted) and item.event.incident_id == incident.incident_id]
    if not made or made[-1].adjustment_id != adjustment_id:
        return ()
    kept = tuple(held.sanction for held in incident.sanctions if held.state == "irreversible")
    gone = {sanction.sanction_id for sanction in kept} | _lifted(incident, record)
    return (
        SanctionsAdjusted(
            adjustment_id=next(ids),
            incident_id=incident.incident_id,
            at=cause.at,
            by=cause.by,
            role=cause.role,
            before=tuple(held.sanction for held in incident.sanctions),
            after=(*kept, *(_as_evaded(sanction, state) for sanction in made[-1].before if sanction.sanction_id not in gone)),
            strike_before=incident.strike,
            strike_after=made[-1].strike_before,
            appeal_id=cause.appeal_id,
        ),
    )


def _lifted(incident: Incident, record: Sequence[Recorded]) -> set[str]:
    """The IP bans of this incident that a Head Admin lifted: they don't come back with what is put back around them (I-14)."""
    lifts = [item.event for item in settled(record) if isinstance(item.event, IpBanLifted) and item.event.incident_id == incident.incident_id]
    return {sanction_id for lift in lifts for sanction_id in lift.sanction_ids}


def _as_evaded(sanction: Sanction, state: RecordState) -> Sanction:
    """The ban with the days of those evasions of it that stand now (I-34)."""
    if sanction.days is None:
        return sanction
    extensions = [incident.extension for incident in state.incidents.values() if incident.in_force and incident.extension is not None]
    days = sanction.days + sum(extension.days for extension in extensions if extension.sanction_id == sanction.sanction_id)
    return replace(sanction, ends_at=sanction.starts_at + days * DAY)
