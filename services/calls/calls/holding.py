"""Having a call: take, heartbeat, release, category, and letting players go on (I-42, I-45, I-46, I-50, I-51)."""

from __future__ import annotations

from collections.abc import Sequence

from services.calls.calls.categories import check_category
from services.calls.calls.commands import CorrectCategory, Heartbeat, Release, ResumePlay, Take
from services.calls.calls.events import CallEvent, CallReleased, CallTaken, CategoryCorrected, LeaseRenewed, PlayResumed
from services.calls.calls.guards import check_apart, check_possible, check_taker
from services.calls.calls.state import CallState
from services.calls.calls.transitions import TAKEN
from shared.refusal import Refusal


def take(command: Take, state: CallState) -> Sequence[CallEvent]:
    """Take the call, or take it over from somebody whose lease is past (Q03). One's own call again is the same success (Q07).

    Raises a `Refusal`: `call_closed`, `invalid_transition`, `conflict_of_interest` (I-51), `call_already_taken`.
    """
    check_possible("take", state)
    check_apart(command.by, state)
    at = state.moment(command.at)
    lapsed = state.lease_until is not None and at >= state.lease_until
    if state.state == TAKEN and state.taker == command.by.staff_id:
        return [LeaseRenewed(staff_id=command.by.staff_id, lease_until=at + command.lease, at=at)] if lapsed else []
    if state.state == TAKEN and not lapsed:
        current = {"taken_by": state.taker, "lease_until": state.lease_until}
        raise Refusal("call_already_taken", "Another member of staff has this call.", current=current)
    return [CallTaken(staff_id=command.by.staff_id, role=command.by.role, lease_until=at + command.lease, at=at, previous=state.taker)]


def heartbeat(command: Heartbeat, state: CallState) -> Sequence[CallEvent]:
    """Renew the lease; also a past one, while nobody took the call over. Raises a `Refusal`: `call_closed`, `invalid_transition`, `not_the_taker`."""
    check_possible("heartbeat", state)
    check_taker(command.by, state)
    at = state.moment(command.at)
    return [LeaseRenewed(staff_id=command.by.staff_id, lease_until=at + command.lease, at=at)]


def release(command: Release, state: CallState) -> Sequence[CallEvent]:
    """Put the call back (I-45). Raises a `Refusal`: `call_closed`, `invalid_transition`, `not_the_taker`."""
    check_possible("release", state)
    check_taker(command.by, state)
    return [CallReleased(staff_id=command.by.staff_id, at=state.moment(command.at))]


def correct_category(command: CorrectCategory, state: CallState) -> Sequence[CallEvent]:
    """Correct the category; never voids the call, never costs its place (I-46, Q09). Raises a `Refusal` as `release`, and `unknown_category`."""
    check_possible("category", state)
    check_taker(command.by, state)
    check_category(command.category)
    if command.category == state.category:
        return []
    return [CategoryCorrected(staff_id=command.by.staff_id, before=state.category, category=command.category, at=state.moment(command.at))]


def resume_play(command: ResumePlay, state: CallState) -> Sequence[CallEvent]:
    """Let the players go on while the call stays taken (I-50). Raises a `Refusal` as `release`."""
    check_possible("resume-play", state)
    check_taker(command.by, state)
    return [] if state.resumed else [PlayResumed(staff_id=command.by.staff_id, at=state.moment(command.at))]
