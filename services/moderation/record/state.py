"""What the rules need to know of a player, folded from their record: no clock, no rule, every event named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any, assert_never

from msgspec import Struct
from msgspec.structs import replace

from services.moderation.appeals.state import Appeal, decided, opened, withdrawn
from services.moderation.record.again import acknowledged, adjusted, extended, ip_ban_lifted, overturned, put_back, reassessed, reimposed
from services.moderation.record.entries import Held, Incident, PastOffense
from services.moderation.record.events import (
    AdjustmentReverted,
    AltBanned,
    AppealDecided,
    AppealOpened,
    AppealWithdrawn,
    EffectAcknowledged,
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


_NOTHING: Mapping[str, Any] = MappingProxyType({})


class RecordState(Struct, frozen=True, kw_only=True):
    """The record of one player; `version` counts its events, `last_at` is the latest moment of a decision in it."""

    version: int = 0
    last_at: datetime | None = None
    incidents: Mapping[str, Incident] = _NOTHING
    proxy_banned_at: datetime | None = None
    appeals: Mapping[str, Appeal] = _NOTHING
    erasures: tuple[str, ...] = ()

    @property
    def strikes(self) -> int:
        """How many strikes count (I-2)."""
        return sum(1 for incident in self.incidents.values() if incident.strike is not None and not incident.overturned)

    def known_as(self, external_id: str) -> str | None:
        """Which incident has this external id."""
        return next((incident.incident_id for incident in self.incidents.values() if incident.external_id == external_id), None)

    def moment(self, now: datetime) -> datetime:
        """`now`, but never before the last decision: clocks of several machines differ, the order of the record does not (E02)."""
        return now if self.last_at is None or now > self.last_at else self.last_at


INITIAL = RecordState()


def evolve(state: RecordState, event: RecordEvent) -> RecordState:
    """The state after the event."""
    making = _Making(state)
    _take(making, event)
    return making.made()


def fold(events: Iterable[RecordEvent], state: RecordState = INITIAL) -> RecordState:
    """The state after these events, in time proportional to their number. Raises `LookupError` for one about what the record does not hold."""
    making = _Making(state)
    for event in events:
        _take(making, event)
    return making.made()


class _Making:
    """A state that `fold` makes and nobody else sees: a map is copied before its first change, so the state it began with stays as it was."""

    __slots__ = ("_appeals", "_incidents", "appeals", "erasures", "incidents", "last_at", "proxy_banned_at", "version")

    def __init__(self, state: RecordState) -> None:
        self.version, self.last_at, self.proxy_banned_at, self.erasures = state.version, state.last_at, state.proxy_banned_at, state.erasures
        self.incidents, self.appeals = state.incidents, state.appeals
        self._incidents: dict[str, Incident] | None = None
        self._appeals: dict[str, Appeal] | None = None

    def step(self, at: datetime) -> None:
        self.version += 1
        if self.last_at is None or at > self.last_at:
            self.last_at = at

    def put(self, *incidents: Incident) -> None:
        if self._incidents is None:
            self.incidents = self._incidents = dict(self.incidents)
        for incident in incidents:
            self._incidents[incident.incident_id] = incident

    def put_appeal(self, appeal: Appeal) -> None:
        if self._appeals is None:
            self.appeals = self._appeals = dict(self.appeals)
        self._appeals[appeal.appeal_id] = appeal

    def made(self) -> RecordState:
        return RecordState(
            version=self.version,
            last_at=self.last_at,
            incidents=self.incidents,
            proxy_banned_at=self.proxy_banned_at,
            appeals=self.appeals,
            erasures=self.erasures,
        )


def _take(making: _Making, event: RecordEvent) -> None:
    making.step(event.imported_at if isinstance(event, IncidentImported) else event.at)
    match event:
        case IncidentDecided():
            _decided(making, event)
        case IncidentImported():
            making.put(_imported(event))
        case SanctionsAdjusted():
            making.put(adjusted(making.incidents[event.incident_id], event))
        case IpBanLifted():
            making.put(ip_ban_lifted(making.incidents[event.incident_id], event))
        case AltBanned() | LinkedIpBanImposed():
            making.put(_linked(making.incidents.get(event.incident_id), event))
        case ProxyBanned():
            making.proxy_banned_at = event.at
        case ProxyBanReimposed():
            making.proxy_banned_at = event.since
        case ProxyBanLifted() | ProxyLiftReinstated():
            making.proxy_banned_at = None
        case EffectAcknowledged():
            making.put(acknowledged(making.incidents[event.incident_id], event))
        case AppealOpened():
            making.put_appeal(opened(event))
        case AppealWithdrawn():
            making.put_appeal(withdrawn(making.appeals[event.appeal_id]))
        case AppealDecided():
            making.put_appeal(decided(making.appeals[event.appeal_id], event))
        case IncidentOverturned():
            making.put(*overturned(making.incidents, event))
        case IncidentReassessed():
            making.put(reassessed(making.incidents, event))
        case AdjustmentReverted() | IncidentReinstated():
            making.put(put_back(making.incidents[event.incident_id], event.restored))
        case IpBanReimposed():
            making.put(reimposed(making.incidents, event))
        case PlayerErased():
            making.erasures = (*making.erasures, event.erasure_id)
        case _:
            assert_never(event)


def _decided(making: _Making, event: IncidentDecided) -> None:
    incident = Incident(
        incident_id=event.incident_id,
        at=event.at,
        decided_by=event.decided_by,
        strike=event.strike,
        sanctions=tuple([Held(sanction=sanction) for sanction in event.sanctions]),
        offenses=tuple(
            [
                PastOffense(
                    infraction=line.infraction, occurred_at=event.occurred_at, duel_id=event.duel_id, upgraded=line.upgraded_from is not None
                )
                for line in event.offenses
            ]
        ),
        legal_review=event.legal_review,
        notify=event.notify,
        external_id=event.external_id,
        alts=event.alts,
        linked_ip_ban=event.linked_ip_ban,
        extension=event.extension,
    )
    if event.extension is not None:
        making.put(extended(making.incidents[event.extension.incident_id], event.extension))
    making.put(incident)


def _imported(event: IncidentImported) -> Incident:
    return Incident(
        incident_id=event.incident_id,
        at=event.at,
        decided_by=event.decided_by,
        strike=event.strike,
        sanctions=tuple(
            [Held(sanction=sanction, state="irreversible" if sanction.kind in CARRIED_OUT else "active") for sanction in event.sanctions]
        ),
        offenses=(PastOffense(infraction=event.infraction, occurred_at=event.at),),
        legal_review=event.legal_review,
        imported=True,
        external_id=event.external_id,
    )


def _linked(known: Incident | None, event: AltBanned | LinkedIpBanImposed) -> Incident:
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
    return replace(known, sanctions=known.sanctions + added, linked_ip_ban=linked)
