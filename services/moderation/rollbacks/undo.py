"""What a rollback does to one player's record (I-20). Pure.

The member's lifts and adjustments are taken back, the latest first, then their incidents fall together, and later ones are read again once (I-34).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from services.moderation.appeals.cascade import Question, Reassessed, version_of
from services.moderation.appeals.events import IncidentOverturned, IncidentReassessed
from services.moderation.appeals.overturn import Irreversible, Linked, overturn_incidents
from services.moderation.appeals.restore import Cause
from services.moderation.policy.tables import Policy
from services.moderation.record.again import as_it_is
from services.moderation.record.entries import Incident
from services.moderation.record.evasion import reached
from services.moderation.record.events import (
    AdjustmentReverted,
    IncidentAsItWas,
    IpBanLifted,
    IpBanReimposed,
    ProxyBanLifted,
    ProxyBanned,
    ProxyBanReimposed,
    RecordEvent,
    SanctionsAdjusted,
)
from services.moderation.record.state import RecordState, evolve
from services.moderation.rollbacks.events import KeptDecision, Reimposed
from services.moderation.views.timeline import Recorded, fold_all, settled

OVERTURNED = "the incident was overturned before"
REPLACED = "another decision changed the incident since"
EXTENDED = "evasion extended a ban that the adjustment imposed"
NOT_LIFTED = "the ban is not lifted any more"
OWN = "conflict_of_interest"


@dataclass(frozen=True, slots=True, kw_only=True)
class Todo:
    """The member's decisions on one record: incidents by id; adjustments and lifts by the version of their event."""

    incidents: tuple[str, ...] = ()
    changes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """What the rollback does on the record. `along` are the accounts on which an incident falls too, with its overturn."""

    events: tuple[RecordEvent, ...] = ()
    overturned: tuple[str, ...] = ()
    reverted: tuple[str, ...] = ()
    reimposed: tuple[Reimposed, ...] = ()
    reassessed: tuple[Reassessed, ...] = ()
    kept: tuple[KeptDecision, ...] = ()
    linked: tuple[Linked, ...] = ()
    irreversible: tuple[Irreversible, ...] = ()
    along: tuple[tuple[str, IncidentOverturned], ...] = ()


@dataclass(slots=True)
class _Work:
    """The record as it becomes, and what is told of it."""

    player_id: str
    cause: Cause
    rollback_id: str
    record: list[Recorded]
    state: RecordState
    events: list[RecordEvent] = field(default_factory=list)
    reverted: list[str] = field(default_factory=list)
    reimposed: list[Reimposed] = field(default_factory=list)
    kept: list[KeptDecision] = field(default_factory=list)

    def add(self, event: RecordEvent) -> None:
        self.events.append(event)
        self.state = evolve(self.state, event)
        self.record.append(Recorded(event=event, version=self.state.version, position=0, recorded_at=event.at))

    def keep(self, kind: str, incident_id: str | None, why: str, decision_id: str | None = None) -> None:
        self.kept.append(KeptDecision(kind=kind, player_id=self.player_id, incident_id=incident_id, decision_id=decision_id, why=why))


def undo(
    player_id: str, record: Sequence[Recorded], todo: Todo, cause: Cause, policies: Mapping[str, Policy], ids: Iterator[str], *, own: str | None
) -> Undone:
    """Take these decisions back. `own` is the player account of whoever rolls back: what reached it is kept, for another Head Admin."""
    work = _Work(player_id, cause, cause.rollback_id or "", list(record), fold_all(record))
    falling = _falling(work, todo, own)
    for version in sorted(todo.changes, reverse=True):
        _take_back(work, work.record[version - 1], {incident.incident_id for incident in falling})
    return _overturn(work, falling, policies, ids)


def _falling(work: _Work, todo: Todo, own: str | None) -> list[Incident]:
    """The incidents that can fall, in the order recorded."""
    found = []
    for incident_id in dict.fromkeys(todo.incidents):
        incident = work.state.incidents[incident_id]
        if own is not None and own in reached(incident, work.state):
            work.keep("incident", incident_id, OWN)
        elif incident.overturned:
            work.keep("incident", incident_id, OVERTURNED)
        else:
            found.append(incident)
    return sorted(found, key=lambda incident: version_of(work.record, incident.incident_id))


def _take_back(work: _Work, recorded: Recorded, falling: set[str]) -> None:
    """Take one change back, unless its incident falls anyway."""
    match recorded.event:
        case SanctionsAdjusted() as event if event.incident_id not in falling:
            _revert(work, recorded, event)
        case IpBanLifted() as event if event.incident_id not in falling:
            _reimpose_ip_ban(work, recorded, event)
        case ProxyBanLifted():
            _reimpose_proxy_ban(work, recorded)
        case _:
            pass


def _revert(work: _Work, recorded: Recorded, event: SanctionsAdjusted) -> None:
    incident = work.state.incidents[event.incident_id]
    story = settled(work.record)
    why = _why_not(incident, recorded, story)
    before = fold_all(item for item in story if item.version != recorded.version).incidents[event.incident_id]
    known = {held.sanction.sanction_id for held in before.sanctions}
    gone = [held for held in incident.sanctions if held.sanction.sanction_id not in known]
    if why is None and any(held.extended_days for held in gone):
        why = EXTENDED
    if why is not None:
        work.keep("adjustment", event.incident_id, why, event.adjustment_id)
        return
    carried_out = tuple(held for held in gone if held.state == "irreversible")
    restored = as_it_is(before)
    work.add(
        AdjustmentReverted(
            incident_id=event.incident_id,
            adjustment_id=event.adjustment_id,
            at=work.cause.at,
            by=work.cause.by,
            role=work.cause.role,
            rollback_id=work.rollback_id,
            undoes=(recorded.version,),
            sanctions_before=tuple(held.sanction for held in incident.sanctions),
            strike_before=incident.strike,
            restored=IncidentAsItWas(
                strike=restored.strike,
                sanctions=(*restored.sanctions, *carried_out),
                offenses=restored.offenses,
                legal_review=restored.legal_review,
                overturned=False,
                changed=restored.changed,
            ),
        )
    )
    work.reverted.append(event.adjustment_id)


def _why_not(incident: Incident, recorded: Recorded, story: Sequence[Recorded]) -> str | None:
    if incident.overturned:
        return OVERTURNED
    latest = [item.version for item in story if isinstance(item.event, SanctionsAdjusted | IncidentReassessed | IpBanLifted)
              and item.event.incident_id == incident.incident_id]  # fmt: skip
    return None if latest and latest[-1] == recorded.version else REPLACED


def _reimpose_ip_ban(work: _Work, recorded: Recorded, event: IpBanLifted) -> None:
    incident = work.state.incidents[event.incident_id]
    lifted = tuple(
        held.sanction.sanction_id for held in incident.sanctions if held.sanction.sanction_id in event.sanction_ids and held.state == "lifted"
    )
    if incident.overturned or not lifted:
        work.keep("ip_ban_lift", event.incident_id, OVERTURNED if incident.overturned else REPLACED)
        return
    work.add(
        IpBanReimposed(
            incident_id=event.incident_id,
            sanction_ids=lifted,
            at=work.cause.at,
            by=work.cause.by,
            role=work.cause.role,
            rollback_id=work.rollback_id,
            undoes=(recorded.version,),
        )
    )
    work.reimposed.append(Reimposed(kind="ip_ban", incident_id=event.incident_id))


def _reimpose_proxy_ban(work: _Work, recorded: Recorded) -> None:
    bans = [item for item in settled(work.record) if isinstance(item.event, ProxyBanned | ProxyBanLifted)]
    since = [item.event.at for item in bans if isinstance(item.event, ProxyBanned) and item.version < recorded.version]
    if work.state.proxy_banned_at is not None or not since or bans[-1].version != recorded.version:
        work.keep("proxy_ban_lift", None, NOT_LIFTED)
        return
    cause = work.cause
    work.add(
        ProxyBanReimposed(
            since=since[-1], at=cause.at, by=cause.by, role=cause.role, rollback_id=work.rollback_id, undoes=(recorded.version,)
        )
    )
    work.reimposed.append(Reimposed(kind="proxy_ban"))


def _overturn(work: _Work, falling: Sequence[Incident], policies: Mapping[str, Policy], ids: Iterator[str]) -> Undone:
    done = Undone(events=tuple(work.events), reverted=tuple(work.reverted), reimposed=tuple(work.reimposed), kept=tuple(work.kept))
    if not falling:
        return done
    names = frozenset(incident.incident_id for incident in falling)
    after = min(version_of(work.record, name) for name in names)
    question = Question(without=names, after=after, policies=policies, choices={})
    effects = overturn_incidents(falling, work.state, work.record, question, work.cause, ids)
    for item in effects.kept:
        work.keep("later_incident", item.incident_id, item.why)
    overturned = [event for event in effects.events if isinstance(event, IncidentOverturned)]
    return Undone(
        events=(*work.events, *effects.events),
        overturned=tuple(event.incident_id for event in overturned),
        reverted=done.reverted,
        reimposed=done.reimposed,
        reassessed=effects.reassessed,
        kept=tuple(work.kept),
        linked=effects.linked,
        irreversible=effects.irreversible,
        along=tuple((account, event) for event in overturned for account in reached(work.state.incidents[event.incident_id], work.state)),
    )
