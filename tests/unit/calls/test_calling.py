"""The callers' side of a call: I-40 to I-44, Q02, Q04."""

from __future__ import annotations

from typing import Any

import pytest

from services.calls.calls import commands as ask
from services.calls.calls import events as did
from services.calls.calls.categories import CATEGORIES, WATCHERS
from tests.support.calls import CALLS, P1, P2, T0, WATCHER, joined, later, opened, press, released, taken, withdrawn


@pytest.mark.parametrize("category", CATEGORIES)
def test_a_participant_calls_in_every_category(category: str) -> None:
    state = CALLS.when(press(category=category)).then(opened(category=category)).state()
    assert (state.state, state.category, state.pauses) == ("open", category, True)


def test_an_unknown_category_is_refused_and_named() -> None:
    assert CALLS.when(press(category="boredom")).refused("unknown_category").allowed == list(CATEGORIES)


@pytest.mark.parametrize("category", sorted(set(CATEGORIES) - WATCHERS))
def test_a_watcher_does_not_call_in_a_players_category(category: str) -> None:
    """I-43; not to join a live call either."""
    CALLS.when(press(WATCHER, category)).refused("not_in_duel")
    CALLS.given(opened()).when(press(WATCHER, category)).refused("not_in_duel")


def test_a_banned_player_opens_no_call_and_joins_none() -> None:
    """N10: a session that began before the ban is no way around it."""
    CALLS.when(press(banned=True)).refused("banned")
    CALLS.given(opened()).when(press(P2, banned=True)).refused("banned")


@pytest.mark.parametrize("category", sorted(WATCHERS))
def test_a_watchers_call_pauses_nothing(category: str) -> None:
    assert CALLS.when(press(WATCHER, category)).then(opened(WATCHER, category, participant=False)).state().pauses is False


def test_from_the_lobby_everything_may_be_called_for_and_nothing_pauses() -> None:
    """I-43, Q04 (fourth run)."""
    lobby: dict[str, Any] = {"duel_id": None, "players": (), "ruling_authority": None, "origin": "lobby"}
    state = CALLS.when(press(category="cheating", **lobby)).then(opened(category="cheating", participant=False, **lobby)).state()
    assert state.pauses is False


def test_a_call_out_of_a_duel_names_it() -> None:
    assert CALLS.when(press(duel_id=None, players=())).refused("invalid_request").field == "duel_id"


def test_the_second_players_problem_joins_the_live_call() -> None:
    """I-41."""
    state = CALLS.given(opened()).when(press(P2, "harassment")).then(joined()).state()
    assert [p.caller_id for p in state.standing] == [P1, P2]


def test_pressing_twice_is_one_problem() -> None:
    """Q04 (third run), Q07: nothing is recorded."""
    CALLS.given(opened()).when(press()).then()


def test_the_same_caller_may_have_another_problem() -> None:
    state = CALLS.given(opened()).when(press(P1, "harassment")).then(joined(P1)).state()
    assert len(state.standing) == 2
    assert CALLS.given(opened(), joined(P1)).when(ask.Withdraw(caller_id=P1, at=T0)).then(withdrawn(), did.CallCancelled(at=T0)).state().live is False


def test_joining_a_taken_call_does_not_pause_again() -> None:
    """Q04 (second run)."""
    assert CALLS.given(opened(), taken()).when(press(P2, "harassment")).then(joined()).state().pauses is False


def test_a_participant_who_joins_a_watchers_call_pauses_the_duel() -> None:
    assert CALLS.given(opened(WATCHER, "harassment", participant=False)).when(press(P2, "harassment")).then(joined()).state().pauses is True


def test_the_last_problem_withdrawn_cancels_the_call() -> None:
    """I-42."""
    CALLS.given(opened()).when(ask.Withdraw(caller_id=P1, at=T0)).then(withdrawn(), did.CallCancelled(at=T0))


def test_one_withdrawn_problem_leaves_the_other() -> None:
    """I-41, Q04 (first run): still paused."""
    state = CALLS.given(opened(), joined()).when(ask.Withdraw(caller_id=P1, at=T0)).then(withdrawn()).state()
    assert (state.state, state.pauses) == ("open", True)
    CALLS.given(opened(), joined(), withdrawn()).when(ask.Withdraw(caller_id=P1, at=T0)).refused("not_the_caller")
    CALLS.given(opened(), joined(), withdrawn()).when(ask.Withdraw(caller_id=P2, at=T0)).then(withdrawn(P2), did.CallCancelled(at=T0))


def test_a_watchers_problem_left_over_keeps_the_call_and_not_the_pause() -> None:
    """I-43."""
    past = CALLS.given(opened(category="harassment"), joined(WATCHER, participant=False))
    state = past.when(ask.Withdraw(caller_id=P1, at=T0)).then(withdrawn()).state()
    assert (state.state, state.pauses) == ("open", False)


def test_only_a_caller_withdraws() -> None:
    CALLS.given(opened()).when(ask.Withdraw(caller_id=P2, at=T0)).refused("not_the_caller")


def test_a_taken_call_is_not_withdrawn_and_a_released_one_is() -> None:
    """I-42, I-45."""
    CALLS.given(opened(), taken()).when(ask.Withdraw(caller_id=P1, at=T0)).refused("call_already_taken")
    CALLS.given(opened(), taken(), released()).when(ask.Withdraw(caller_id=P1, at=T0)).then(withdrawn(), did.CallCancelled(at=T0))


@pytest.mark.parametrize("presence", ["quit", "disconnected", "conceded"])
def test_leaving_is_recorded_and_cancels_nothing(presence: str) -> None:
    """I-44, Q02: the pause ends only when nobody is left to pause for, and comes back with somebody."""
    left = did.PresenceNoted(player_id=P1, presence=presence, at=T0)
    state = CALLS.given(opened()).when(ask.NotePresence(player_id=P1, presence=presence, at=T0)).then(left).state()
    assert (state.state, state.pauses) == ("open", True)
    gone = CALLS.given(opened(), left, did.PresenceNoted(player_id=P2, presence="quit", at=T0))
    assert (gone.state().live, gone.state().pauses) == (True, False)
    back = did.PresenceNoted(player_id=P2, presence="returned", at=T0)
    assert gone.when(ask.NotePresence(player_id=P2, presence="returned", at=T0)).then(back).state().pauses is True


def test_a_watcher_who_called_may_leave_and_a_stranger_is_not_there() -> None:
    past = CALLS.given(opened(WATCHER, "harassment", participant=False))
    past.when(ask.NotePresence(player_id=WATCHER, presence="quit", at=T0)).then(did.PresenceNoted(player_id=WATCHER, presence="quit", at=T0))
    past.when(ask.NotePresence(player_id="somebody", presence="quit", at=T0)).refused("not_in_duel")


def test_time_never_goes_backwards_along_a_call() -> None:
    """T05: a process with a clock behind records no earlier moment."""
    past = CALLS.given(opened(at=later(10)))
    past.when(ask.Withdraw(caller_id=P1, at=T0)).then(did.ProblemsWithdrawn(caller_id=P1, at=later(10)), did.CallCancelled(at=later(10)))
