"""When a player is forgotten, and when there is nothing left to forget."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from services.moderation.erasure.commands import ErasePlayer
from services.moderation.erasure.decider import erase
from services.moderation.record.events import PlayerErased, Words
from services.moderation.record.state import INITIAL, RecordState, evolve
from shared.refusal import Refusal
from tests.support.record import DAY, HEAD, PLAYER, T0, standing, struck

COMMAND = ErasePlayer(erasure_id="e1", player_id=PLAYER, at=T0, by=HEAD, reason="Asked for.", something_left=True)


def after(*commands: ErasePlayer) -> RecordState:
    state = INITIAL
    for command in commands:
        for event in erase(command, state):
            state = evolve(state, event)
    return state


def test_a_player_is_erased_with_the_reason_and_who_did_it() -> None:
    (event,) = erase(COMMAND, INITIAL)
    assert event == PlayerErased(erasure_id="e1", player_id=PLAYER, at=T0, by="head-1", role="head_admin", words=Words(reason="Asked for."))


def test_strikes_and_bans_stay_as_they_were() -> None:
    """Bar 14: the record is as heavy as before."""
    past = struck(3)
    erased = past.given(*erase(COMMAND, past.state()))
    assert (standing(erased).strikes, erased.state().version) == (3, 4)
    assert msgspec.structs.replace(erased.state(), version=3, erasures=(), last_at=past.state().last_at) == past.state()


def test_a_second_erasure_happens_only_when_something_personal_has_come_since() -> None:
    state = after(COMMAND)
    assert erase(replace(COMMAND, erasure_id="e2", something_left=False), state) == []
    (again,) = erase(replace(COMMAND, erasure_id="e2", at=T0 + DAY), state)
    assert again.erasure_id == "e2"


def test_a_first_erasure_is_recorded_also_when_nothing_is_known() -> None:
    """Somebody asked, and somebody decided: that is kept."""
    assert len(erase(replace(COMMAND, something_left=False), INITIAL)) == 1


def test_the_ledger_tells_an_erasure_only_to_a_record_that_forgot_it() -> None:
    told = replace(COMMAND, replayed=True, reason=None)
    assert erase(told, after(COMMAND)) == []
    (event,) = erase(replace(told, something_left=False), INITIAL)
    assert (event.replayed, event.words) == (True, None)


def test_nobody_erases_their_own_account() -> None:
    """Contract, `conflict_of_interest`."""
    with pytest.raises(Refusal) as caught:
        erase(replace(COMMAND, player_id="head-1-player"), INITIAL)
    assert caught.value.code == "conflict_of_interest"
