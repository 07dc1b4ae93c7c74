"""Where penalties are applied, and which give way (I-74, I-75; T02, T03)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from services.moderation.tournaments import commands as ask
from services.moderation.tournaments.events import PenaltyAbsorbed, PenaltyMoved
from tests.support.tournament import (
    ORGANISER,
    T0,
    effects,
    kinds,
    offense,
    organised,
    pairing,
    place,
)

C, W, MP, GL, ML = "caution", "warning", "match_point", "game_loss", "match_loss"


def test_a_game_loss_is_for_the_game_of_the_offense_and_the_loser_chooses() -> None:
    """I-74, D 20."""
    given = organised().give("failure-to-reveal", game=2)
    assert place(given) == (1, 2)
    assert effects(given) == [("lose_game", "a", 1, 2), ("chooses_play_or_draw", "a", 1, 3)]
    assert effects(organised().give("failure-to-reveal", game=3)) == [("lose_game", "a", 1, 3)], "no game follows"


@pytest.mark.parametrize(
    ("game", "situation", "found"),
    [
        (1, {"new_game_began": True}, (1, 3)),
        (2, {"new_game_began": True}, (2, 1)),
        (3, {"between_rounds": True}, (2, 1)),
        (1, {"opponent_match_loss": True}, (2, 1)),
        (2, {"before_match": True}, (1, 1)),
    ],
)
def test_otherwise_it_is_for_the_players_next_game(game: int, situation: dict[str, Any], found: tuple[int, int]) -> None:
    """I-74, D 20: the first not begun."""
    assert place(organised().give("failure-to-reveal", game=game, **situation)) == found


def test_a_round_paired_ahead_is_the_next_one() -> None:
    """I-74: its first game has not begun."""
    event = organised()
    event.do(pairing(2, starts_at=T0 + timedelta(days=1)))
    assert place(event.give("failure-to-reveal", between_rounds=True)) == (2, 1)
    assert place(event.give("failure-to-reveal", "b", at=T0 + timedelta(hours=3))) == (2, 1), "found after the round"


def test_an_offense_of_an_earlier_round_is_applied_in_the_current_one() -> None:
    """I-74, D 20."""
    event = organised(rounds=2)
    assert place(event.give("failure-to-reveal")) == (2, 2), "game 1 of round 2 has begun"
    event.give("unsporting-major", "b", round=1)
    assert place(event.give("unsporting-major", "b", round=1)) == (2, None)


def test_a_game_is_lost_once() -> None:
    """D 30: what can't be applied any more waits."""
    event = organised()
    places = [place(event.give(infraction)) for infraction in ("failure-to-reveal", "failure-to-desideboard", "drawing-extra-cards", "tardiness")]
    assert places == [(1, 1), (1, 2), (1, 3), (2, 1)]


def test_before_the_match_neither_side_uses_sideboards() -> None:
    """I-74, D 20: in the first game that they play."""
    given = organised().give("failure-to-desideboard", before_match=True)
    bans = [effect for effect in effects(given) if effect[0] == "no_sideboards_first_game"]
    assert bans == [("no_sideboards_first_game", "a", 1, 2), ("no_sideboards_first_game", "b", 1, 2)]
    assert "no_sideboards_first_game" not in kinds(organised(games_per_match=1).give("tardiness", before_match=True))


def test_t03_simultaneous_game_losses_are_both_applied() -> None:
    """T03, I-74, D 20: even if one of them decides the match."""
    event = organised()
    assert [place(event.give("failure-to-reveal", person, game=2)) for person in ("a", "b")] == [(1, 2), (1, 2)]


def match_loss(person: str, game: int = 1) -> ask.GivePenalty:
    return offense("unsporting-minor", person, game=game, deviation=ask.WantedDeviation(penalty=ML))


@pytest.mark.parametrize("match_loss_first", [True, False])
def test_t03_a_game_loss_beside_the_opponents_match_loss_is_carried_over(*, match_loss_first: bool) -> None:
    """T03, I-74, D 20: in whichever order the two are entered."""
    event = organised()
    if match_loss_first:
        event.do(match_loss("b"))
    given = event.give("failure-to-reveal", "a")
    if not match_loss_first:
        moved = event.do(match_loss("b"))[1]
        assert isinstance(moved, PenaltyMoved)
        assert (moved.penalty_id, moved.rule) == (given.penalty_id, "20-opponent-match-loss")
    assert place(event.now(given.penalty_id)) == (2, 1)
    assert effects(event.now(given.penalty_id))[0] == ("lose_game", "a", 2, 1)


def test_t03_a_game_loss_beside_ones_own_match_loss_is_carried_over() -> None:
    """T03, I-74, D 30: the graver first."""
    event = organised()
    earlier, here = event.give("failure-to-reveal", game=1), event.give("failure-to-desideboard", game=2)
    event.do(match_loss("a", game=2))
    assert place(event.now(earlier.penalty_id)) == (1, 1), "that game was lost before"
    assert place(event.now(here.penalty_id)) == (2, 1)
    assert place(event.give("drawing-extra-cards", game=2)) == (2, 2), "the first game of round 2 is lost already"


def test_two_match_losses_are_two_matches() -> None:
    """D 30."""
    event = organised()
    assert [
        place(event.give("wrong-opponent", deviation=ask.WantedDeviation(penalty=ML))),
        place(event.give("unsporting-minor", deviation=ask.WantedDeviation(penalty=ML))),
    ] == [
        (1, None),
        (2, None),
    ]


def test_t02_a_dropped_player_is_still_penalised() -> None:
    """T02, I-74, D 20."""
    event = organised()
    event.do(ask.DropPerson(person_id="a", by=ORGANISER, at=T0))
    assert [event.give("unsporting-major", game=game).penalty for game in (1, 2)] == [GL, ML]
    event.refused(pairing(2), "not_applicable")
    event.do(pairing(2, ("b", "c"), ("d",)))


def test_only_the_gravest_of_one_root_cause_is_applied() -> None:
    """I-75, D 30: whichever is found first."""
    event = organised()
    first = event.give("improper-registration", cause="x")
    graver = event.do(offense("failure-to-desideboard", cause="x"))
    assert isinstance(graver[1], PenaltyAbsorbed)
    assert (event.now(first.penalty_id).absorbed, event.now(first.penalty_id).applies_to, event.now(first.penalty_id).effects) == (True, None, ())
    assert {duty.penalty_id for duty in event.state.duties.values()} == {graver[0].penalty_id}  # type: ignore[union-attr]
    lesser = event.give("wrong-opponent", cause="x")
    assert (lesser.penalty, lesser.absorbed, lesser.applies_to, lesser.effects, lesser.duties) == (W, True, None, (), ())
    assert event.give("wrong-opponent", cause="y").penalty == W, "an absorbed one is no first offense"
    assert event.give("wrong-opponent", "b", cause="x").absorbed is False
    again = event.give("failure-to-desideboard", cause="x")
    assert (again.penalty, again.absorbed) == (GL, True), "the same matter is no repeat"
