"""Decisions on a call, their appeals, and the end (I-19, I-33, I-46 to I-49)."""

from __future__ import annotations

from collections.abc import Sequence

from services.calls.calls.commands import AppealDecision, Decide, DecideCallAppeal, Resolve
from services.calls.calls.events import CallAppealDecided, CallEvent, CallResolved, DecisionAppealed, DecisionMade
from services.calls.calls.guards import check_apart, check_in_duel, check_possible, check_taker
from services.calls.calls.state import CallState
from shared.refusal import Refusal

AI_RULING = "ai_ruling"
REVIEWERS = ("senior_admin", "head_admin")


def check_decide(command: Decide, state: CallState) -> None:
    """What stands in the way of this decision, whatever its incident comes to.

    Raises a `Refusal`: `call_closed`, `invalid_transition`, `not_the_taker`, `ai_ruling_not_accepted` (I-19), `irreparable_game_state` (I-49),
    `invalid_request` for fields that don't belong to the kind.
    """
    check_possible("decisions", state)
    check_taker(command.by, state)
    if AI_RULING in command.sources:
        raise Refusal("ai_ruling_not_accepted", "What a machine says of the rules is no source.", field="sources")
    if (command.kind == "penalty") != (command.incident_id is not None):
        raise Refusal("invalid_request", "A penalty names its incident, and nothing else does.", field="incident")
    if command.kind != "repair" and (command.possible_in_paper is not None or command.from_history is not None):
        raise Refusal("invalid_request", "Only a repair says what paper play allows.", field="possible_in_paper")
    if command.kind == "repair" and command.possible_in_paper is not True:
        raise Refusal("irreparable_game_state", "Only what could be put right in paper play is repaired, whatever the history shows.")


def decide_on(command: Decide, state: CallState) -> Sequence[CallEvent]:
    """The taker's decision. Raises a `Refusal` as `check_decide`."""
    check_decide(command, state)
    made = DecisionMade(
        decision_id=command.decision_id,
        kind=command.kind,
        staff_id=command.by.staff_id,
        role=command.by.role,
        subject=command.player_id or state.first_caller,
        at=state.moment(command.at),
        ruling_authority=state.ruling_authority if command.kind == "ruling" else None,
        sources=command.sources,
        incident_id=command.incident_id,
        player_id=command.player_id,
        possible_in_paper=command.possible_in_paper,
        from_history=command.from_history,
        words=command.words,
    )
    return [made]


def appeal(command: AppealDecision, state: CallState) -> Sequence[CallEvent]:
    """A participant appeals; no member of staff can refuse (I-47).

    Raises a `Refusal`: `not_in_duel`, `call_closed`, `no_decision_yet` (I-33), `not_found` for another call's decision, `decision_final` (I-32),
    `invalid_transition` while an appeal is open.
    """
    if state.live:
        check_in_duel(command.player_id, state)
    check_possible("appeal", state)
    if not state.decisions:
        raise Refusal("no_decision_yet", "Nothing has been decided on this call yet.")
    decision = state.decisions.get(command.decision_id)
    if decision is None:
        raise Refusal("not_found", "There is no such decision on this call.", field="decision_id")
    if decision.final:
        raise Refusal("decision_final", "An appeal of this decision was decided, which is final.")
    at = state.moment(command.at)
    return [DecisionAppealed(decision_id=command.decision_id, player_id=command.player_id, at=at, record_appeal_id=command.record_appeal_id)]


def check_reviewer(command: DecideCallAppeal, state: CallState) -> None:
    """Who may not decide the appeal: below Senior Admin, who had the call or made the decision, who plays, called, or is penalised (I-47).

    Raises a `Refusal`: `senior_admin_required`, `call_closed`, `invalid_transition` without an open appeal, `conflict_of_interest`.
    """
    if command.by.role not in REVIEWERS:
        raise Refusal("senior_admin_required", "A Senior or Head Admin decides appeals.")
    check_possible("appeal/decision", state)
    check_apart(command.by, state)
    decision = state.decisions[state.appealed or ""]
    if command.by.staff_id == decision.staff_id or command.by.staff_id in state.takers:
        raise Refusal("conflict_of_interest", "You had this call; another Senior or Head Admin decides the appeal.")
    if command.by.player_id is not None and command.by.player_id == decision.player_id:
        raise Refusal("conflict_of_interest", "The decision is about your own player account.")


def decide_appeal(command: DecideCallAppeal, state: CallState) -> Sequence[CallEvent]:
    """The last word on a decision; the call is then the reviewer's (I-47). Raises a `Refusal` as `check_reviewer`."""
    check_reviewer(command, state)
    decision = state.decisions[state.appealed or ""]
    at = state.moment(command.at)
    decided = CallAppealDecided(
        decision_id=decision.decision_id,
        outcome=command.outcome,
        staff_id=command.by.staff_id,
        role=command.by.role,
        subject=decision.subject,
        lease_until=at + command.lease,
        at=at,
        words=command.words,
    )
    return [decided]


def check_resolve(command: Resolve, state: CallState) -> None:
    """Raises a `Refusal`: `call_closed`, `invalid_transition` (an open appeal stands in the way), `not_the_taker`."""
    check_possible("resolve", state)
    check_taker(command.by, state)


def charged(state: CallState) -> str:
    """Whom a misuse of the button is charged to (I-46): the first caller whose problem stands."""
    return state.standing[0].caller_id if state.standing else state.first_caller


def resolve(command: Resolve, state: CallState) -> Sequence[CallEvent]:
    """Close the call. Raises a `Refusal` as `check_resolve`."""
    check_resolve(command, state)
    resolved = CallResolved(
        staff_id=command.by.staff_id,
        subject=charged(state) if command.misuse else state.first_caller,
        misuse=command.misuse,
        at=state.moment(command.at),
        charged=charged(state) if command.misuse else None,
        incident_id=command.incident_id,
        words=command.words,
    )
    return [resolved]
