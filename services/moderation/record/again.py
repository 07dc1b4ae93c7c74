"""Incidents after what is decided on them a second time: changed, overturned, read again, rolled back, reinstated. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from services.moderation.appeals.events import IncidentOverturned, IncidentReassessed, RestoredBan
from services.moderation.record.entries import Held, Incident, PastOffense
from services.moderation.record.events import EffectAcknowledged, IpBanLifted, SanctionsAdjusted
from services.moderation.record.outcomes import Extension, Sanction
from services.moderation.record.rolled_back import IncidentAsItWas, IpBanReimposed

Incidents = Mapping[str, Incident]


def extended(incident: Incident, extension: Extension) -> Incident:
    """The incident whose ban runs longer, since alts evaded it (I-13)."""

    def longer(held: Held) -> Held:
        if held.sanction.sanction_id != extension.sanction_id:
            return held
        return replace(held, sanction=held.sanction.until(extension.ends_at), extended_days=held.extended_days + extension.days)

    return replace(incident, sanctions=tuple(longer(held) for held in incident.sanctions))


def adjusted(incident: Incident, event: SanctionsAdjusted) -> Incident:
    """The incident with other sanctions (I-20, I-30); a sanction that goes on keeps what became of it."""
    kept = {held.sanction.sanction_id: held for held in incident.sanctions}
    sanctions = tuple(kept.get(sanction.sanction_id) or Held(sanction=sanction, extended_days=sanction.extended_days) for sanction in event.after)
    adjustments = {**incident.adjustments, event.adjustment_id: event.by}
    final = incident.final_adjustments | {event.adjustment_id} if event.appeal_id is not None else incident.final_adjustments
    return replace(
        incident, sanctions=sanctions, strike=event.strike_after, adjustments=adjustments, final_adjustments=final, changed=True
    )


def ip_ban_lifted(incident: Incident, event: IpBanLifted) -> Incident:
    """The incident without its IP ban (I-14)."""
    sanctions = tuple(
        replace(held, state="lifted") if held.sanction.sanction_id in event.sanction_ids else held for held in incident.sanctions
    )
    return replace(incident, sanctions=sanctions)


def acknowledged(incident: Incident, event: EffectAcknowledged) -> Incident:
    """The incident with what the game server has carried out, which can't be undone (I-16)."""
    sanctions = tuple(
        replace(held, state="irreversible") if held.sanction.kind == event.effect and held.state == "active" else held
        for held in incident.sanctions
    )
    return replace(incident, sanctions=sanctions)


def overturned(incidents: Incidents, event: IncidentOverturned) -> tuple[Incident, ...]:
    """The incident fallen, and the bans that it had extended."""
    incident = incidents[event.incident_id]
    fallen = tuple(replace(held, state="lifted") if held.state == "active" else held for held in incident.sanctions)
    changed = {incident.incident_id: replace(incident, sanctions=fallen, strike=None, overturned=True)}
    for ban in event.restored:
        extended = changed.get(ban.incident_id) or incidents[ban.incident_id]
        changed[ban.incident_id] = replace(extended, sanctions=tuple(_shorter(held, ban) for held in extended.sanctions))
    return tuple(changed.values())


def _shorter(held: Held, ban: RestoredBan) -> Held:
    if held.sanction.sanction_id != ban.sanction_id:
        return held
    return replace(held, sanction=held.sanction.until(ban.ends_at), extended_days=held.extended_days - ban.days)


def reassessed(incidents: Incidents, event: IncidentReassessed) -> Incident:
    """The incident as it was read again."""
    incident = incidents[event.incident_id]
    known = {held.sanction.sanction_id: held for held in incident.sanctions}
    sanctions = tuple(_again(known.get(sanction.sanction_id), sanction) for sanction in event.sanctions_after)
    when = incident.offenses[0] if incident.offenses else None
    offenses = tuple(
        PastOffense(
            infraction=line.infraction,
            occurred_at=when.occurred_at if when else event.at,
            duel_id=when.duel_id if when else None,
            upgraded=line.upgraded_from is not None,
        )
        for line in event.offenses
    )
    return replace(incident, sanctions=sanctions, strike=event.strike_after, offenses=offenses, legal_review=event.legal_review)


def _again(held: Held | None, sanction: Sanction) -> Held:
    """A sanction that goes on keeps what became of it; a ban read shorter keeps its id and the days that evasion added."""
    return Held(sanction=sanction) if held is None else replace(held, sanction=sanction)


def put_back(incident: Incident, restored: IncidentAsItWas) -> Incident:
    """The incident as a rollback or its reversal left it; who adjusted it stays on record."""
    return replace(
        incident,
        strike=restored.strike,
        sanctions=restored.sanctions,
        offenses=restored.offenses,
        legal_review=restored.legal_review,
        overturned=restored.overturned,
        changed=restored.changed,
    )


def as_it_is(incident: Incident) -> IncidentAsItWas:
    """What `put_back` puts back."""
    return IncidentAsItWas(
        strike=incident.strike,
        sanctions=incident.sanctions,
        offenses=incident.offenses,
        legal_review=incident.legal_review,
        overturned=incident.overturned,
        changed=incident.changed,
    )


def reimposed(incidents: Incidents, event: IpBanReimposed) -> Incident:
    """The incident with its IP ban in force again."""
    incident = incidents[event.incident_id]
    sanctions = tuple(
        replace(held, state="active") if held.sanction.sanction_id in event.sanction_ids else held for held in incident.sanctions
    )
    return replace(incident, sanctions=sanctions)
