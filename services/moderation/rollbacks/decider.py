"""Deciding on rollbacks: who may, and when (I-20). What one does to a record is worked out in `undo.py` and `reinstate.py`. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from services.moderation.record.events import Words
from services.moderation.rollbacks.commands import ReverseRollback, RollbackCommand, RollBackStaff
from services.moderation.rollbacks.events import RollbackReversed, RollbackStreamEvent, StaffRolledBack
from services.moderation.rollbacks.state import INITIAL, RollbackState, evolve
from shared.refusal import Refusal


class RollbackDecider:
    """One rollback, on its own stream (`rollback-{rollback_id}`)."""

    __slots__ = ()

    def initial(self) -> RollbackState:
        """Nothing yet."""
        return INITIAL

    def decide(self, command: RollbackCommand, state: RollbackState) -> Sequence[RollbackStreamEvent]:
        """The event that the command causes. Raises a `Refusal`."""
        match command:
            case RollBackStaff():
                return _roll_back(command, state)
            case ReverseRollback():
                return _reverse(command, state)
            case _:
                assert_never(command)

    def evolve(self, state: RollbackState, event: RollbackStreamEvent) -> RollbackState:
        """The rollback after the event."""
        return evolve(state, event)


def check_roll_back(command: RollBackStaff) -> None:
    """Raises a `Refusal`: `conflict_of_interest` for one's own decisions (another Head Admin reviews those), `invalid_request` for the times."""
    if command.by.staff_id == command.staff_id:
        raise Refusal("conflict_of_interest", "These are your own decisions; another Head Admin rolls them back, or you adjust them one by one.")
    if command.since > command.until:
        raise Refusal("invalid_request", "The time ends before it begins.", field="to")


def check_reverse(command: ReverseRollback, state: RollbackState) -> StaffRolledBack:
    """What is reversed. Raises a `Refusal`: `not_found`, `conflict_of_interest` for the member who was rolled back, `invalid_transition`."""
    if state.made is None:
        raise Refusal("not_found", "There is no such rollback.")
    if command.by.staff_id == state.made.staff_id:
        raise Refusal("conflict_of_interest", "It was your decisions that were rolled back; another Head Admin decides whether that stands.")
    if state.reversed is not None:
        current = {"state": "reversed", "version": state.version}
        raise Refusal("invalid_transition", "The rollback was reversed already.", current=current, allowed=[])
    return state.made


def _roll_back(command: RollBackStaff, state: RollbackState) -> Sequence[RollbackStreamEvent]:
    check_roll_back(command)
    return [
        StaffRolledBack(
            rollback_id=command.rollback_id,
            staff_id=command.staff_id,
            at=state.moment(command.at),
            by=command.by.staff_id,
            role=command.by.role,
            since=command.since,
            until=command.until,
            players=command.players,
            network_bans=command.network_bans,
            kept=command.kept,
            listed=command.listed,
            words=Words(reason=command.reason),
        )
    ]


def _reverse(command: ReverseRollback, state: RollbackState) -> Sequence[RollbackStreamEvent]:
    check_reverse(command, state)
    return [
        RollbackReversed(
            rollback_id=command.rollback_id,
            at=state.moment(command.at),
            by=command.by.staff_id,
            role=command.by.role,
            players=command.players,
            network_bans=command.network_bans,
            kept=command.kept,
            words=Words(reason=command.reason),
        )
    ]
