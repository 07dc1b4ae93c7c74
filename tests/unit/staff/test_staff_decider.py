"""The staff register: who is what, and that nobody says so of themselves (contract, Operations)."""

from __future__ import annotations

from dataclasses import replace

from services.moderation.staff.commands import PutStaff
from services.moderation.staff.decider import StaffDecider, StaffEvent
from services.moderation.staff.events import StaffChanged, StaffRegistered
from services.moderation.staff.state import StaffState
from shared.security.roles import Role
from tests.support.scenario import Scenario

PUT = PutStaff(staff_id="admin-7", level=Role.ADMIN, player_id="p7", active=True, by="head-1")
REGISTERED = StaffRegistered(staff_id="admin-7", level=Role.ADMIN, player_id="p7", active=True)


def scenario(*events: StaffEvent) -> Scenario[PutStaff, StaffState, StaffEvent]:
    return Scenario(StaffDecider(), events)


def test_a_new_member_is_registered() -> None:
    after = scenario().when(PUT).then(REGISTERED)
    assert after.state() == StaffState(registered=True, level=Role.ADMIN, player_id="p7", active=True)


def test_nobody_is_registered_before_the_first_event() -> None:
    assert not scenario().state().registered


def test_a_known_member_is_changed() -> None:
    change = replace(PUT, level=Role.SENIOR_ADMIN, player_id=None)
    after = scenario(REGISTERED).when(change).then(StaffChanged(staff_id="admin-7", level=Role.SENIOR_ADMIN, player_id=None, active=True))
    assert after.state() == StaffState(registered=True, level=Role.SENIOR_ADMIN, player_id=None, active=True)


def test_who_leaves_stays_in_the_register_and_may_come_back() -> None:
    """A09: what they decided keeps its decider."""
    left = (
        scenario(REGISTERED).when(replace(PUT, active=False)).then(StaffChanged(staff_id="admin-7", level=Role.ADMIN, player_id="p7", active=False))
    )
    left.when(PUT).then(StaffChanged(staff_id="admin-7", level=Role.ADMIN, player_id="p7", active=True))


def test_putting_what_is_so_already_changes_nothing() -> None:
    scenario(REGISTERED).when(PUT).then()
    scenario(REGISTERED).when(replace(PUT, by="head-2")).then()


def test_nobody_edits_their_own_entry() -> None:
    """L13: another player_id or level would undo the rule that nobody judges their own account."""
    own = replace(PUT, by="admin-7")
    for past in ((), (REGISTERED,)):
        scenario(*past).when(own).refused("conflict_of_interest")
        scenario(*past).when(replace(own, player_id="p8")).refused("conflict_of_interest")


def test_a_member_of_staff_is_no_game_server() -> None:
    refusal = scenario().when(replace(PUT, level=Role.GAME_SERVER)).refused("invalid_request")
    assert refusal.field == "level"
