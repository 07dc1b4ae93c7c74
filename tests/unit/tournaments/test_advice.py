"""The two decision tables (I-81, I-82)."""

from __future__ import annotations

from datetime import timedelta
from itertools import product

import pytest

from services.moderation.tournaments.advice import Tardiness, Trigger, missed_trigger, tardiness
from services.moderation.tournaments.state import Round, TournamentState
from tests.support.tournament import GUIDE, T0


@pytest.mark.parametrize(
    ("answers", "remedy"),
    [
        ((True, True, True, False, True), ("no_penalty", "123-optional")),
        ((True, True, True, True, True), ("resolve_default", "123-default")),
        ((False, False, False, False, False), ("assume_resolved", "123-invisible")),
        ((False, True, True, True, False), ("resolve_default", "123-default")),
        ((False, True, False, False, True), ("put_on_stack", "123-turn-cycle")),
        ((False, False, True, False, False), ("continue_without", "123-too-late")),
    ],
)
def test_a_missed_triggers_remedy(answers: tuple[bool, ...], remedy: tuple[str, str]) -> None:
    """I-81, D 123: an optional one with a consequence is no optional one."""
    assert missed_trigger(Trigger(**dict(zip(Trigger.__dataclass_fields__, answers, strict=True)))) == remedy


def test_every_answer_has_a_remedy_and_a_rule_of_the_guide() -> None:
    for answers in product((True, False), repeat=5):
        _, rule = missed_trigger(Trigger(**dict(zip(Trigger.__dataclass_fields__, answers, strict=True))))
        assert rule in GUIDE.rules


def costs(
    seconds: float | None, *, rel: str = "competitive", games: int = 3, grace: int = 0, early: float = 0, reported: bool = False
) -> tuple[object, ...]:
    state = TournamentState(version=1, rel=rel, grace_seconds=grace)
    round_ = Round(number=1, stage="swiss", games=games, pairings=(), starts_at=T0)
    began = T0 - timedelta(seconds=early)
    seated = None if seconds is None else began + timedelta(seconds=seconds)
    found = tardiness(Tardiness(began_at=began, seated_at=seated, reported=reported), round_, state, GUIDE)
    assert set(found.rules) <= GUIDE.rules.keys()
    return found.penalties, found.dropped, found.time_extension_seconds


GL, W = "game_loss", "warning"


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        (costs(0), ((), False, 0)),
        (costs(1), ((GL,), False, 0)),
        (costs(599.9), ((GL,), False, 0)),
        (costs(600), ((GL, GL), True, 0)),
        (costs(None, reported=True), ((GL, GL), False, 0)),
        (costs(601, rel="regular"), ((W, GL, GL), True, 0)),
        (costs(59, early=60), ((), False, 0)),
        (costs(60, early=60), ((GL,), False, 0)),
        (costs(180, grace=180), ((), False, 0)),
        (costs(181, grace=180), ((GL,), False, 0)),
        (costs(60, rel="professional", grace=180), ((GL,), False, 0)),
        (costs(60, rel="professional", games=1, grace=180), ((), False, 60)),
        (costs(60, games=1), ((GL,), True, 0)),
        (costs(60, games=1, rel="regular"), ((W,), False, 60)),
        (costs(300, games=1, rel="regular"), ((W,), False, 0)),
    ],
)
def test_what_tardiness_costs(asked: tuple[object, ...], found: tuple[object, ...]) -> None:
    """I-82, D 131."""
    assert asked == found
