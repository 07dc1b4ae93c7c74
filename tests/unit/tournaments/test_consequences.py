"""What follows from a penalty: companions, reports, disqualification, time, and who may give it (I-76 to I-79, I-85)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from services.moderation.policy.penalties import CellChange
from services.moderation.tournaments import commands as ask
from services.moderation.tournaments.events import PenaltyGiven
from tests.support.tournament import (
    GUIDE,
    HEAD_JUDGE,
    JUDGE,
    ORGANISER,
    STRANGER,
    T0,
    effects,
    entering,
    offense,
    organised,
    pairing,
    place,
    told,
)

C, W, GL = "caution", "warning", "game_loss"


def test_opponents_who_noticed_nothing_are_charged() -> None:
    """I-76, D 120: everybody else in the match, but who is disqualified."""
    event = organised(rounds=0)
    event.do(pairing(1, ("a", "b", "c"), ("d",)))
    event.give("fraud", "c")
    events = event.do(offense("missed-trigger", opponents_noticed=False))
    charged = [(one.person_id, one.infraction, one.penalty, one.companion_of) for one in events[1:] if isinstance(one, PenaltyGiven)]
    assert charged == [("b", "failure-to-maintain-game-state", C, events[0].penalty_id)]  # type: ignore[union-attr]
    assert len(event.do(offense("missed-trigger", opponents_noticed=True))) == 1
    assert len(event.do(offense("failure-to-maintain-game-state", opponents_noticed=False))) == 1
    assert len(event.do(offense("failure-to-reveal", opponents_noticed=False))) == 1, "no public information"


def test_a_companion_follows_the_organisers_table_and_the_judges_powers() -> None:
    event = organised()
    event.do(
        ask.SetTable(
            cells=(CellChange(infraction="failure-to-maintain-game-state", rel="competitive", penalty=GL),), guide=GUIDE, by=ORGANISER, at=T0
        )
    )
    event.refused(offense("missed-trigger", opponents_noticed=False, by=JUDGE), "head_judge_required")
    events = event.do(offense("missed-trigger", opponents_noticed=False))
    assert [one.penalty for one in events if isinstance(one, PenaltyGiven)] == [W, GL]


@pytest.mark.parametrize(
    ("infraction", "rel", "to"),
    [
        ("incorrect-representation", "competitive", set()),
        ("unsporting-minor", "competitive", {"penalty_database"}),
        ("unsporting-major", "competitive", {"penalty_database", "head_judge"}),
        ("fraud", "competitive", {"penalty_database", "head_judge", "investigations"}),
        ("fraud", "regular", {"penalty_database", "head_judge"}),
        ("randomly-determining-winner", "regular", {"penalty_database", "head_judge", "investigations"}),
    ],
)
def test_who_is_to_be_told(infraction: str, rel: str, to: set[str]) -> None:
    """I-78, D 20, D 30."""
    assert told(organised(rel=rel).give(infraction)) == to


def test_a_disqualification_loses_the_match_and_drops() -> None:
    """I-79, D 20."""
    event = organised(rounds=2)
    given = event.give("fraud", round=1, no_proof=True)
    assert effects(given) == [("lose_current_match_and_drop", "a", 2, None), ("removed_from_standings", "a", 2, None)]
    assert given.no_proof
    event.refused(offense("unsporting-minor"), "person_disqualified")
    event.refused(entering("a"), "person_disqualified")
    event.refused(pairing(3), "person_disqualified")
    event.refused(offense("unsporting-minor", "b", no_proof=True), "not_applicable")
    with_prize = event.give("wrong-opponent", "b", deviation=ask.WantedDeviation(penalty="disqualification"))
    assert effects(with_prize) == [("lose_current_match_and_drop", "b", 2, None)]


def test_spectators_are_penalised_for_what_spectators_do() -> None:
    """I-79, D 20, D 153."""
    event = organised()
    event.do(entering("s", "spectator"))
    assert effects(event.give("outside-assistance", "s")) == [("drop", "s", 1, None)]
    event.do(entering("s2", "spectator"))
    event.refused(offense("tardiness", "s2"), "not_applicable")
    assert event.give("unsporting-major", "s2").effects == ()


@pytest.mark.parametrize(
    ("infraction", "seconds", "extension"),
    [
        ("unsporting-minor", 61, 61),
        ("unsporting-minor", 60, None),
        ("incorrect-representation", 200, None),
        ("unsporting-major", 200, None),
        ("looking-at-extra-cards", 30, 30),
    ],
)
def test_time_that_a_ruling_took_is_given_back(infraction: str, seconds: int, extension: int | None) -> None:
    """I-85, D 20, D 211."""
    given = organised().give(infraction, ruling_seconds=seconds)
    assert [effect.seconds for effect in given.effects if effect.kind == "time_extension"] == ([] if extension is None else [extension])


def test_powers_are_the_tournaments_own() -> None:
    """I-77: no level of the site makes a judge."""
    event = organised()
    for official in (STRANGER, ORGANISER):
        event.refused(offense("unsporting-minor", by=official), "not_a_judge")
    own = ask.Official(staff_id=JUDGE.staff_id, role="admin", player_id="b")
    for person in ("a", "b"):
        event.refused(offense("unsporting-minor", person, by=own), "conflict_of_interest")
    assert event.give("unsporting-minor", "c", by=own).penalty == W
    for infraction in ("illegal-decklist", "tardiness", "lost-miniature", "failure-to-desideboard"):
        event.give(infraction, "d", by=JUDGE)
    for infraction in ("failure-to-reveal", "unsporting-major", "drawing-extra-cards", "fraud"):
        event.refused(offense(infraction, "d", by=JUDGE), "head_judge_required")


def test_what_does_not_apply_is_refused() -> None:
    event = organised(decklists=False)
    for infraction in ("illegal-decklist", "illegal-deck-legal-list", "improper-registration"):
        event.refused(offense(infraction), "not_applicable")
    assert event.give("illegal-deck-no-list").remedy is None
    organised().refused(offense("illegal-deck-no-list"), "not_applicable")
    event.refused(offense("unsporting-minor", round=2), "invalid_request")
    event.refused(offense("unsporting-minor", "nobody"), "not_found")
    event.refused(offense("showing-off"), "unknown_infraction")


def test_an_error_before_the_first_round_is_applied_in_it() -> None:
    """I-74: a decklist is checked before round 1."""
    event = organised(rounds=0)
    given = event.give("illegal-decklist", round=0, by=JUDGE)
    assert place(given) == (1, 1)


def test_a_duty_is_discharged_once_and_to_the_investigations_by_the_head_judge() -> None:
    """I-78, D 20."""
    event = organised()
    duties = {duty.to: duty.duty_id for duty in event.give("fraud").duties}

    def discharge(to: str, by: ask.Official) -> ask.DischargeDuty:
        return ask.DischargeDuty(duty_id=duties[to], by=by, at=T0)

    event.refused(discharge("penalty_database", STRANGER), "not_a_judge")
    event.refused(discharge("investigations", JUDGE), "head_judge_required")
    event.refused(ask.DischargeDuty(duty_id="none", by=JUDGE, at=T0), "not_found")
    for to, by in (("penalty_database", JUDGE), ("investigations", HEAD_JUDGE)):
        assert len(event.do(discharge(to, by))) == 1
        assert event.do(discharge(to, by)) == ()


def extensions(given: PenaltyGiven) -> list[tuple[int | None, int | None, str]]:
    return [(effect.round, effect.seconds, effect.rule) for effect in given.effects if effect.kind == "time_extension"]


def test_time_is_given_back_to_the_match_that_is_played() -> None:
    """I-85: an offense of round 1 that is ruled on in round 2 holds that match up; between rounds it holds up none."""
    event = organised(rounds=2)
    assert extensions(event.give("unsporting-minor", ruling_seconds=90)) == [(2, 90, "20-time-extension")]
    assert extensions(event.give("unsporting-minor", "b", ruling_seconds=90, between_rounds=True)) == []
    event.do(pairing(3, starts_at=T0 + timedelta(days=1)))
    assert extensions(event.give("unsporting-minor", "c", ruling_seconds=90)) == []


@pytest.mark.parametrize(("games", "seconds", "given"), [(1, 50, [(1, 50, "131-extension")]), (1, 200, []), (3, 50, [])])
def test_a_single_game_gets_the_time_back_that_tardiness_took(games: int, seconds: int, given: list[tuple[int, int, str]]) -> None:
    """I-85, D 131: within the limit of the pre-game procedure, and where the game is still played."""
    assert extensions(organised(rel="regular", games_per_match=games).give("tardiness", ruling_seconds=seconds)) == given
    assert extensions(organised(games_per_match=1).give("tardiness", ruling_seconds=50)) == []


def test_a_spectator_has_no_match_points() -> None:
    """D 20: they are taken off a player's total, and only as the guide details."""
    event = organised(games_per_match=1)
    event.do(entering("s", "spectator"))
    assert event.give("unsporting-major", "s").penalty == GL


def test_a_judge_who_plays_decides_nothing_that_touches_their_own_match() -> None:
    """A-38: nor in the match that a penalty is applied to, nor whether they themselves were too late, nor what is reported of them."""
    own = ask.Official(staff_id=JUDGE.staff_id, role="admin", player_id="b")
    event = organised(rounds=0)
    event.do(pairing(1, ("a", "c"), ("b", "d")))
    duty = event.give("tardiness", "b").duties[0]
    event.refused(ask.ReportLatecomer(person_id="b", by=own, at=T0), "conflict_of_interest")
    event.refused(ask.DischargeDuty(duty_id=duty.duty_id, by=own, at=T0), "conflict_of_interest")
    event.do(pairing(2, ("a", "b"), ("c", "d")))
    event.refused(offense("failure-to-desideboard", "a", by=own), "conflict_of_interest")
    assert event.give("failure-to-desideboard", "c", by=own).penalty == GL
