"""Game Losses that can't be applied where they fell: they wait for a game that the player has still to play (I-74, D 20, D 30)."""

from __future__ import annotations

import pytest

from services.moderation.tournaments import commands as ask
from services.moderation.tournaments.events import PenaltyMoved
from services.moderation.tournaments.sheet import sheet_view
from tests.support.tournament import Event, effects, offense, organised, pairing, place

ML = ask.WantedDeviation(penalty="match_loss")


def match_loss(person: str, **fields: object) -> ask.GivePenalty:
    return offense("unsporting-minor", person, deviation=ML, **fields)


def places(event: Event, person: str) -> list[tuple[int, int | None]]:
    return [(one.applies_to.round, one.applies_to.game) for one in event.state.of_person(person) if one.applies_to is not None]


def test_a_game_that_is_lost_already_is_not_lost_again_by_one_that_is_carried_over() -> None:
    """D 30: round 2's first game is lost by another penalty when the second gives way."""
    event = organised()
    event.give("failure-to-reveal", opponent_match_loss=True)
    event.give("failure-to-desideboard")
    assert places(event, "a") == [(2, 1), (1, 1)]
    event.do(match_loss("b"))
    assert places(event, "a") == [(2, 1), (2, 2)]


def test_several_that_are_carried_over_are_as_many_games() -> None:
    event = organised()
    for infraction in ("failure-to-reveal", "failure-to-desideboard", "drawing-extra-cards", "tardiness"):
        event.give(infraction, "a")
    event.do(match_loss("b"))
    assert places(event, "a") == [(2, 2), (2, 3), (3, 1), (2, 1)], "the last one was for round 2 before"


def test_one_for_a_game_that_is_not_played_any_more_waits_for_the_next_round() -> None:
    """D 30: the match is lost whole in game 2, so game 3 never comes."""
    event = organised()
    pending = event.give("failure-to-reveal", new_game_began=True)
    done = event.give("failure-to-desideboard", game=1)
    assert (place(pending), place(done)) == ((1, 3), (1, 1))
    moved = [one for one in event.do(match_loss("a", game=2)) if isinstance(one, PenaltyMoved)]
    assert [(one.penalty_id, one.rule) for one in moved] == [(pending.penalty_id, "30-severest-first")]
    assert places(event, "a")[:2] == [(2, 1), (1, 1)]


def test_one_given_before_a_match_gives_way_when_that_match_is_lost_before_it_begins() -> None:
    event = organised()
    event.give("failure-to-reveal", between_rounds=True)
    event.next_round()
    event.do(match_loss("a", round=2, before_match=True))
    assert places(event, "a") == [(3, 1), (2, None)]


def test_one_waits_while_a_second_match_loss_takes_its_round() -> None:
    """Round 1's match is lost already, so the second Match Loss is round 2's, and the Game Loss there can't be applied."""
    event = organised()
    event.do(match_loss("a"))
    event.give("failure-to-reveal")
    assert places(event, "a") == [(1, None), (2, 1)]
    event.do(offense("wrong-opponent", deviation=ML))
    assert places(event, "a") == [(1, None), (3, 1), (2, None)]


def test_one_found_later_is_not_put_into_a_match_that_is_lost_whole() -> None:
    event = organised(rounds=2)
    event.do(match_loss("a", round=2))
    assert place(event.give("failure-to-reveal", round=1)) == (3, 1)


def test_the_opponent_is_that_of_the_match_which_is_lost() -> None:
    """D 20: an old offense costs the current match, and there the opponent is another."""
    event = organised()
    event.next_round(("a", "c"), ("b", "d"))
    theirs = event.give("failure-to-reveal", "c", round=2, game=2)
    event.do(match_loss("a", round=1, game=2))
    assert places(event, "c") == [(2, 2)], "given for another game than the one that the judges speak of"
    pending = event.give("failure-to-desideboard", "c", round=2, game=3)
    assert place(pending) == (3, 1), "that match is over"
    assert theirs.applies_to != pending.applies_to


def test_a_bye_has_no_game_to_lose() -> None:
    """I-74: the next game is one that is played."""
    event = organised(rounds=0)
    event.do(pairing(1, ("a", "b"), ("c",)))
    assert place(event.give("failure-to-desideboard", "c")) == (2, 1)
    carried = event.give("failure-to-reveal", "a", between_rounds=True)
    moved = event.do(pairing(2, ("b", "c"), ("a",)))
    assert [(one.penalty_id, one.rule) for one in moved if isinstance(one, PenaltyMoved)] == [(carried.penalty_id, "20-which-game")]
    assert effects(event.now(carried.penalty_id))[0] == ("lose_game", "a", 3, 1)
    assert [line["person_id"] for line in sheet_view(event.state, 2)["game_losses"]] == ["c"]


@pytest.mark.parametrize("how", ["between rounds", "before the first round", "carried over"])
def test_a_game_lost_before_its_match_begins_takes_both_sides_their_sideboards(how: str) -> None:
    """I-74, D 20: "issued before the match begins"; the sheet knows whom the player meets."""
    event = organised(rounds=0 if how == "before the first round" else 1)
    if how == "before the first round":
        event.give("illegal-decklist", round=0)
    elif how == "between rounds":
        event.give("failure-to-reveal", game=3, between_rounds=True)
    else:
        event.give("failure-to-reveal")
        event.do(match_loss("b"))
    number = event.next_round(("a", "c"), ("b", "d"))
    bans = [(line["person_id"], line["game"]) for line in sheet_view(event.state, number)["sideboard_bans"]]
    assert bans == [("a", 2), ("c", 2)]
    assert sheet_view(event.state, number)["game_losses"][0]["game"] == 1


def test_during_a_match_nobodys_sideboard_is_taken() -> None:
    event = organised(rounds=2)
    event.give("failure-to-reveal", round=2)
    event.give("failure-to-reveal", "c", round=1)
    assert sheet_view(event.state, 2)["sideboard_bans"] == []


def test_what_else_a_game_loss_brought_is_carried_along() -> None:
    """T04, I-82: who was late twice is dropped unless they report, also when the opponent loses the match."""
    event = organised()
    for _ in range(2):
        late = event.give("tardiness", "a")
    event.do(match_loss("b"))
    assert ("drop", "a", 1, None) in effects(event.now(late.penalty_id))
    event.refused(pairing(2), "not_applicable")


def test_a_round_of_single_games_takes_what_fits_into_it() -> None:
    """I-74: of two Game Losses that wait, the second waits on; there is no second game in which to choose."""
    event = organised()
    first = event.give("failure-to-reveal", between_rounds=True)
    second = event.give("failure-to-desideboard", between_rounds=True)
    assert places(event, "a") == [(2, 1), (2, 2)]
    event.next_round(games=1)
    assert places(event, "a") == [(2, 1), (3, 1)]
    assert effects(event.now(first.penalty_id)) == [("lose_game", "a", 2, 1)]
    assert effects(event.now(second.penalty_id))[0] == ("lose_game", "a", 3, 1)
