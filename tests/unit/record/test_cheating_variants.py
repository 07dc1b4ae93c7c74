"""Note taking and coaching are forms of Cheating (I-11)."""

from __future__ import annotations

import pytest

from tests.support.record import NEW, ban_days, charge, decided, incident, kinds, struck


@pytest.mark.parametrize("strikes", range(6))
def test_proven_note_taking_is_permanent_at_any_strike_count(strikes: int) -> None:
    event = decided(struck(strikes), incident(charge("cheating", variant="note-taking")))
    assert (kinds(event.sanctions), event.strike) == (["permanent_ban"], strikes + 1)
    assert event.offenses[0].variant == "note-taking"


@pytest.mark.parametrize(("strikes", "days"), [(0, 5), (1, None), (2, None)])
def test_coaching_is_on_the_ordinary_ladder(strikes: int, days: int | None) -> None:
    event = decided(struck(strikes), incident(charge("cheating", variant="coaching")))
    assert (ban_days(event), event.offenses[0].variant) == (days, "coaching")
    assert kinds(event.sanctions) == (["ban"] if days else ["permanent_ban"])


@pytest.mark.parametrize(
    ("infraction", "variant"), [("cheating", "mind-reading"), ("spam-major", "note-taking"), ("cheating", ""), ("unlisted", "coaching")]
)
def test_a_variant_that_the_row_does_not_know_is_refused(infraction: str, variant: str) -> None:
    """`unknown_variant`."""
    NEW.when(incident(charge(infraction, variant=variant))).refused("unknown_variant")


def test_cheating_in_two_forms_at_once_is_one_infraction_twice() -> None:
    """I-4."""
    NEW.when(incident(charge("cheating", variant="coaching"), charge("cheating", variant="note-taking"))).refused("duplicate_infraction")
