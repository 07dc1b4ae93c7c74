"""Ranges and options need the decider's choice, and nothing else takes one (I-6)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.record import HEAD, NEW, ban_days, charge, decided, incident, kinds, outcomes, struck


@pytest.mark.parametrize(
    ("infraction", "allowed"),
    [
        ("objectionable-major", {"days": {"min": 1, "max": 7}}),
        ("spam-severe", {"days": {"min": 3, "max": 5}, "permanent": [True]}),
        ("slow-play-major", {"outcome": ["game_loss", "match_loss"]}),
    ],
)
def test_a_range_without_a_choice_is_refused_and_says_what_is_allowed(infraction: str, allowed: dict[str, Any]) -> None:
    """`discretion_required`."""
    assert NEW.when(incident(infraction)).refused("discretion_required").allowed == allowed


@pytest.mark.parametrize(("infraction", "low", "high"), [("objectionable-major", 1, 7), ("spam-severe", 3, 5)])
def test_each_day_of_a_range_may_be_chosen_and_none_outside(infraction: str, low: int, high: int) -> None:
    """D05: both ends included; zero, negative and longer ones are `discretion_out_of_range`."""
    for days in range(low, high + 1):
        assert ban_days(decided(NEW, incident(charge(infraction, days=days)))) == days
    for days in (low - 1, high + 1, 0, -1, 3650):
        NEW.when(incident(charge(infraction, days=days))).refused("discretion_out_of_range")


def test_severe_spam_may_be_permanent_at_the_first_strike_only_by_choice() -> None:
    assert kinds(decided(NEW, incident(charge("spam-severe", permanent=True))).sanctions) == ["permanent_ban"]
    NEW.when(incident(charge("spam-severe", days=3, permanent=True))).refused("discretion_not_allowed")


@pytest.mark.parametrize("choice", [{"days": 4}, {"permanent": True}])
def test_severe_spam_leaves_no_choice_after_the_first_strike(choice: dict[str, Any]) -> None:
    """I-3."""
    struck(1).when(incident(charge("spam-severe", **choice))).refused("discretion_not_allowed")


@pytest.mark.parametrize("outcome", ["game_loss", "match_loss"])
def test_slow_play_major_takes_either_loss(outcome: str) -> None:
    event = decided(NEW, incident(charge("slow-play-major", outcome=outcome)))
    assert (kinds(event.sanctions), event.strike) == ([outcome], None)


@pytest.mark.parametrize(
    ("infraction", "choice"),
    [
        ("spam-major", {"days": 3}),
        ("spam-major", {"permanent": True}),
        ("cheating", {"permanent": True}),
        ("harassment-minor", {"ip_ban": True}),
        ("hacking", {"ip_ban": True}),
        ("gameplay-major", {"outcome": "match_loss"}),
        ("slow-play-minor", {"outcome": "game_loss"}),
        ("profanity-to-admin", {"days": 1}),
        ("lurking", {"days": 3}),
        ("harassment-minor", {"warning_ignored": True}),
    ],
)
def test_a_choice_where_the_cell_leaves_none_is_refused(infraction: str, choice: dict[str, Any]) -> None:
    """`discretion_not_allowed`."""
    NEW.when(incident(charge(infraction, **choice))).refused("discretion_not_allowed")


@pytest.mark.parametrize(
    "choice", [{"days": 3}, {"permanent": True}, {"outcome": "game_loss"}, {"ip_ban": True}, {"upgrade": True}, {"warning_ignored": True}]
)
def test_an_unlisted_act_leaves_no_choice_besides_its_named_sanctions(choice: dict[str, Any]) -> None:
    """I-6, I-21: its sanctions are named; a choice beside them would be passed over in silence."""
    act = charge("unlisted", sanctions=outcomes("warning"), strike=False, **choice)
    NEW.when(incident(act, by=HEAD)).refused("discretion_not_allowed")


@pytest.mark.parametrize(("chosen", "expected"), [(False, ["permanent_ban"]), (True, ["ip_ban", "permanent_ban"])])
def test_lurking_takes_an_optional_ip_ban(*, chosen: bool, expected: list[str]) -> None:
    """S4: "possible IP ban"."""
    assert kinds(decided(NEW, incident(charge("lurking", ip_ban=chosen))).sanctions) == expected
    assert kinds(decided(struck(4), incident(charge("lurking", ip_ban=chosen))).sanctions) == expected


def test_an_upgraded_offense_takes_the_choice_of_the_row_it_became() -> None:
    """I-7 with I-6: the second Slow Play (Minor) in a duel is Major and needs its outcome."""
    past = NEW.after(incident("slow-play-minor", duel_id="d1"))
    past.when(incident("slow-play-minor", duel_id="d1")).refused("discretion_required")
    event = decided(past, incident(charge("slow-play-minor", outcome="match_loss"), duel_id="d1"))
    assert kinds(event.sanctions) == ["match_loss"]
    past.when(incident(charge("slow-play-minor", outcome="match_loss"), duel_id="d2")).refused("discretion_not_allowed")
