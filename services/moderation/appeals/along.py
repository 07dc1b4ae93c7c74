"""An overturned incident falls on the accounts that it sanctioned along, too (I-34)."""

from __future__ import annotations

from services.moderation.appeals.events import IncidentOverturned
from services.moderation.record.state import RecordState


def fallen_along(state: RecordState, fallen: IncidentOverturned) -> IncidentOverturned | None:
    """What the overturn of the main account's incident does on this account's record; None where that incident does not stand."""
    incident = state.incidents.get(fallen.incident_id)
    if incident is None or not incident.in_force:
        return None
    return IncidentOverturned(
        incident_id=fallen.incident_id,
        at=state.moment(fallen.at),
        by=fallen.by,
        role=fallen.role,
        strike_before=incident.strike,
        sanctions_before=tuple(held.sanction for held in incident.sanctions),
        appeal_id=fallen.appeal_id,
        rollback_id=fallen.rollback_id,
    )
