"""The replies of commands on a record. They are kept under idempotency keys for ever, so they hold no personal data."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from services.moderation.record.changes import Change
from services.moderation.record.events import IncidentDecided
from services.moderation.views.incidents import IncidentHistory, PlayerIncidents, incident_view
from services.moderation.views.sanctions import sanction_view
from services.moderation.views.standing import as_reply, standing_now


def incident_reply(change: Change, decided: IncidentDecided, now: datetime) -> dict[str, Any]:
    """The incident as it was just decided, with the standing after it; the endpoint adds what the act is called."""
    found = PlayerIncidents(player_id=change.player_id, state=change.after)
    history = IncidentHistory(origin=decided, version=change.after.version, position=0)
    view = incident_view(found, history, now, personal=False) | {"external_id": None}
    return {**view, "standing": standing_reply(change, now), "version": change.after.version}


def lift_reply(change: Change, incident_id: str | None, now: datetime, *, adjustment_id: str | None = None) -> dict[str, Any]:
    """What a change of an incident (or of the account, without one) came to."""
    reply: dict[str, Any] = {"player_id": change.player_id}
    if incident_id is not None:
        incident = change.after.incidents[incident_id]
        reply |= {
            "incident_id": incident_id,
            "strike": PlayerIncidents(player_id=change.player_id, state=change.after).strike(incident_id),
            "sanctions": [sanction_view(held, now) for held in incident.sanctions],
        }
    if adjustment_id is not None:
        reply["adjustment_id"] = adjustment_id
    return {**reply, "standing": standing_reply(change, now), "version": change.after.version}


def standing_reply(change: Change, now: datetime) -> dict[str, Any]:
    """The standing after the change."""
    return as_reply(standing_now(change.player_id, change.facts, change.after.version, now))
