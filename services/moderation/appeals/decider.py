"""Deciding on appeals: who may appeal what and how often, who decides, and what the decision does (I-30 to I-36). Pure."""

from __future__ import annotations

from collections.abc import Sequence

from services.moderation.appeals.commands import DecideAppeal, OpenAppeal, WithdrawAppeal
from services.moderation.appeals.events import AppealDecided, AppealOpened, AppealWithdrawn, Grounds, Verdict
from services.moderation.appeals.overturn import Effects, modified, overturned
from services.moderation.appeals.state import Appeal
from services.moderation.record.authority import check_own_account
from services.moderation.record.entries import Incident
from services.moderation.record.events import RecordEvent
from services.moderation.record.state import RecordState
from services.moderation.views.timeline import Recorded
from shared.refusal import Refusal

MAX_WITHDRAWN = 2
REVIEWERS = ("senior_admin", "head_admin")
OUTCOMES = ("upheld", "overturned", "modified")


def open_appeal(command: OpenAppeal, state: RecordState) -> Sequence[RecordEvent]:
    """File an appeal. Raises a `Refusal`: `not_found`, `decision_final`, `incident_overturned`, `appeal_exists` (I-30, I-32)."""
    incident = _appealed_incident(command, state)
    earlier = [appeal for appeal in state.appeals.values() if appeal.target.key == command.target.key]
    _check_earlier(earlier)
    if incident is not None and incident.overturned:
        raise Refusal("incident_overturned", "The incident was overturned already; there is nothing left to appeal.")
    opened = AppealOpened(
        appeal_id=command.appeal_id,
        player_id=command.player_id,
        at=state.moment(command.at),
        filed_by=command.filed_by,
        target=command.target,
        incident_id=command.incident_id,
        words=Grounds(grounds=command.grounds),
    )
    return [opened]


def _appealed_incident(command: OpenAppeal, state: RecordState) -> Incident | None:
    if command.target.network_ban_id is not None:
        return None
    incident = state.incidents.get(command.incident_id or "")
    if incident is None:
        raise Refusal("not_found", "There is no such decision about this player.")
    adjustment = command.target.adjustment_id
    if adjustment is not None and adjustment not in incident.adjustments:
        raise Refusal("not_found", "There is no such adjustment of a decision about this player.")
    if adjustment is not None and adjustment in incident.final_adjustments:
        raise Refusal("decision_final", "This change was decided in an appeal, which is final.")
    return incident


def _check_earlier(earlier: Sequence[Appeal]) -> None:
    for appeal in earlier:
        if appeal.state == "open":
            raise Refusal("appeal_exists", "This decision is under appeal already.", current={"appeal_id": appeal.appeal_id})
        if appeal.state == "decided":
            raise Refusal("decision_final", "An appeal of this decision was decided, which is final.", current={"appeal_id": appeal.appeal_id})
    if len(earlier) >= MAX_WITHDRAWN:
        raise Refusal("appeal_exists", "The appeal was withdrawn twice; it can't be filed again.", current={"appeal_id": earlier[-1].appeal_id})


def withdraw_appeal(command: WithdrawAppeal, state: RecordState) -> Sequence[RecordEvent]:
    """Take an open appeal back; one withdrawn already is so. Raises a `Refusal` `already_decided`."""
    appeal = _appeal(state, command.appeal_id)
    if appeal.state == "decided":
        raise Refusal("already_decided", "The appeal was decided.", current={"outcome": appeal.outcome})
    if appeal.state == "withdrawn":
        return []
    return [AppealWithdrawn(appeal_id=command.appeal_id, at=state.moment(command.at), by=command.by)]


def check_reviewer(command: DecideAppeal, state: RecordState) -> None:
    """Who may not decide or preview this appeal (I-31). Rank first, then any part in what is appealed.

    One that has ended is nobody's to decide, and that is what everybody is told: whoever modified a decision has a part in it since, and repeating
    their own command is no conflict (A04).
    """
    if command.by.role not in REVIEWERS:
        raise Refusal("senior_admin_required", "A Senior or Head Admin decides appeals.")
    appeal = _open_appeal(state, command.appeal_id)
    check_own_account(command.by, command.player_id, *command.facts.accounts)
    incident = state.incidents.get(appeal.incident_id or "")
    involved = set(command.facts.involved)
    if incident is not None:
        involved |= {incident.decided_by, *incident.adjustments.values()}
    if command.by.staff_id in involved:
        raise Refusal("conflict_of_interest", "You decided or changed what is appealed; another Senior or Head Admin decides the appeal.")


def decide_appeal(command: DecideAppeal, state: RecordState, record: Sequence[Recorded]) -> Effects:
    """The events of the decision on the player's own record, and all that a reviewer is shown of its effects (I-34, I-35).

    Raises a `Refusal`: those of `check_reviewer`, and for a modified decision those of its sanctions.
    """
    check_reviewer(command, state)
    appeal = _open_appeal(state, command.appeal_id)
    effects = _effects(command, appeal, state, record)
    decided = AppealDecided(
        appeal_id=command.appeal_id,
        at=state.moment(command.at),
        by=command.by.staff_id,
        role=command.by.role,
        outcome=command.outcome,
        cascade=command.cascade,
        kept=effects.kept,
        words=Verdict(reason=command.reason, reply=command.reply),
    )
    return effects.after(decided)


def _effects(command: DecideAppeal, appeal: Appeal, state: RecordState, record: Sequence[Recorded]) -> Effects:
    named = command.sanctions is not None or command.strike is not None
    if command.outcome != "modified":
        if named:
            raise Refusal("invalid_request", "Only a modified decision names sanctions.", field="sanctions")
        return Effects() if command.outcome == "upheld" else overturned(command, appeal, state, record)
    if appeal.target.network_ban_id is not None:
        if named:
            raise Refusal("invalid_request", "A modified ban of a network exempts this account; it names no sanctions.", field="sanctions")
        return Effects(exempt=True)
    if command.sanctions is None or command.strike is None:
        raise Refusal("invalid_request", "A modified decision names its sanctions and whether it is a strike.", field="sanctions")
    return modified(command, appeal, state)


def _open_appeal(state: RecordState, appeal_id: str) -> Appeal:
    appeal = _appeal(state, appeal_id)
    if appeal.state != "open":
        raise Refusal("already_decided", f"The appeal is {appeal.state}.", current={"state": appeal.state, "outcome": appeal.outcome})
    return appeal


def _appeal(state: RecordState, appeal_id: str) -> Appeal:
    appeal = state.appeals.get(appeal_id)
    if appeal is None:
        raise Refusal("not_found", "There is no such appeal.")
    return appeal
