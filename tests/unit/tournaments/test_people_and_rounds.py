"""Setting up, people, rounds, latecomers, standings, referrals (I-79, I-82, I-88; T04)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.moderation.referrals.commands import CloseReferral, OpenReferral
from services.moderation.referrals.decider import ReferralDecider
from services.moderation.tournaments import commands as ask
from services.moderation.tournaments.closing import placed, still_advancing
from services.moderation.tournaments.events import PersonDropped
from tests.support.scenario import Scenario
from tests.support.tournament import HEAD_JUDGE, JUDGE, NEW, ORGANISER, STRANGER, T0, Event, entering, offense, organised, pairing, setting


def test_a_head_admin_sets_a_tournament_up_and_changes_it() -> None:
    event = Event(NEW)
    event.refused(setting(by=HEAD_JUDGE), "head_admin_required")
    assert len(event.do(setting())) == 1
    assert event.do(setting()) == ()
    assert len(event.do(setting(judge_ids=("admin-1", "admin-2")))) == 1
    assert event.state.judge_ids == ("admin-1", "admin-2")


def test_nothing_is_done_at_a_tournament_that_is_not_there() -> None:
    for command in (entering("a"), pairing(1), offense("fraud"), ask.DropPerson(person_id="a", by=ORGANISER, at=T0), standings("a")):
        Event(NEW).refused(command, "not_found")


@pytest.mark.parametrize("by", [JUDGE, STRANGER])
def test_people_and_rounds_are_the_organisers_and_the_head_judges(by: ask.Official) -> None:
    event = organised()
    for command in (entering("e", by=by), replace(pairing(2), by=by), ask.DropPerson(person_id="a", by=by, at=T0), replace(standings("a"), by=by)):
        event.refused(command, "head_judge_required")
    assert len(event.do(entering("e", by=HEAD_JUDGE))) == 1


def test_rounds_come_one_after_another_with_everybody_once() -> None:
    event = organised()
    assert event.do(pairing(1)) == ()
    event.refused(pairing(1, ("a", "c"), ("b", "d")), "invalid_transition")
    event.refused(pairing(3), "invalid_request")
    event.refused(pairing(2, ("a", "b"), ("a", "c")), "invalid_request")
    event.refused(pairing(2, ("a", "nobody")), "invalid_request")
    event.do(entering("s", "spectator"))
    event.refused(pairing(2, ("a", "s")), "not_applicable")


def test_who_drops_may_come_back() -> None:
    event = organised()
    drop = ask.DropPerson(person_id="a", by=ORGANISER, at=T0)
    event.do(drop)
    assert event.do(drop) == ()
    event.do(entering("a"))
    assert event.state.people["a"].playing
    event.do(entering("s", "spectator"))
    event.refused(ask.DropPerson(person_id="s", by=ORGANISER, at=T0), "not_applicable")
    event.refused(ask.DropPerson(person_id="x", by=ORGANISER, at=T0), "not_found")


def late(event: Event, times: int = 2, person: str = "a") -> list[str]:
    """So many Game Losses for Tardiness in the current round; the kinds of the last one's effects."""
    given = [event.give("tardiness", person, round=event.state.current_round, by=JUDGE) for _ in range(times)]
    return [effect.kind for effect in given[-1].effects]


def test_t04_who_is_too_late_and_does_not_report_is_dropped_when_the_round_ends() -> None:
    """T04, I-82, D 131."""
    event = organised()
    assert "drop" not in late(event, 1)
    assert "drop" in late(event, 1)
    assert event.state.people["a"].playing, "the round is not over"
    event.refused(pairing(2), "not_applicable")
    dropped = event.do(pairing(2, ("b", "c"), ("d",)))[0]
    assert isinstance(dropped, PersonDropped)
    assert (dropped.person_id, dropped.round, dropped.because) == ("a", 1, "tardiness")


def test_t04_who_reports_in_time_stays_in() -> None:
    """T04, I-82: before or after the penalty."""
    for first in (True, False):
        event = organised()
        report = ask.ReportLatecomer(person_id="a", by=JUDGE, at=T0)
        if first:
            event.do(report)
            assert "drop" not in late(event)
        else:
            late(event)
            event.do(report)
        assert event.do(report) == ()
        event.do(pairing(2))
        assert event.state.people["a"].playing
        assert "drop" in late(event), "the report was for round 1"


def test_t04_one_game_loss_is_enough_in_single_game_matches_and_an_empty_round_ends() -> None:
    """T04, D 131: everybody drops."""
    event = organised(games_per_match=1)
    for person in ("a", "b", "c", "d"):
        assert "drop" in late(event, 1, person)
    event.do(ask.BeginRound(number=2, stage="swiss", games_per_match=None, pairings=(), starts_at=T0, by=ORGANISER, at=T0))
    assert not any(person.playing for person in event.state.people.values())
    event.do(ask.BeginRound(number=3, stage="swiss", games_per_match=None, pairings=(), starts_at=T0, by=ORGANISER, at=T0))


def standings(*order: str, cut: int | None = None) -> ask.PutStandings:
    return ask.PutStandings(order=order, cut=cut, by=ORGANISER, at=T0)


def test_before_the_cut_everybody_below_moves_up_and_advances() -> None:
    """I-79, D 20."""
    event = organised()
    event.do(standings("a", "b", "c", "d"))
    event.give("fraud", "a")
    assert placed(event.state) == ("b", "c", "d")
    event.do(standings("a", "b", "c", "d", cut=2))
    assert still_advancing(event.state) == ("b", "c")


def test_after_the_cut_they_move_up_but_nobody_advances() -> None:
    """I-79, D 20: "the former 9th place finisher does not advance ..., but they do move into 8th place"."""
    event = organised()
    event.do(standings("a", "b", "c", "d", cut=2))
    event.give("fraud", "a")
    assert (placed(event.state), still_advancing(event.state)) == (("b", "c", "d"), ("b",))
    event.do(standings("b", "a", "c", "d", cut=2))
    assert still_advancing(event.state) == ("b",), "a later order changes nothing about who advanced"


def test_with_prize_they_keep_their_place_and_do_not_advance() -> None:
    """I-79, D 20; who has dropped does not advance either (T04)."""
    event = organised()
    event.give("wrong-opponent", "a", deviation=ask.WantedDeviation(penalty="disqualification"))
    event.do(ask.DropPerson(person_id="b", by=ORGANISER, at=T0))
    event.do(standings("a", "b", "c", "d", cut=2))
    assert (placed(event.state), still_advancing(event.state)) == (("a", "b", "c", "d"), ("c", "d"))


def test_an_order_names_each_player_once() -> None:
    event = organised()
    event.do(entering("s", "spectator"))
    for order in (("a", "a"), ("a", "nobody"), ("a", "s")):
        event.refused(standings(*order), "invalid_request")
    event.refused(standings("a", cut=2), "invalid_request")
    event.do(standings("a", "b"))
    assert event.do(standings("a", "b")) == ()


def test_the_head_judge_refers_a_penalty_once() -> None:
    event = organised()
    given = event.give("fraud")

    def refer(by: ask.Official, penalty_id: str = given.penalty_id) -> ask.ReferPenalty:
        return ask.ReferPenalty(penalty_id=penalty_id, referral_id="r1", by=by, at=T0)

    event.refused(refer(JUDGE), "head_judge_required")
    event.refused(refer(STRANGER), "not_a_judge")
    event.refused(refer(HEAD_JUDGE, "none"), "not_found")
    assert len(event.do(refer(HEAD_JUDGE))) == 1
    assert event.do(refer(HEAD_JUDGE)) == ()


def test_a_referral_is_closed_once_by_somebody_else_with_an_incident_of_that_person() -> None:
    opening = OpenReferral(
        referral_id="r1", tournament_id="t1", penalty_id="p", person_id="a", infraction="fraud", penalty="warning", by="senior-1", at=T0
    )
    closing = CloseReferral(by="admin-1", role="admin", own_player="x", at=T0, reason="Nothing to do.")
    new = Scenario(ReferralDecider())
    new.when(closing).refused("not_found")
    opened = new.after(opening)
    opened.when(opening).then()
    opened.when(replace(closing, own_player="a")).refused("conflict_of_interest")
    opened.when(replace(closing, incident_id="i", incident_player="b")).refused("invalid_request")
    closed = opened.after(replace(closing, incident_id="i", incident_player="a"))
    closed.when(closing).refused("already_decided")


def test_t04_who_is_overdue_when_the_cut_is_made_does_not_advance() -> None:
    """T04, I-79, I-82: the round is over by then."""
    event = organised()
    late(event)
    event.do(standings("a", "b", "c", "d", cut=2))
    assert still_advancing(event.state) == ("b", "c")
    event = organised()
    late(event)
    event.do(ask.ReportLatecomer(person_id="a", by=JUDGE, at=T0))
    event.do(standings("a", "b", "c", "d", cut=2))
    assert still_advancing(event.state) == ("a", "b")


def test_t02_a_player_does_not_become_a_spectator_once_paired() -> None:
    """T02: their penalties and their place would be lost; they drop."""
    event = organised(rounds=0)
    event.do(entering("a", "spectator"))
    event.do(entering("a"))
    event.next_round()
    event.refused(entering("a", "spectator"), "not_applicable")
    event.do(ask.DropPerson(person_id="a", by=ORGANISER, at=T0))
    event.refused(entering("a", "spectator"), "not_applicable")
    event.do(entering("a"))
