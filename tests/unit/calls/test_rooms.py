"""A duel room: I-41, I-43, I-50, Q05, Q07."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from services.calls.rooms import events as did
from services.calls.rooms.commands import PutRoom, RoomCommand, SettleRoom
from services.calls.rooms.decider import RoomDecider
from services.calls.rooms.events import RoomEvent
from services.calls.rooms.state import Pause, RoomState
from tests.support.scenario import Scenario

T0 = datetime(2026, 11, 30, 10, tzinfo=UTC)
ROOMS: Scenario[RoomCommand, RoomState, RoomEvent] = Scenario(RoomDecider())
OPENED = did.RoomOpened(duel_id="d1", format="tcg", kind="match", players=("p1", "p2"), at=T0)
ATTACHED, DETACHED = did.CallAttached(call_id="c1", at=T0), did.CallDetached(call_id="c1", at=T0)
PAUSED = did.DuelPaused(call_id="c1", at=T0)
ENTERED, LEFT = did.AdminEntered(call_id="c1", staff_id="admin-1", at=T0), did.AdminLeft(call_id="c1", staff_id="admin-1", at=T0)


def resumed(because: str = "taken") -> did.DuelResumed:
    return did.DuelResumed(call_id="c1", at=T0, because=because)


def put(**kw: Any) -> PutRoom:
    said: dict[str, Any] = {"duel_id": "d1", "format": "tcg", "kind": "match", "players": ("p1", "p2"), "at": T0, **kw}
    return PutRoom(**said)


def settle(*, live: bool = True, pause: bool = False, admin: str | None = None, because: str = "taken") -> SettleRoom:
    return SettleRoom(call_id="c1", live=live, pause=pause, admin=admin, because=because, at=T0)


def test_a_room_is_opened_once_and_said_again_it_is_so() -> None:
    ROOMS.when(put()).then(OPENED)
    ROOMS.given(OPENED).when(put()).then()


def test_a_room_changes_only_while_no_call_lives_in_it() -> None:
    changed = did.RoomChanged(duel_id="d1", format="ocg", kind="match", players=("p1", "p2"), at=T0)
    ROOMS.given(OPENED).when(put(format="ocg")).then(changed)
    ROOMS.given(OPENED, ATTACHED).when(put(format="ocg")).refused("invalid_transition")
    ROOMS.given(OPENED, ATTACHED).when(put()).then()
    ROOMS.given(OPENED, ATTACHED, DETACHED).when(put(format="ocg")).then(changed)


def test_nobody_plays_against_themselves() -> None:
    assert ROOMS.when(put(players=("p1", "p1"))).refused("invalid_request").field == "players"


def test_a_participants_call_pauses_and_a_watchers_does_not() -> None:
    ROOMS.given(OPENED).when(settle(pause=True)).then(ATTACHED, PAUSED)
    ROOMS.given(OPENED).when(settle()).then(ATTACHED)


def test_a_take_resumes_play_under_the_admin_and_a_release_pauses_again() -> None:
    waiting = ROOMS.given(OPENED, ATTACHED, PAUSED)
    taken = waiting.when(settle(admin="admin-1")).then(ENTERED, resumed())
    taken.when(settle(pause=True)).then(LEFT, PAUSED)
    taken.when(settle(live=False)).then(LEFT, DETACHED)


def test_one_change_is_recorded_once() -> None:
    """Q07: settling what is settled changes nothing."""
    ROOMS.given(OPENED, ATTACHED, PAUSED).when(settle(pause=True)).then()
    ROOMS.given(OPENED, ATTACHED, ENTERED).when(settle(admin="admin-1")).then()


def test_a_take_over_names_both() -> None:
    """Q03."""
    came = did.AdminEntered(call_id="c1", staff_id="admin-2", at=T0)
    ROOMS.given(OPENED, ATTACHED, ENTERED).when(settle(admin="admin-2")).then(LEFT, came)


def test_an_ended_call_leaves_the_room_for_a_new_one() -> None:
    """Q05."""
    ended = ROOMS.given(OPENED, ATTACHED, PAUSED).when(settle(live=False, because="withdrawn")).then(resumed("withdrawn"), DETACHED)
    ended.when(SettleRoom(call_id="c2", live=True, pause=True, admin=None, because="taken", at=T0)).then(
        did.CallAttached(call_id="c2", at=T0), did.DuelPaused(call_id="c2", at=T0)
    )


def test_pauses_are_kept_for_the_idle_clock() -> None:
    """Q06."""
    state = ROOMS.given(OPENED, ATTACHED, PAUSED, resumed(), PAUSED).state()
    assert state.pauses == (Pause(since=T0, until=T0), Pause(since=T0))
    assert state.paused is True
