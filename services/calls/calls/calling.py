"""The callers' side: pressing the button, and taking it back (I-40 to I-43)."""

from __future__ import annotations

from collections.abc import Sequence

from services.calls.calls.categories import WATCHERS, check_category
from services.calls.calls.commands import PressButton, Withdraw
from services.calls.calls.events import CallCancelled, CallEvent, CallOpened, ProblemAdded, ProblemsWithdrawn
from services.calls.calls.guards import check_possible
from services.calls.calls.state import CallState
from services.calls.calls.transitions import OPEN
from shared.refusal import Refusal


def press(command: PressButton, state: CallState) -> Sequence[CallEvent]:
    """Open the call, or add a problem to it while it lives (I-41).

    Pressing again for the same thing is no second problem (Q04). Raises a `Refusal`: `unknown_category`, `not_in_duel` for a watcher's call in a
    players' category (I-43), `invalid_request` for a duel's call without a duel, `banned` for who is banned now (N10), `call_closed`.
    """
    check_category(command.category)
    if command.origin == "duel" and command.duel_id is None:
        raise Refusal("invalid_request", "A call out of a duel names the duel.", field="duel_id")
    participant = command.caller_id in command.players
    if command.duel_id is not None and not participant and command.category not in WATCHERS:
        raise Refusal("not_in_duel", "Only who plays in the duel calls for this.", allowed=sorted(WATCHERS), field="category")
    if command.banned:
        raise Refusal("banned", "A banned player plays in no duel and calls nobody; the ban itself can be appealed.")
    if not state.exists:
        return [_opened(command, participant=participant)]
    check_possible("join", state)
    if any(problem.caller_id == command.caller_id and problem.category == command.category for problem in state.standing):
        return []
    added = ProblemAdded(
        subject=command.caller_id,
        category=command.category,
        origin=command.origin,
        participant=participant,
        at=state.moment(command.at),
        words=command.words,
    )
    return [added]


def _opened(command: PressButton, *, participant: bool) -> CallOpened:
    return CallOpened(
        call_id=command.call_id,
        duel_id=command.duel_id,
        players=command.players,
        ruling_authority=command.ruling_authority,
        subject=command.caller_id,
        category=command.category,
        origin=command.origin,
        participant=participant,
        at=command.at,
        words=command.words,
    )


def withdraw(command: Withdraw, state: CallState) -> Sequence[CallEvent]:
    """Take one's own problems back; with the last one the call is cancelled (I-41, I-42).

    Raises a `Refusal`: `call_closed`, `not_the_caller` without a standing problem, `call_already_taken` once an admin has it.
    """
    if state.live and not any(problem.caller_id == command.caller_id for problem in state.standing):
        raise Refusal("not_the_caller", "This player has no problem standing on this call.", field="caller_id")
    if state.live and state.state != OPEN:
        raise Refusal("call_already_taken", "An admin has taken the call.", current=state.state)
    check_possible("cancel", state)
    at = state.moment(command.at)
    withdrawn = ProblemsWithdrawn(caller_id=command.caller_id, at=at)
    if any(problem.caller_id != command.caller_id for problem in state.standing):
        return [withdrawn]
    return [withdrawn, CallCancelled(at=at)]
