"""A Head Admin's adjustments (I-20), unlisted acts (I-21), imported history (I-22), effects carried out (I-16)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from services.moderation.record.commands import AcknowledgeEffect, Charge, Decider
from services.moderation.record.events import IncidentDecided, IncidentImported, IncidentOverturned, Outcome, SanctionsAdjusted
from tests.support.record import (
    ADMIN,
    DAY,
    HEAD,
    NEW,
    SENIOR,
    T0,
    TICK,
    Past,
    adjustment,
    ban_days,
    charge,
    decided,
    imported,
    incident,
    kinds,
    outcomes,
    standing,
    struck,
)  # fmt: skip


def first(past: Past) -> str:
    return next(iter(past.state().incidents))


def given(*infractions: str) -> tuple[Past, str]:
    past = NEW.after(*(incident(name) for name in infractions))
    return past, first(past)


def test_a_raised_ban_is_permanent_after_its_old_end() -> None:
    """D08: 3 days at T0, raised a day later."""
    past, one = given("trolling-major")
    raised = past.after(adjustment(one, "permanent_ban", at=T0 + DAY))
    ban = standing(raised, T0 + 3 * DAY + timedelta(seconds=1)).ban
    assert ban is not None
    assert (ban.permanent, ban.starts_at, ban.ends_at) == (True, T0, None)


@pytest.mark.parametrize("days", [1, 3, 7, 3650])
def test_a_changed_ban_keeps_its_original_start(days: int) -> None:
    """I-20; 3,650 days exactly and without an overflow (D12, D13)."""
    past, one = given("cheating")
    changed = past.after(adjustment(one, days, at=T0 + 2 * DAY))
    end = T0 + days * DAY
    assert (standing(changed, max(T0 + 2 * DAY, end - TICK)).ban is not None) is (days > 2)
    assert standing(changed, max(T0 + 2 * DAY, end)).ban is None
    (held,) = changed.state().incidents[one].sanctions
    assert (held.sanction.starts_at, held.sanction.ends_at) == (T0, end)


def test_lowering_a_permanent_ban_to_a_warning_frees_the_player_and_keeps_the_strike() -> None:
    """D03."""
    past, one = given("lurking")
    after = standing(past.after(adjustment(one, "warning")))
    assert (after.status, after.strikes, after.warnings, after.ban) == ("warned", 1, 1, None)


def test_raising_a_warning_to_a_ban_begins_with_the_adjustment() -> None:
    """There was no ban whose start could be kept."""
    past, one = given("harassment-minor")
    ban = standing(past.after(adjustment(one, 2, at=T0 + DAY)), T0 + DAY).ban
    assert ban is not None
    assert (ban.starts_at, ban.ends_at) == (T0 + DAY, T0 + 3 * DAY)


def test_a_strike_may_be_taken_and_given_and_no_later_incident_is_assessed_again() -> None:
    """I-20, I-2."""
    past, one = given("spam-major", "cheating")
    taken = past.after(adjustment(one, "warning", strike=False))
    assert (standing(taken).status, standing(taken).strikes) == ("permanently_banned", 1)
    assert decided(taken, incident("spam-major")).column == 2
    back = taken.after(adjustment(one, "warning", strike=True))
    assert standing(back).strikes == 2


def test_the_record_keeps_the_sanctions_before_and_after_and_the_reason() -> None:
    """I-20, D11: the original length is never rewritten."""
    past, one = given("cheating")
    (event,) = past.when(adjustment(one, 1, at=T0 + DAY)).happens()
    assert isinstance(event, SanctionsAdjusted)
    assert [(s.kind, s.days, s.ends_at) for s in event.before] == [("ban", 5, T0 + 5 * DAY)]
    assert [(s.kind, s.days, s.ends_at) for s in event.after] == [("ban", 1, T0 + DAY)]
    assert (event.strike_before, event.strike_after, event.by) == (1, 1, "head-1")
    assert event.words is not None
    assert event.words.reason == "On review."
    original = past.past[0]
    assert isinstance(original, IncidentDecided)
    assert original.sanctions == event.before


def test_sending_the_same_again_moves_no_end_and_orders_nothing_twice() -> None:
    """D10: five hours later, only the reason is another."""
    past = NEW.after(incident("harassment-severe", "unsporting-major"))
    one = first(past)
    before = past.state().incidents[one].sanctions
    after = past.after(adjustment(one, 7, "game_loss", "warning", at=T0 + timedelta(hours=5))).state().incidents[one].sanctions
    assert set(after) == set(before)


def test_what_was_carried_out_stays_on_the_incident() -> None:
    """A game loss already played can't be taken back by naming other sanctions."""
    past, one = given("unsporting-major")
    done = past.after(AcknowledgeEffect(incident_id=one, effect="game_loss", at=T0, by="game-1"))
    held = done.after(adjustment(one, "warning")).state().incidents[one].sanctions
    assert [(item.sanction.kind, item.state) for item in held] == [("game_loss", "irreversible"), ("warning", "active")]


def test_only_what_was_ordered_is_acknowledged_and_once() -> None:
    """I-16: Boosting's stats reset."""
    past, one = given("boosting")
    done = AcknowledgeEffect(incident_id=one, effect="stats_reset", at=T0, by="game-1")
    after = past.after(done)
    assert after.when(done).happens() == ()
    past.when(replace(done, effect="game_loss")).refused("not_found")
    past.when(replace(done, incident_id="nothing")).refused("not_found")
    assert standing(after).status == "permanently_banned"


def test_an_effect_that_was_taken_back_is_acknowledged_without_a_trace() -> None:
    """A game server that says again and again what it did to an incident overturned meanwhile adds nothing to the record."""
    past, one = given("boosting")
    fallen = IncidentOverturned(incident_id=one, at=T0, by="senior-1", role="senior_admin", strike_before=1, sanctions_before=())
    past.given(fallen).when(AcknowledgeEffect(incident_id=one, effect="stats_reset", at=T0, by="game-1")).then()


@pytest.mark.parametrize(
    ("named", "code"),
    [
        ((0,), "invalid_request"), ((-1,), "invalid_request"), ((3651,), "duration_too_long"), ((10**12,), "duration_too_long"),
        (("ban",), "invalid_request"), ((1, 2), "invalid_request"), (("warning", "warning"), "invalid_request"),
        ((3, "permanent_ban"), "invalid_request"),
        (("exile",), "invalid_request"),
    ],
)  # fmt: skip
def test_sanctions_that_make_no_sense_are_refused(named: tuple[str | int, ...], code: str) -> None:
    """D05, D13: on adjusting, on charging an unlisted act, and on importing."""
    past, one = given("spam-major")
    past.when(adjustment(one, *named)).refused(code)
    NEW.when(incident(charge("unlisted", sanctions=outcomes(*named), strike=True), by=HEAD)).refused(code)
    NEW.when(imported(*named, decided_at=T0 - DAY)).refused(code)


def test_a_permanent_ban_has_no_days() -> None:
    """D05: permanent is a kind of its own, never a number."""
    past, one = given("spam-major")
    past.when(replace(adjustment(one), sanctions=(Outcome(kind="permanent_ban", days=0),))).refused("invalid_request")


@pytest.mark.parametrize("strike", [True, False])
def test_a_head_admin_charges_an_act_that_fits_no_row(*, strike: bool) -> None:
    """I-21."""
    event = decided(struck(1), incident(charge("unlisted", sanctions=outcomes(6), strike=strike), by=HEAD))
    assert (ban_days(event), event.strike, event.offenses[0].basis) == (6, 2 if strike else None, "I-21")


@pytest.mark.parametrize("by", [ADMIN, SENIOR])
def test_nobody_else_charges_an_unlisted_act(by: Decider) -> None:
    """I-21: `head_admin_required`, also beside a listed one."""
    act = charge("unlisted", sanctions=outcomes("warning"), strike=False)
    for charged in ((act,), ("spam-major", act)):
        NEW.when(replace(incident(*charged), by=by)).refused("head_admin_required")


def test_an_unlisted_act_stacks_with_listed_ones() -> None:
    """I-4, I-12: an IP ban named is a permanent ban too."""
    event = decided(NEW, incident("spam-major", charge("unlisted", sanctions=outcomes(6), strike=False), by=HEAD))
    assert (ban_days(event), event.strike) == (7, 1)
    assert kinds(decided(NEW, incident(charge("unlisted", sanctions=outcomes("ip_ban"), strike=True), by=HEAD)).sanctions) == [
        "ip_ban",
        "permanent_ban",
    ]


@pytest.mark.parametrize(
    "act", [charge("unlisted", strike=True), charge("unlisted", sanctions=outcomes(1)), charge("unlisted", sanctions=(), strike=True)]
)
def test_an_unlisted_act_needs_its_sanctions_and_strike(act: Charge) -> None:
    NEW.when(replace(incident("spam-major", by=HEAD), charges=(act,))).refused("invalid_request")


def test_a_listed_act_takes_neither_sanctions_nor_strike_from_the_command() -> None:
    for act in (charge("spam-major", sanctions=outcomes("warning")), charge("spam-major", strike=False)):
        NEW.when(incident(act, by=HEAD)).refused("invalid_request")


def test_an_imported_incident_keeps_its_moment_and_sanctions_and_is_not_assessed() -> None:
    """I-22: the ladder would have made the second permanent."""
    past = NEW.after(imported(5, decided_at=T0 - 100 * DAY, infraction="cheating"), imported(5, decided_at=T0 - 2 * DAY, infraction="cheating"))
    after = standing(past)
    assert after.strikes == 2
    assert after.ban is not None
    assert (after.ban.starts_at, after.ban.ends_at) == (T0 - 2 * DAY, T0 + 3 * DAY)


def test_imported_strikes_move_the_ladder_and_imported_warnings_do_not() -> None:
    """I-22, I-2."""
    past = NEW.after(imported(5, decided_at=T0 - DAY), imported("warning", decided_at=T0 - DAY, infraction="spam-minor", strike=False))
    assert decided(past, incident("malicious-afk")).column == 2
    assert standing(past).warnings == 1


def test_an_import_is_repeatable_by_its_external_id() -> None:
    """Contract: also when the same act was decided here."""
    row = imported(1, decided_at=T0 - DAY, external_id="case-7")
    past = NEW.after(row)
    assert past.when(imported(3, decided_at=T0 - 2 * DAY, external_id="case-7")).happens() == ()
    past.when(incident("spam-major", external_id="case-7")).refused("incident_exists")


def test_what_lies_in_the_future_or_is_unknown_is_not_imported() -> None:
    NEW.when(imported(1, decided_at=T0 + TICK)).refused("occurred_in_future")
    NEW.when(imported(1, decided_at=T0 - DAY, infraction="being-rude")).refused("unknown_infraction")


def test_an_imported_incident_can_be_adjusted_from_its_own_start() -> None:
    """I-20, I-22."""
    past = NEW.after(imported(5, decided_at=T0 - 2 * DAY))
    assert isinstance(past.past[0], IncidentImported)
    ban = standing(past.after(adjustment(first(past), 9))).ban
    assert ban is not None
    assert (ban.starts_at, ban.ends_at) == (T0 - 2 * DAY, T0 + 7 * DAY)


def test_adjusting_what_is_not_there_is_refused() -> None:
    NEW.when(adjustment("nothing", "warning")).refused("not_found")
