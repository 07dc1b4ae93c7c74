"""What overturning or modifying a decision does to a record (I-34): what falls, what is read again, what is kept, what can't be undone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from services.moderation.appeals.cascade import Counterfactual, Question, Reassessed, retell, version_of
from services.moderation.appeals.commands import DecideAppeal
from services.moderation.appeals.events import IncidentOverturned, IncidentReassessed, Kept, RestoredBan
from services.moderation.appeals.restore import Cause, restored_before
from services.moderation.appeals.state import Appeal
from services.moderation.record.commands import AdjustSanctions
from services.moderation.record.commands import Facts as RecordFacts
from services.moderation.record.correct import adjust
from services.moderation.record.entries import Incident
from services.moderation.record.evasion import reached
from services.moderation.record.events import RecordEvent, SanctionsAdjusted
from services.moderation.record.impose import DAY
from services.moderation.record.state import RecordState, evolve
from services.moderation.views.timeline import Recorded


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """Accounts banned as alts for evading a ban that falls: their bans stay, for a decision of their own (A06)."""

    incident_id: str
    player_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Irreversible:
    """Something carried out already, which is reported and not undone."""

    incident_id: str
    sanction_id: str
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Effects:
    """What a decision does: the events on this record, and what a reviewer is shown.

    `freed` are the accounts on which the overturned incident falls too, `lift_network` and `exempt` what happens to an appealed ban of a network.
    """

    events: tuple[RecordEvent, ...] = ()
    reassessed: tuple[Reassessed, ...] = ()
    kept: tuple[Kept, ...] = ()
    linked: tuple[Linked, ...] = ()
    irreversible: tuple[Irreversible, ...] = ()
    freed: tuple[str, ...] = ()
    lift_network: bool = False
    exempt: bool = False

    def after(self, first: RecordEvent) -> Effects:
        """The same, with this event before all others."""
        return replace(self, events=(first, *self.events))


def overturned(command: DecideAppeal, appeal: Appeal, state: RecordState, record: Sequence[Recorded]) -> Effects:
    """The effects of overturning what is appealed."""
    if appeal.target.network_ban_id is not None:
        return Effects(lift_network=True)
    incident = state.incidents[appeal.incident_id or ""]
    if incident.overturned:  # a rollback, or the appeal of the incident itself, came first: nothing is left to take away (L07)
        return Effects()
    cause = Cause(at=state.moment(command.at), by=command.by.staff_id, role=command.by.role, appeal_id=command.appeal_id)
    if appeal.target.adjustment_id is not None:
        return Effects(events=restored_before(appeal.target.adjustment_id, incident, state, record, cause, iter(command.ids)))
    question = Question(
        without=frozenset({incident.incident_id}),
        after=version_of(record, incident.incident_id),
        policies=command.facts.policies,
        choices=command.choices,
        decline=not command.cascade,
    )
    return overturn_incident(incident, state, record, question, cause, iter(command.ids))


def overturn_incident(
    incident: Incident, state: RecordState, record: Sequence[Recorded], question: Question, cause: Cause, ids: Iterator[str]
) -> Effects:
    """The incident falls with all it imposed; later ones are read again. On an alt's record only its own sanctions fall."""
    return overturn_incidents((incident,), state, record, question, cause, ids)


def overturn_incidents(
    incidents: Sequence[Incident], state: RecordState, record: Sequence[Recorded], question: Question, cause: Cause, ids: Iterator[str]
) -> Effects:
    """The incidents fall one after another, each with all it imposed; then the later ones are read again, once."""
    fallen: list[RecordEvent] = []
    current = state
    for incident in incidents:
        fallen.append(_fallen(current.incidents[incident.incident_id], current, cause))
        current = evolve(current, fallen[-1])
    own = [incident for incident in incidents if incident.main_player_id is None]
    told = retell(record, current, question, ids) if own else Counterfactual(state=state, reassessed=(), kept=())
    return Effects(
        events=(*fallen, *(_reassessment(item, cause, ids) for item in told.reassessed)),
        reassessed=told.reassessed,
        kept=told.kept,
        linked=(
            *(linked for incident in incidents for linked in _linked(incident, current)),
            *(linked for item in told.reassessed for linked in _linked_by(item, current)),
        ),
        irreversible=tuple(carried_out for incident in incidents for carried_out in _irreversible(incident)),
        freed=tuple(dict.fromkeys(account for incident in own for account in reached(incident, state))),
    )


def _fallen(incident: Incident, state: RecordState, cause: Cause) -> IncidentOverturned:
    return IncidentOverturned(
        incident_id=incident.incident_id,
        at=cause.at,
        by=cause.by,
        role=cause.role,
        strike_before=incident.strike,
        sanctions_before=tuple(held.sanction for held in incident.sanctions),
        appeal_id=cause.appeal_id,
        rollback_id=cause.rollback_id,
        restored=_restored(incident, state),
    )


def _reassessment(item: Reassessed, cause: Cause, ids: Iterator[str]) -> IncidentReassessed:
    return IncidentReassessed(
        reassessment_id=next(ids),
        incident_id=item.incident_id,
        at=cause.at,
        by=cause.by,
        role=cause.role,
        policy_version=item.policy_version,
        column_before=item.column_before,
        column_after=item.column_after,
        strike_before=item.strike_before,
        strike_after=item.strike_after,
        offenses=item.offenses,
        sanctions_before=item.sanctions_before,
        sanctions_after=item.sanctions_after,
        legal_review=item.legal_review,
        appeal_id=cause.appeal_id,
        rollback_id=cause.rollback_id,
    )


def _restored(incident: Incident, state: RecordState) -> tuple[RestoredBan, ...]:
    """The ban that this incident's evasion extended gets its days back, unless something replaced it meanwhile."""
    extension = incident.extension
    target = state.incidents.get(extension.incident_id) if extension is not None else None
    if extension is None or target is None:
        return ()
    return tuple(
        RestoredBan(
            incident_id=target.incident_id,
            sanction_id=held.sanction.sanction_id,
            days=extension.days,
            ends_at_before=held.sanction.ends_at,
            ends_at=held.sanction.ends_at - extension.days * DAY,
        )
        for held in target.sanctions
        if held.sanction.sanction_id == extension.sanction_id and held.sanction.ends_at is not None and held.extended_days >= extension.days
    )


def _linked(incident: Incident, state: RecordState) -> tuple[Linked, ...]:
    """Evasions of the ban that falls: the alts they banned stay banned."""
    return tuple(
        Linked(incident_id=other.incident_id, player_ids=other.alts)
        for other in state.incidents.values()
        if other.in_force and other.extension is not None and other.extension.incident_id == incident.incident_id
    )


def _linked_by(item: Reassessed, state: RecordState) -> tuple[Linked, ...]:
    """Evasions of a ban that the new reading no longer imposes: the extension goes with it, the alts stay banned."""
    gone = {sanction.sanction_id for sanction in item.sanctions_before} - {sanction.sanction_id for sanction in item.sanctions_after}
    return tuple(
        Linked(incident_id=other.incident_id, player_ids=other.alts)
        for other in state.incidents.values()
        if other.in_force and other.extension is not None and other.extension.sanction_id in gone
    )


def _irreversible(incident: Incident) -> tuple[Irreversible, ...]:
    return tuple(
        Irreversible(incident_id=incident.incident_id, sanction_id=held.sanction.sanction_id, kind=held.sanction.kind)
        for held in incident.sanctions
        if held.state == "irreversible"
    )




def modified(command: DecideAppeal, appeal: Appeal, state: RecordState) -> Effects:
    """Other sanctions in place of those appealed, as a Head Admin's adjustment would put them, but final (I-30, I-32)."""
    change = AdjustSanctions(
        adjustment_id=command.ids[0],
        incident_id=appeal.incident_id or "",
        player_id=command.player_id,
        at=command.at,
        by=command.by,
        policy=command.policy,
        sanctions=command.sanctions or (),
        strike=bool(command.strike),
        reason=command.reason,
        ids=command.ids[1:],
        facts=RecordFacts(networks=command.facts.networks),
    )
    events = tuple(replace(event, appeal_id=command.appeal_id) if isinstance(event, SanctionsAdjusted) else event for event in adjust(change, state))
    return Effects(events=events, irreversible=_irreversible(state.incidents[appeal.incident_id or ""]))

