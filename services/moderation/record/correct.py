"""Changing what was imposed: a Head Admin's adjustments and lifts (I-14, I-20), and effects carried out (I-16)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from services.moderation.record.authority import check_own_account
from services.moderation.record.commands import AcknowledgeEffect, AdjustSanctions, LiftIpBan
from services.moderation.record.entries import Held, Incident
from services.moderation.record.events import EffectAcknowledged, IpBanLifted, Outcome, RecordEvent, Sanction, SanctionsAdjusted, Words
from services.moderation.record.impose import check_named, imposed_sanctions, stacked
from services.moderation.record.numbers import number_to_be
from services.moderation.record.state import BANS, RecordState
from shared.refusal import Refusal


def adjust(command: AdjustSanctions, state: RecordState) -> Sequence[RecordEvent]:
    """Replace an incident's sanctions and say whether it stays a strike (I-20).

    What is wanted as it stands is left as it is, an extended ban with its extension: sending the same again for the sake of the reason moves no
    end and orders nothing twice (D10). A ban of another length keeps its start, and the new length is the whole of it. What was carried out
    stays. Later incidents are not assessed again.
    """
    check_own_account(command.by, command.player_id)
    incident = _standing_incident(state, command.incident_id)
    check_named(command.sanctions, max_days=command.policy.settings.max_ban_days, field="sanctions")
    if command.strike and incident.main_player_id is not None:
        raise Refusal("invalid_request", "An account that an incident sanctions as an alt has no strike of it (I-13).", field="strike")
    at = state.moment(command.at)
    outcomes = stacked(command.sanctions)
    kept = _kept(incident, outcomes)
    wanted = [outcome for outcome in outcomes if outcome.kind not in {sanction.kind for sanction in kept}]
    new = imposed_sanctions(wanted, ids=iter(command.ids), starts_at=at, networks=command.facts.networks, ban_starts_at=_ban_start(incident))
    adjusted = SanctionsAdjusted(
        adjustment_id=command.adjustment_id,
        incident_id=command.incident_id,
        at=at,
        by=command.by.staff_id,
        role=command.by.role,
        before=tuple(held.sanction for held in incident.sanctions),
        after=kept + new,
        strike_before=incident.strike,
        strike_after=(incident.strike or number_to_be(state.incidents, incident.incident_id)) if command.strike else None,
        words=Words(reason=command.reason),
    )
    return [adjusted]


def lift_ip_ban(command: LiftIpBan, state: RecordState) -> Sequence[RecordEvent]:
    """Lift the IP ban of an incident on this account; the account's own ban is another sanction and stays (I-14)."""
    check_own_account(command.by, command.player_id)
    incident = _standing_incident(state, command.incident_id)
    sanction_ids = tuple(held.sanction.sanction_id for held in _active(incident) if held.sanction.kind == "ip_ban")
    if not sanction_ids:
        return []
    return [
        IpBanLifted(
            incident_id=command.incident_id,
            sanction_ids=sanction_ids,
            at=state.moment(command.at),
            by=command.by.staff_id,
            role=command.by.role,
            words=Words(reason=command.reason) if command.reason is not None else None,
        )
    ]


def acknowledge(command: AcknowledgeEffect, state: RecordState) -> Sequence[RecordEvent]:
    """The game server carried an effect out: it can't be undone from now on. Said twice, or once it was taken back, nothing changes."""
    incident = state.incidents.get(command.incident_id)
    ordered = [held for held in incident.sanctions if held.sanction.kind == command.effect] if incident is not None else []
    if not ordered:
        raise Refusal("not_found", f"The incident orders no {command.effect}.")
    if not any(held.state == "active" for held in ordered):
        return []
    return [EffectAcknowledged(incident_id=command.incident_id, effect=command.effect, at=state.moment(command.at), by=command.by)]


def _standing_incident(state: RecordState, incident_id: str) -> Incident:
    incident = state.incidents.get(incident_id)
    if incident is None:
        raise Refusal("not_found", "There is no such incident.")
    if incident.overturned:
        raise Refusal("incident_overturned", "The incident was overturned; nothing more is done to it.")
    return incident


def _active(incident: Incident) -> list[Held]:
    return [held for held in incident.sanctions if held.state == "active"]


def _kept(incident: Incident, wanted: tuple[Outcome, ...]) -> tuple[Sanction, ...]:
    """What stays as it is: what was carried out, and what is in force and wanted still, an IP ban with its networks and the exemptions from it."""
    same = {(outcome.kind, outcome.days) for outcome in wanted}
    return tuple(
        held.sanction
        for held in incident.sanctions
        if held.state == "irreversible" or (held.state == "active" and (held.sanction.kind, held.sanction.days) in same)
    )


def _ban_start(incident: Incident) -> datetime | None:
    """When the ban that is being changed began; None without one, and a new ban begins with the adjustment."""
    starts = [held.sanction.starts_at for held in _active(incident) if held.sanction.kind in BANS]
    return min(starts) if starts else None


