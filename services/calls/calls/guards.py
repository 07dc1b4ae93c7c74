"""What stands in the way of a command on a call, whatever the command is."""

from __future__ import annotations

from datetime import datetime, timedelta

from services.calls.calls.commands import Staff
from services.calls.calls.state import CallState
from services.calls.calls.transitions import CLOSED, allowed, is_allowed
from shared.refusal import Refusal

# A reporting machine's clock may be a little ahead; its claim is then taken as "now", since the service's own time decides (T05).
CLOCK_TOLERANCE = timedelta(seconds=2)


def check_possible(command: str, state: CallState) -> None:
    """Raises a `Refusal`: `call_closed`, or `invalid_transition` with the current state and what is possible in it."""
    if state.state in CLOSED:
        raise Refusal("call_closed", f"The call was {state.state}.", current=state.state, allowed=[])
    if not is_allowed(command, state.state):
        raise Refusal("invalid_transition", f"A call that is {state.state} does not take this.", current=state.state, allowed=allowed(state.state))


def check_taker(by: Staff, state: CallState) -> None:
    """Raises a `Refusal` `not_the_taker`."""
    if state.taker != by.staff_id:
        raise Refusal("not_the_taker", "Another member of staff has this call.", current={"state": state.state, "taken_by": state.taker})


def check_apart(by: Staff, state: CallState) -> None:
    """Nobody handles a call of their own or in a duel of their own (I-51). Raises a `Refusal` `conflict_of_interest`."""
    if by.player_id is not None and (by.player_id in state.players or by.player_id in state.callers):
        raise Refusal("conflict_of_interest", "You play in this duel or made this call; another member of staff takes it.")


def check_in_duel(player_id: str, state: CallState, *, callers: bool = False) -> None:
    """Raises a `Refusal` `not_in_duel` for who does not play in the duel (nor, with `callers`, has called)."""
    if player_id not in state.players and not (callers and player_id in state.callers):
        raise Refusal("not_in_duel", "The player is not in this duel.", field="player_id")


def past(claimed: datetime | None, now: datetime, field: str) -> datetime:
    """The moment that a report is about: as claimed, but not after now. Raises a `Refusal` `occurred_in_future` (T05)."""
    if claimed is None:
        return now
    if claimed > now + CLOCK_TOLERANCE:
        raise Refusal("occurred_in_future", "This moment lies in the future.", field=field)
    return min(claimed, now)
