"""From the standard penalty to the one given: repeats, circumstances, the length of the match (I-72, I-73, I-77, I-80, I-83 to I-87)."""

from __future__ import annotations

from typing import Any

import pytest

from services.moderation.policy.penalties import CellChange
from services.moderation.tournaments import commands as ask
from tests.support.tournament import GUIDE, JUDGE, ORGANISER, T0, Event, offense, organised

C, W, MP, GL, ML = "caution", "warning", "match_point", "game_loss", "match_loss"
DQ, OUT = "disqualification", "disqualification_without_prize"


def rules(given: Any) -> list[str]:
    return [step.rule for step in given.steps]


def ladder(event: Event, infraction: str, times: int, **fields: Any) -> list[str | None]:
    """The penalties of one infraction, a round each; what is said holds from the second on."""
    given = []
    for number in range(times):
        if number:
            event.next_round()
        given.append(event.give(infraction, round=event.state.current_round, **(fields if number else {})).penalty)
    return given


@pytest.mark.parametrize("rel", ["competitive", "professional"])
def test_repeats_go_up_to_a_disqualification_with_prize(rel: str) -> None:
    """I-72, D 40."""
    event = organised(rel=rel)
    assert ladder(event, "unsporting-minor", 4) == [W, GL, ML, DQ]
    assert [step.rule for one in event.past.past[-1:] for step in one.steps] == ["40-repeat"]  # type: ignore[union-attr]


def test_at_regular_repeats_go_up_only_as_the_head_judge_says() -> None:
    """I-72, D 40."""
    assert ladder(organised(rel="regular"), "unsporting-minor", 3) == [C, C, C]
    assert ladder(organised(rel="regular"), "unsporting-minor", 5, upgrade=True) == [C, W, GL, ML, DQ]
    event = organised(rel="regular")
    event.refused(offense("unsporting-minor", upgrade=True), "upgrade_not_available")
    event.give("unsporting-minor")
    event.refused(offense("unsporting-minor", upgrade=True, by=JUDGE), "head_judge_required")


def test_a_repeat_starts_where_the_previous_one_ended() -> None:
    """I-72, I-77."""
    event = organised()
    assert event.give("unsporting-major", self_reported=True).penalty == W
    assert event.give("unsporting-major", game=2).penalty == GL
    deviated = event.give("wrong-opponent", deviation=ask.WantedDeviation(penalty=ML))
    assert (deviated.standard, deviated.penalty, rules(deviated)) == (W, ML, ["1-deviation"])
    assert event.give("wrong-opponent", game=2).penalty == DQ


def test_a_game_play_error_goes_up_only_from_the_one_it_is_like() -> None:
    """I-72, D 120."""
    event = organised()
    first = event.give("game-rule-violation")
    other = event.give("game-rule-violation", game=2)
    third = event.give("game-rule-violation", game=3, similar_to=first.penalty_id)
    assert (other.penalty, third.penalty, rules(third)) == (W, GL, ["120-similar"])
    mine = event.give("wrong-opponent")
    theirs = event.give("game-rule-violation", "b")
    for named in (mine.penalty_id, theirs.penalty_id, "nobody"):
        event.refused(offense("game-rule-violation", similar_to=named), "upgrade_not_available")
    event = organised(rel="regular")
    first = event.give("missed-trigger")
    event.refused(offense("missed-trigger", upgrade=True), "upgrade_not_available")
    assert event.give("missed-trigger", similar_to=first.penalty_id).penalty == C
    assert event.give("missed-trigger", similar_to=first.penalty_id, upgrade=True).penalty == W


def test_tardiness_goes_up_only_for_an_exceptional_reason() -> None:
    """I-72, D 131."""
    event = organised()
    event.refused(offense("tardiness", exceptional=True), "upgrade_not_available")
    assert event.give("tardiness", by=JUDGE).penalty == GL
    event.refused(offense("tardiness", upgrade=True), "upgrade_not_available")
    event.refused(offense("unsporting-minor", exceptional=True), "upgrade_not_available")
    given = event.give("tardiness", game=2, exceptional=True)
    assert (given.penalty, rules(given)) == (ML, ["131-exceptional"])


def test_ten_minutes_late_at_regular_are_game_losses() -> None:
    """D 131, I-82: the Warning at the beginning, then two Game Losses."""
    event = organised(rel="regular")
    assert event.give("tardiness", by=JUDGE).penalty == W
    later = [event.give("tardiness", by=JUDGE, ten_minutes=True) for _ in range(2)]
    assert [one.penalty for one in later] == [GL, GL]
    assert rules(later[0]) == ["131-ten-minutes"]
    event.refused(offense("unsporting-minor", ten_minutes=True), "not_applicable")


def test_an_unnoticeable_error_goes_one_step_up() -> None:
    """I-83, D 120: and only a Game Play Error does."""
    event = organised()
    given = event.give("game-rule-violation", unnoticeable=True, opponents_noticed=False)
    assert (given.penalty, rules(given)) == (GL, ["120-unnoticeable"])
    assert len(event.state.penalties) == 1, "who can't notice is not charged with failing to"
    event.refused(offense("unsporting-minor", unnoticeable=True), "not_applicable")


def test_a_caution_that_takes_long_is_a_warning() -> None:
    """I-85, D 20."""
    event = organised()
    given = event.give("incorrect-representation", took_long=True)
    assert (given.penalty, rules(given)) == (W, ["20-caution-long"])
    assert event.give("unsporting-minor", took_long=True).penalty == W


def test_a_self_report_is_one_step_and_no_deviation() -> None:
    """I-77, D 1."""
    event = organised()
    given = event.give("failure-to-desideboard", self_reported=True)
    assert (given.penalty, rules(given), given.deviation) == (W, ["1-self-report"], None)
    assert event.give("incorrect-representation", self_reported=True).penalty == C
    event.refused(offense("unsporting-minor", self_reported=True, by=JUDGE), "head_judge_required")
    event.refused(offense("fraud", self_reported=True), "not_applicable")


def test_only_exceptional_circumstances_are_reason_to_deviate() -> None:
    """I-77, D 1."""
    event = organised()
    for because in ("rel", "round", "age", "experience", "education", "judge_level"):
        refusal = event.refused(offense("unsporting-minor", deviation=ask.WantedDeviation(penalty=C, because=because)), "not_exceptional")
        assert refusal.allowed == ["exceptional_circumstances", "no_applicable_philosophy"]
    event.refused(offense("unsporting-minor", deviation=ask.WantedDeviation(penalty=MP)), "not_applicable")
    event.refused(offense("unsporting-minor", deviation=ask.WantedDeviation(penalty=C), by=JUDGE), "head_judge_required")


def one_game(**fields: Any) -> Event:
    return organised(games_per_match=1, **fields)


def test_a_first_game_loss_of_a_single_game_is_a_match_point() -> None:
    """I-73, I-72, I-87, D 20."""
    given = one_game().give("unsporting-major")
    assert (given.standard, given.penalty, rules(given)) == (GL, MP, ["20-match-point"])
    assert ladder(one_game(), "unsporting-major", 3) == [MP, ML, DQ]
    assert ladder(one_game(), "unsporting-minor", 2) == [W, GL]
    assert ladder(one_game(), "failure-to-reveal", 3) == [MP, GL, GL]


@pytest.mark.parametrize("exception", ["scoring", "cannot continue", "tardiness"])
def test_it_stays_a_game_loss_where_d_says_so(exception: str) -> None:
    """I-73, D 20, D 131."""
    event = one_game(scoring_version="2.10" if exception == "scoring" else "3.0")
    given = event.give("tardiness" if exception == "tardiness" else "unsporting-major", can_continue=exception != "cannot continue")
    assert given.penalty == GL


def test_in_elimination_a_single_game_is_the_match() -> None:
    """I-73, D 20."""
    given = one_game(stage="elimination").give("failure-to-reveal")
    assert (given.penalty, rules(given)) == (ML, ["20-one-game"])
    assert organised(stage="elimination").give("failure-to-reveal").penalty == GL


def test_the_rounds_own_length_counts() -> None:
    """D 30: "This refers to matches consisting of one game", though other rounds have more."""
    event = organised()
    event.next_round(games=1)
    assert event.give("failure-to-reveal", round=2).penalty == MP
    event = one_game()
    event.next_round(games=3)
    assert event.give("failure-to-reveal", round=2).penalty == GL


@pytest.mark.parametrize("stage", ["swiss", "elimination"])
def test_a_deck_error_before_a_single_game_is_a_match_point_and_the_deck_is_mended(stage: str) -> None:
    """I-84, D 110."""
    given = one_game(stage=stage).give("failure-to-desideboard", before_match=True, by=JUDGE)
    assert (given.penalty, given.remedy, rules(given)) == (MP, "deck_to_list", ["110-before-play"])
    assert one_game(scoring_version="2.9").give("failure-to-desideboard", before_match=True).penalty == GL


def test_deck_remedies() -> None:
    """I-84, D 110 to D 112."""
    event = organised()
    assert event.give("illegal-deck-legal-list", by=JUDGE).remedy == "deck_to_list"
    assert event.give("illegal-deck-legal-list", "b", clerical=True).remedy == "list_to_deck"
    event.refused(offense("illegal-deck-legal-list", "c", clerical=True, by=JUDGE), "head_judge_required")
    event.refused(offense("unsporting-minor", "c", clerical=True), "not_applicable")
    told = event.give("illegal-deck-legal-list", "c", told_at_once=True, by=JUDGE)
    assert (told.penalty, told.remedy, rules(told), told.duties) == (None, "note_missing", ["110-lost-sideboard"], ())
    assert event.give("illegal-deck-legal-list", "c", game=2, by=JUDGE).penalty == GL, "what cost nothing is no first offense"
    obvious = event.give("illegal-decklist", "d", obvious_card=True)
    assert (obvious.penalty, rules(obvious), obvious.deviation) == (W, ["111-obvious-card"], None)
    event.refused(offense("illegal-decklist", obvious_card=True, by=JUDGE), "head_judge_required")
    event.refused(offense("unsporting-minor", obvious_card=True), "not_applicable")


def test_an_unlisted_offense_is_a_caution_an_instruction_then_major() -> None:
    """I-80, D 30."""
    event = organised()
    first, second = event.give("unlisted-minor", by=JUDGE), event.give("unlisted-minor", by=JUDGE)
    assert (first.penalty, second.penalty, rules(second)) == (C, None, ["30-instruction"])
    event.refused(offense("unlisted-minor", by=JUDGE), "head_judge_required")
    third, fourth = event.give("unlisted-minor"), event.give("unlisted-minor", game=2)
    assert [(one.infraction, one.reported, one.penalty) for one in (third, fourth)] == [
        ("unsporting-major", "unlisted-minor", GL),
        ("unsporting-major", "unlisted-minor", ML),
    ]
    assert event.give("unsporting-major", "b").penalty == GL


def test_intent_is_charged_as_cheating() -> None:
    """I-86, D 1, D 150."""
    event = organised()
    for infraction in ("game-rule-violation", "failure-to-desideboard", "wrong-opponent", "looking-at-extra-cards", "tardiness"):
        refusal = event.refused(offense(infraction, intentional=True), "charge_as_cheating")
        assert {"fraud", "outside-assistance", "cheating-other", "unsporting-major"} <= set(refusal.allowed)
    assert event.give("fraud", intentional=True).penalty == OUT


def test_only_this_tournaments_own_past_counts() -> None:
    """D 1, I-72: there is no other in the state; the same person starts anew at the next tournament."""
    one, other = organised(), organised(tournament_id="t2")
    for _ in range(2):
        one.give("unsporting-minor")
    assert other.give("unsporting-minor").penalty == W
    assert one.give("unsporting-minor").penalty == ML


@pytest.mark.parametrize("flag", [{"upgrade": True}, {"similar_to": "nobody"}, {"exceptional": True}])
def test_what_costs_nothing_is_not_upgraded(flag: dict[str, Any]) -> None:
    """I-72: said and not heard would stand in the record as if it had counted."""
    event = organised()
    event.refused(offense("failure-to-desideboard", told_at_once=True, **flag), "upgrade_not_available")
    event.give("unlisted-minor")
    event.refused(offense("unlisted-minor", **flag), "upgrade_not_available")


def test_every_deck_error_before_a_single_game_is_a_match_point_at_most() -> None:
    """I-84, D 110: also where the organiser's table makes it a Game Loss."""
    cell = CellChange(infraction="improper-registration", rel="competitive", penalty=GL)
    event = one_game(stage="elimination")
    event.do(ask.SetTable(cells=(cell,), guide=GUIDE, by=ORGANISER, at=T0))
    assert event.give("improper-registration", before_match=True).penalty == MP
