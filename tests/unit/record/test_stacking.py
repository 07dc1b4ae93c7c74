"""Several offenses in one incident (I-4, I-9, I-10, I-12, I-17)."""

from __future__ import annotations

import pytest

from services.moderation.record.commands import Charge
from tests.support.record import DAY, HEAD, NEW, T0, ban_days, charge, decided, incident, kinds, outcomes, standing, struck


@pytest.mark.parametrize(
    ("strikes", "offenses", "days"),
    [
        (0, ["harassment-major", "malicious-afk"], 2 + 3),
        (1, ["harassment-major", "malicious-afk"], 4 + 5),
        (2, ["harassment-major", "malicious-afk"], 7 + 7),
        (0, ["spam-major", "trolling-major", "harassment-major"], 1 + 3 + 2),
        (0, [charge("objectionable-major", days=4), charge("spam-severe", days=5), "spam-major"], 4 + 5 + 1),
    ],
)
def test_timed_bans_add_up_at_one_column_and_add_one_strike(strikes: int, offenses: list[str | Charge], days: int) -> None:
    """L09, S: "the punishment durations stack even though only a single strike is added"."""
    event = decided(struck(strikes), incident(*offenses))
    (ban,) = event.sanctions
    assert (ban.kind, ban.days, ban.ends_at) == ("ban", days, T0 + days * DAY)
    assert event.strike == strikes + 1
    assert {line.column for line in event.offenses} == {strikes + 1}


def test_a_permanent_ban_takes_the_days_in() -> None:
    """L09: Cheating and Spam (Major) at one strike."""
    event = decided(struck(1), incident("cheating", "spam-major"))
    assert (kinds(event.sanctions), event.strike) == (["permanent_ban"], 2)


def test_an_ip_ban_takes_the_days_in_too() -> None:
    """I-12."""
    assert kinds(decided(NEW, incident("doxing", "spam-major")).sanctions) == ["ip_ban", "permanent_ban"]


def test_other_sanctions_are_united() -> None:
    """A warning twice is one warning; two losses of different kinds stay two."""
    assert kinds(decided(NEW, incident("harassment-minor", "spam-minor")).sanctions) == ["warning"]
    assert kinds(decided(NEW, incident("gameplay-major", "unsporting-major")).sanctions) == ["game_loss", "warning"]
    both = decided(NEW, incident("gameplay-major", charge("slow-play-major", outcome="match_loss")))
    assert kinds(both.sanctions) == ["game_loss", "match_loss"]
    assert standing(NEW.after(incident("harassment-minor", "spam-minor"))).warnings == 1


def test_a_part_without_a_strike_adds_neither_strike_nor_days() -> None:
    """L09."""
    event = decided(NEW, incident("spam-major", "harassment-minor", "gameplay-minor"))
    assert (kinds(event.sanctions), ban_days(event), event.strike) == (["ban", "in_duel_warning", "warning"], 1, 1)


def test_the_same_infraction_twice_is_refused() -> None:
    """L09: `duplicate_infraction`."""
    refusal = NEW.when(incident("spam-major", "cheating", "spam-major")).refused("duplicate_infraction")
    assert refusal.field == "offenses[2].infraction"


@pytest.mark.parametrize("order", [("profanity-to-admin", "harassment-minor"), ("harassment-minor", "profanity-to-admin")])
def test_profanity_to_an_admin_is_a_harassment_already_so_both_are_a_duplicate(order: tuple[str, str]) -> None:
    """I-10 with I-4."""
    NEW.when(incident(*order)).refused("duplicate_infraction")


def test_an_offense_upgraded_to_a_row_that_is_charged_besides_is_a_duplicate() -> None:
    """I-8 with I-4: else one row would be read twice and its days would double."""
    past = NEW.after(incident("harassment-minor"))
    past.when(incident(charge("harassment-minor", upgrade=True), "harassment-major")).refused("duplicate_infraction")
    assert ban_days(decided(past, incident("harassment-minor", "harassment-major"))) == 2


def test_a_removed_cosmetic_adds_no_strike_and_its_content_may_be_charged_besides() -> None:
    """I-9."""
    alone = decided(NEW, incident("custom-cosmetics"))
    assert (kinds(alone.sanctions), alone.strike) == (["cosmetic_removal"], None)
    both = decided(NEW, incident("custom-cosmetics", charge("objectionable-major", days=2)))
    assert (kinds(both.sanctions), ban_days(both), both.strike) == (["ban", "cosmetic_removal"], 2, 1)


@pytest.mark.parametrize("marked", ["harassment-major", "harassment-severe"])
def test_one_asterisk_puts_the_whole_incident_and_the_standing_under_legal_review(marked: str) -> None:
    """I-17."""
    past = NEW.after(incident("spam-major", marked))
    assert standing(past).legal_review
    assert not standing(NEW.after(incident("spam-major", "hate-speech"))).legal_review


def test_a_sum_over_the_longest_ban_is_refused_and_never_clamped() -> None:
    """D13: an unlisted ban of 3,650 days with one more day."""
    longest = charge("unlisted", sanctions=outcomes(3650), strike=True)
    NEW.when(incident(longest, "spam-major", by=HEAD)).refused("duration_too_long")
    assert ban_days(decided(NEW, incident(longest, by=HEAD))) == 3650
