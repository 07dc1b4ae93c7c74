"""Repeats: what becomes more by itself (I-7), and what may be made more by the decider (I-8, I-10)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.support.record import DAY, NEW, T0, TICK, WEEK, adjustment, ban_days, charge, decided, imported, incident, kinds, standing, struck

THEN = T0 - 20 * DAY
WINDOW = [(timedelta(0), True), (timedelta(seconds=1), True), (WEEK - TICK, True), (WEEK, True), (WEEK + TICK, False), (12 * DAY, False)]


@pytest.mark.parametrize(("minor", "choice", "major", "loss"), [
    ("gameplay-minor", {}, "gameplay-major", "game_loss"),
    ("slow-play-minor", {"outcome": "match_loss"}, "slow-play-major", "match_loss"),
])  # fmt: skip
def test_a_second_minor_in_the_same_duel_room_becomes_major(minor: str, choice: dict[str, str], major: str, loss: str) -> None:
    """I-7: the assessment says what it was upgraded from."""
    past = NEW.after(incident(minor, duel_id="d1"))
    event = decided(past, incident(charge(minor, **choice), duel_id="d1"))
    (line,) = event.offenses
    assert (line.charged, line.infraction, line.upgraded_from) == (minor, major, minor)
    assert (kinds(event.sanctions), event.strike) == ([loss], None)


@pytest.mark.parametrize(("first", "second"), [("d1", "d2"), (None, "d1"), ("d1", None), (None, None)])
def test_a_minor_outside_the_same_duel_room_stays_minor(first: str | None, second: str | None) -> None:
    """I-7: two incidents without a room are not in the same one."""
    event = decided(NEW.after(incident("gameplay-minor", duel_id=first)), incident("gameplay-minor", duel_id=second))
    assert (kinds(event.sanctions), event.offenses[0].upgraded_from) == (["in_duel_warning"], None)


def test_a_third_minor_in_the_duel_is_a_second_again() -> None:
    """I-7: the upgraded one is no further Minor, but the first still is one."""
    past = NEW.after(incident("gameplay-minor", duel_id="d1"), incident("gameplay-minor", duel_id="d1"))
    assert decided(past, incident("gameplay-minor", duel_id="d1")).offenses[0].upgraded_from == "gameplay-minor"


@pytest.mark.parametrize(("gap", "upgraded"), WINDOW)
def test_a_second_minor_unsporting_conduct_within_seven_days_becomes_major(*, gap: timedelta, upgraded: bool) -> None:
    """I-7, D18: between the acts, edge included."""
    past = NEW.after(incident("unsporting-minor", occurred_at=THEN))
    event = decided(past, incident("unsporting-minor", occurred_at=THEN + gap))
    assert kinds(event.sanctions) == (["game_loss", "warning"] if upgraded else ["warning"])
    assert event.strike is None


def test_an_upgraded_unsporting_conduct_does_not_upgrade_the_next() -> None:
    """I-7: days 0, 5 and 10."""
    past = NEW.after(incident("unsporting-minor", occurred_at=THEN), incident("unsporting-minor", occurred_at=THEN + 5 * DAY))
    assert kinds(decided(past, incident("unsporting-minor", occurred_at=THEN + 10 * DAY)).sanctions) == ["warning"]


def test_recorded_out_of_order_the_earlier_act_is_the_first_and_the_earlier_decision_stays() -> None:
    """I-7."""
    past = NEW.after(incident("unsporting-minor", occurred_at=THEN + 5 * DAY))
    before = past.state()
    late = decided(past, incident("unsporting-minor", occurred_at=THEN))
    assert late.offenses[0].upgraded_from is None
    after = past.given(late).state()
    assert all(after.incidents[name] == incident for name, incident in before.incidents.items())


def test_an_act_entered_late_counts_from_when_it_happened() -> None:
    """D18: seen at T0, entered two days later, and the window runs from T0."""
    past = NEW.after(incident("harassment-minor", occurred_at=THEN, at=THEN + 2 * DAY))
    for gap, offered in ((WEEK, True), (WEEK + TICK, False)):
        (line,) = decided(past, incident("harassment-minor", occurred_at=THEN + gap)).offenses
        assert (line.upgradable_to is not None) is offered


@pytest.mark.parametrize(("gap", "available"), WINDOW)
@pytest.mark.parametrize(("minor", "major", "days"), [("harassment-minor", "harassment-major", 2), ("spam-minor", "spam-major", 1)])
def test_a_second_minor_within_seven_days_may_become_major(minor: str, major: str, days: int, *, gap: timedelta, available: bool) -> None:
    """I-8, D18: offered, never forced; refused where the condition does not hold."""
    past = NEW.after(incident(minor, occurred_at=THEN))
    (line,) = decided(past, incident(minor, occurred_at=THEN + gap)).offenses
    assert line.upgradable_to == (major if available else None)
    assert kinds(line.sanctions) == ["warning"]
    chosen = incident(charge(minor, upgrade=True), occurred_at=THEN + gap)
    if not available:
        past.when(chosen).refused("upgrade_not_available")
        return
    event = decided(past, chosen)
    assert (ban_days(event), event.strike, event.offenses[0].upgraded_from) == (days, 1, minor)
    assert event.offenses[0].upgradable_to is None


@pytest.mark.parametrize(
    "infraction", ["harassment-minor", "spam-minor", "rule-sharking", "non-compliance", "spam-major", "gameplay-minor", "profanity-to-admin"]
)
def test_a_first_offense_or_one_without_an_upgrade_is_not_upgraded(infraction: str) -> None:
    """I-8: `upgrade_not_available`."""
    NEW.when(incident(charge(infraction, upgrade=True), duel_id="d1")).refused("upgrade_not_available")


def test_an_offense_that_was_upgraded_is_no_earlier_minor() -> None:
    """I-8: days 0, 5 and 10."""
    past = NEW.after(incident("harassment-minor", occurred_at=THEN), incident(charge("harassment-minor", upgrade=True), occurred_at=THEN + 5 * DAY))
    past.when(incident(charge("harassment-minor", upgrade=True), occurred_at=THEN + 10 * DAY)).refused("upgrade_not_available")


def test_another_category_is_no_repeat() -> None:
    """D18: Spam (Minor) first, then Harassment (Minor) and Unsporting Conduct (Minor)."""
    past = NEW.after(incident("spam-minor"))
    assert decided(past, incident("harassment-minor")).offenses[0].upgradable_to is None
    assert decided(past, incident("unsporting-minor")).offenses[0].upgraded_from is None


def test_a_spam_warning_that_was_ignored_makes_the_next_spam_major_at_any_distance() -> None:
    """I-8: but a warning that was never given can't be ignored."""
    past = NEW.after(incident("spam-minor", occurred_at=T0 - 300 * DAY))
    (line,) = decided(past, incident(charge("spam-minor", warning_ignored=True))).offenses
    assert line.upgradable_to == "spam-major"
    event = decided(past, incident(charge("spam-minor", upgrade=True, warning_ignored=True)))
    assert (ban_days(event), event.strike) == (1, 1)
    past.when(incident(charge("spam-minor", upgrade=True))).refused("upgrade_not_available")
    NEW.when(incident(charge("spam-minor", upgrade=True, warning_ignored=True))).refused("upgrade_not_available")


def test_a_second_rule_sharking_in_the_duel_may_become_a_game_loss_without_a_strike() -> None:
    """I-8, S1."""
    past = NEW.after(incident("rule-sharking", duel_id="d1"))
    offered = decided(past, incident("rule-sharking", duel_id="d1"))
    assert (kinds(offered.sanctions), offered.offenses[0].upgradable_to) == (["in_duel_warning"], "game_loss")
    chosen = decided(past, incident(charge("rule-sharking", upgrade=True), duel_id="d1"))
    assert (kinds(chosen.sanctions), chosen.strike) == (["game_loss"], None)
    past.when(incident(charge("rule-sharking", upgrade=True), duel_id="d2")).refused("upgrade_not_available")


def test_a_repeated_non_compliance_may_become_trolling_at_any_distance() -> None:
    """I-8: any time, and at the player's own column (I-2)."""
    past = struck(1).after(incident("non-compliance", occurred_at=T0 - 3000 * DAY))
    event = decided(past, incident(charge("non-compliance", upgrade=True)))
    assert (event.offenses[0].infraction, ban_days(event), event.strike) == ("trolling-major", 5, 2)


def test_profanity_to_an_admin_is_a_minor_harassment_first_and_second() -> None:
    """I-10: the derived offense is in the assessment, makes the next one a second, and may be upgraded itself."""
    first = decided(NEW, incident("profanity-to-admin"))
    assert [(line.infraction, line.derived_from) for line in first.offenses] == [
        ("profanity-to-admin", None),
        ("harassment-minor", "profanity-to-admin"),
    ]
    assert (kinds(first.sanctions), first.strike) == (["game_loss", "warning"], None)
    past = NEW.given(first)
    assert ban_days(decided(past, incident(charge("harassment-minor", upgrade=True)))) == 2
    again = decided(past, incident(charge("profanity-to-admin", upgrade=True)))
    assert (kinds(again.sanctions), ban_days(again), again.strike, again.legal_review) == (["ban", "game_loss"], 2, 1, True)
    assert standing(past).warnings == 1


def test_an_upgrade_puts_the_incident_under_legal_review_where_the_major_row_does() -> None:
    """I-8, I-17."""
    past = NEW.after(incident("harassment-minor"))
    assert decided(past, incident(charge("harassment-minor", upgrade=True))).legal_review
    assert not decided(past, incident("harassment-minor")).legal_review


def test_an_imported_minor_is_an_earlier_one() -> None:
    """I-8, I-22: it happened, whoever recorded it; its moment is that of its decision."""
    past = NEW.after(imported("warning", infraction="harassment-minor", decided_at=T0 - DAY, strike=False))
    assert decided(past, incident("harassment-minor")).offenses[0].upgradable_to == "harassment-major"


def test_a_minor_whose_sanctions_were_lowered_is_still_an_earlier_one() -> None:
    """I-7, I-20: only overturned ones never count."""
    first = decided(NEW, incident("unsporting-minor"))
    past = NEW.given(first).after(adjustment(first.incident_id, strike=False))
    assert decided(past, incident("unsporting-minor")).offenses[0].upgraded_from == "unsporting-minor"
