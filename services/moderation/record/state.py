"""What the rules need to know of a player, folded from their record: no clock, no rule, every event named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType
from typing import assert_never

from services.moderation.appeals.state import Appeal, decided, opened, withdrawn
from services.moderation.record.again import overturned, put_back, reassessed, reimposed
from services.moderation.record.entries import Held, Incident, PastOffense
from services.moderation.record.events import (
    AdjustmentReverted,
    AltBanned,
    AppealDecided,
    AppealOpened,
    AppealWithdrawn,
    EffectAcknowledged,
    Extension,
    IncidentDecided,
    IncidentImported,
    IncidentOverturned,
    IncidentReassessed,
    IncidentReinstated,
    IpBanLifted,
    IpBanReimposed,
    LinkedIpBanImposed,
    PlayerErased,
    ProxyBanLifted,
    ProxyBanned,
    ProxyBanReimposed,
    ProxyLiftReinstated,
    RecordEvent,
    SanctionsAdjusted,
)

BANS = frozenset({"ban", "permanent_ban"})
CARRIED_OUT = frozenset({"game_loss", "match_loss", "stats_reset", "cosmetic_removal"})


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordState:
    """The record of one player; `version` counts its events, `last_at` is the latest moment of a decision in it."""

    version: int = 0
    last_at: datetime | None = None
    incidents: Mapping[str, Incident] = field(default_factory=lambda: MappingProxyType({}))
    external_ids: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    proxy_banned_at: datetime | None = None
    appeals: Mapping[str, Appeal] = field(default_factory=lambda: MappingProxyType({}))
    erasures: tuple[str, ...] = ()

    @property
    def strikes(self) -> int:
        """How many strikes count (I-2)."""
        return sum(1 for incident in self.incidents.values() if incident.strike is not None and not incident.overturned)

    def moment(self, now: datetime) -> datetime:
        """`now`, but never before the last decision: clocks of several machines differ, the order of the record does not (E02)."""
        return now if self.last_at is None or now > self.last_at else self.last_at


INITIAL = RecordState()


def evolve(state: RecordState, event: RecordEvent) -> RecordState:
    """The state after the event."""
    match event:
        case IncidentDecided():
            return _decided(state, event)
        case IncidentImported():
            return _imported(state, event)
        case SanctionsAdjusted():
            return _adjusted(state, event)
        case IpBanLifted():
            return _ip_ban_lifted(state, event)
        case AltBanned() | LinkedIpBanImposed():
            return _linked(state, event)
        case ProxyBanned():
            return replace(_step(state, event.at), proxy_banned_at=event.at)
        case ProxyBanLifted():
            return replace(_step(state, event.at), proxy_banned_at=None)
        case EffectAcknowledged():
            return _acknowledged(state, event)
        case AppealOpened():
            return replace(_step(state, event.at), appeals={**state.appeals, event.appeal_id: opened(event)})
        case AppealWithdrawn():
            return replace(_step(state, event.at), appeals={**state.appeals, event.appeal_id: withdrawn(state.appeals[event.appeal_id])})
        case AppealDecided():
            return replace(_step(state, event.at), appeals={**state.appeals, event.appeal_id: decided(state.appeals[event.appeal_id], event)})
        case IncidentOverturned():
            return _with(state, event.at, *overturned(state.incidents, event))
        case IncidentReassessed():
            return _with(state, event.at, reassessed(state.incidents, event))
        case AdjustmentReverted() | IncidentReinstated():
            return _with(state, event.at, put_back(state.incidents[event.incident_id], event.restored))
        case IpBanReimposed():
            return _with(state, event.at, reimposed(state.incidents, event))
        case ProxyBanReimposed():
            return replace(_step(state, event.at), proxy_banned_at=event.since)
        case ProxyLiftReinstated():
            return replace(_step(state, event.at), proxy_banned_at=None)
        case PlayerErased():
            return replace(_step(state, event.at), erasures=(*state.erasures, event.erasure_id))
        case _:
            assert_never(event)


def _step(state: RecordState, at: datetime) -> RecordState:
    return replace(state, version=state.version + 1, last_at=state.moment(at))


def _with(state: RecordState, at: datetime, *incidents: Incident) -> RecordState:
    changed = {incident.incident_id: incident for incident in incidents}
    known = {incident.external_id: incident.incident_id for incident in incidents if incident.external_id is not None}
    stepped = _step(state, at)
    external_ids = {**state.external_ids, **known} if known else state.external_ids
    return replace(stepped, incidents={**state.incidents, **changed}, external_ids=external_ids)


def _decided(state: RecordState, event: IncidentDecided) -> RecordState:
    incident = Incident(
        incident_id=event.incident_id,
        at=event.at,
        decided_by=event.decided_by,
        strike=event.strike,
        sanctions=tuple(Held(sanction=sanction) for sanction in event.sanctions),
        offenses=tuple(
            PastOffense(
                infraction=line.infraction, occurred_at=event.occurred_at, duel_id=event.duel_id, upgraded=line.upgraded_from is not None
            )
            for line in event.offenses
        ),
        legal_review=event.legal_review,
        notify=event.notify,
        external_id=event.external_id,
        alts=event.alts,
        linked_ip_ban=event.linked_ip_ban,
        extension=event.extension,
    )
    if event.extension is None:
        return _with(state, event.at, incident)
    return _with(state, event.at, _extended(state.incidents[event.extension.incident_id], event.extension), incident)


def _extended(incident: Incident, extension: Extension) -> Incident:
    def longer(held: Held) -> Held:
        if held.sanction.sanction_id != extension.sanction_id:
            return held
        return replace(held, sanction=replace(held.sanction, ends_at=extension.ends_at), extended_days=held.extended_days + extension.days)

    return replace(incident, sanctions=tuple(longer(held) for held in incident.sanctions))


def _imported(state: RecordState, event: IncidentImported) -> RecordState:
    incident = Incident(
        incident_id=event.incident_id,
        at=event.at,
        decided_by=event.decided_by,
        strike=event.strike,
        sanctions=tuple(
            Held(sanction=sanction, state="irreversible" if sanction.kind in CARRIED_OUT else "active") for sanction in event.sanctions
        ),
        offenses=(PastOffense(infraction=event.infraction, occurred_at=event.at),),
        legal_review=event.legal_review,
        imported=True,
        external_id=event.external_id,
    )
    return _with(state, event.imported_at, incident)


def _adjusted(state: RecordState, event: SanctionsAdjusted) -> RecordState:
    incident = state.incidents[event.incident_id]
    kept = {held.sanction.sanction_id: held for held in incident.sanctions}
    sanctions = tuple(kept.get(sanction.sanction_id) or Held(sanction=sanction, extended_days=sanction.extended_days) for sanction in event.after)
    adjustments = {**incident.adjustments, event.adjustment_id: event.by}
    final = incident.final_adjustments | {event.adjustment_id} if event.appeal_id is not None else incident.final_adjustments
    changed = replace(
        incident, sanctions=sanctions, strike=event.strike_after, adjustments=adjustments, final_adjustments=final, changed=True
    )
    return _with(state, event.at, changed)


def _ip_ban_lifted(state: RecordState, event: IpBanLifted) -> RecordState:
    incident = state.incidents[event.incident_id]
    sanctions = tuple(
        replace(held, state="lifted") if held.sanction.sanction_id in event.sanction_ids else held for held in incident.sanctions
    )
    return _with(state, event.at, replace(incident, sanctions=sanctions))


def _linked(state: RecordState, event: AltBanned | LinkedIpBanImposed) -> RecordState:
    known = state.incidents.get(event.incident_id)
    held = {item.sanction.sanction_id for item in known.sanctions} if known is not None else frozenset[str]()
    added = tuple(Held(sanction=sanction) for sanction in event.sanctions if sanction.sanction_id not in held)
    if known is None:
        known = Incident(
            incident_id=event.incident_id,
            at=event.at,
            decided_by=event.by,
            strike=None,
            sanctions=(),
            notify=event.notify,
            main_player_id=event.main_player_id,
        )
    linked = known.linked_ip_ban or known.main_player_id is None
    return _with(state, event.at, replace(known, sanctions=known.sanctions + added, linked_ip_ban=linked))


def _acknowledged(state: RecordState, event: EffectAcknowledged) -> RecordState:
    incident = state.incidents[event.incident_id]
    sanctions = tuple(
        replace(held, state="irreversible") if held.sanction.kind == event.effect and held.state == "active" else held
        for held in incident.sanctions
    )
    return _with(state, event.at, replace(incident, sanctions=sanctions))
