"""Having a call: I-42, I-45, I-46, I-50, I-51, Q03, Q07, Q09, T05."""

from __future__ import annotations

from datetime import timedelta

import pytest

from services.calls.calls import commands as ask
from services.calls.calls import events as did
from services.calls.calls.commands import Staff
from services.calls.calls.guards import CLOCK_TOLERANCE
from tests.support.calls import ADMIN, ADMIN_B, CALLS, LEASE, P1, P2, T0, WATCHER, joined, later, opened, released, take, taken


def test_taking_ends_the_pause_and_puts_the_duel_under_the_admin() -> None:
    state = CALLS.given(opened()).when(take()).then(taken()).state()
    assert (state.state, state.pauses, state.admin, state.lease_until) == ("taken", False, "admin-1", T0 + LEASE)


def test_taking_ones_own_call_again_is_the_same_success() -> None:
    """Q07: no toggle, one event."""
    CALLS.given(opened(), taken()).when(take(at=later(60))).then()


def test_within_the_lease_nobody_else_takes_it() -> None:
    past = CALLS.given(opened(), taken())
    assert past.when(take(ADMIN_B, later(119.999999))).refused("call_already_taken").current["taken_by"] == "admin-1"


def test_past_the_lease_anyone_takes_it_over_and_the_event_names_both() -> None:
    """Q03."""
    past = CALLS.given(opened(), taken())
    state = past.when(take(ADMIN_B, later(120))).then(taken(ADMIN_B, at=later(120), previous="admin-1")).state()
    assert (state.taker, state.first_taken_at) == ("admin-2", T0)


def test_a_heartbeat_keeps_the_call_and_may_come_late_while_nobody_took_it_over() -> None:
    past = CALLS.given(opened(), taken())
    beat = ask.Heartbeat(by=ADMIN, at=later(119), lease=LEASE)
    kept = past.when(beat).then(did.LeaseRenewed(staff_id="admin-1", lease_until=later(239), at=later(119)))
    kept.when(take(ADMIN_B, later(238))).refused("call_already_taken")
    past.when(ask.Heartbeat(by=ADMIN, at=later(500), lease=LEASE)).then(
        did.LeaseRenewed(staff_id="admin-1", lease_until=later(620), at=later(500))
    )
    taken_over = past.given(taken(ADMIN_B, at=later(130), previous="admin-1"))
    taken_over.when(ask.Heartbeat(by=ADMIN, at=later(131), lease=LEASE)).refused("not_the_taker")


def test_taking_ones_own_call_past_the_lease_renews_it() -> None:
    CALLS.given(opened(), taken()).when(take(at=later(300))).then(did.LeaseRenewed(staff_id="admin-1", lease_until=later(420), at=later(300)))


def test_releasing_opens_and_pauses_again() -> None:
    """I-45."""
    state = CALLS.given(opened(), taken()).when(ask.Release(by=ADMIN, at=T0)).then(released()).state()
    assert (state.state, state.pauses, state.admin) == ("open", True, None)


def test_play_resumes_by_the_takers_word_and_the_call_stays_taken() -> None:
    """I-50; said again it is so already."""
    past = CALLS.given(opened(), taken())
    state = past.when(ask.ResumePlay(by=ADMIN, at=T0)).then(did.PlayResumed(staff_id="admin-1", at=T0)).state()
    assert (state.state, state.admin, state.taker) == ("taken", None, "admin-1")
    past.given(did.PlayResumed(staff_id="admin-1", at=T0)).when(ask.ResumePlay(by=ADMIN, at=T0)).then()


def test_the_category_is_corrected_by_the_taker_and_nothing_else_changes() -> None:
    """I-46, Q09."""
    past = CALLS.given(opened(category="afk"), taken())
    corrected = did.CategoryCorrected(staff_id="admin-1", before="afk", category="cheating", at=later(5))
    state = past.when(ask.CorrectCategory(category="cheating", by=ADMIN, at=later(5))).then(corrected).state()
    assert (state.state, state.category, state.opened_at) == ("taken", "cheating", T0)
    past.when(ask.CorrectCategory(category="afk", by=ADMIN, at=T0)).then()
    past.when(ask.CorrectCategory(category="boredom", by=ADMIN, at=T0)).refused("unknown_category")
    past.when(ask.CorrectCategory(category="cheating", by=ADMIN_B, at=T0)).refused("not_the_taker")


@pytest.mark.parametrize("own", [P1, P2, WATCHER])
def test_nobody_takes_a_call_of_their_own_duel_or_their_own(own: str) -> None:
    """I-51, at any level."""
    past = CALLS.given(opened(category="harassment"), joined(WATCHER, participant=False))
    for role in ("admin", "senior_admin", "head_admin"):
        past.when(take(Staff(staff_id="s", role=role, player_id=own))).refused("conflict_of_interest")


def test_a_claimed_moment_ahead_of_time_is_refused_and_a_little_ahead_is_now() -> None:
    """T05: the service's time decides."""
    past = CALLS.given(opened(), taken())
    ahead = ask.NoteReply(player_id=P1, at=T0, replied_at=T0 + timedelta(hours=1))
    assert past.when(ahead).refused("occurred_in_future").field == "at"
    past.when(ask.NoteReply(player_id=P1, at=T0, replied_at=T0 + CLOCK_TOLERANCE)).then(did.PlayerReplied(player_id=P1, replied_at=T0, at=T0))
    behind = ask.NoteReply(player_id=P1, at=T0, replied_at=T0 - timedelta(hours=1))
    past.when(behind).then(did.PlayerReplied(player_id=P1, replied_at=T0 - timedelta(hours=1), at=T0))


def test_idleness_ends_after_it_began_and_prompts_are_the_takers() -> None:
    past = CALLS.given(opened(), taken())
    upside_down = ask.NoteIdle(player_id=P2, idle_since=T0, seen_at=T0 - timedelta(seconds=1), at=T0)
    assert past.when(upside_down).refused("invalid_request").field == "idle_since"
    past.when(ask.NotePrompt(player_id=P2, by=ADMIN_B, at=T0)).refused("not_the_taker")
    past.when(ask.NotePrompt(player_id=WATCHER, by=ADMIN, at=T0)).refused("not_in_duel")
