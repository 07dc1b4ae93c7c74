"""When an act happened, who may not decide, what evidence is none, and that one act is decided once (I-19, T05, contract)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.support.record import DAY, NEW, T0, adjustment, decided, imported, incident, struck


def test_a_ban_starts_when_it_is_decided_however_long_ago_the_act_was() -> None:
    """I-5, T05."""
    event = decided(NEW, incident("spam-major", occurred_at=T0 - 30 * DAY))
    assert (event.occurred_at, event.at, event.sanctions[0].starts_at) == (T0 - 30 * DAY, T0, T0)


def test_without_a_moment_the_act_happened_now() -> None:
    assert decided(NEW, incident("spam-major")).occurred_at == T0


@pytest.mark.parametrize("ahead", [timedelta(seconds=3), timedelta(hours=1), 3000 * DAY])
def test_an_act_of_the_future_is_refused(ahead: timedelta) -> None:
    """T05: `occurred_in_future`."""
    NEW.when(incident("spam-major", occurred_at=T0 + ahead)).refused("occurred_in_future")


def test_a_reporting_clock_a_little_ahead_is_taken_as_now() -> None:
    """T05: the service's own time decides, so nothing is ever recorded as of the future."""
    assert decided(NEW, incident("spam-major", occurred_at=T0 + timedelta(seconds=2))).occurred_at == T0


@pytest.mark.parametrize("evidence_kinds", [("ai_ruling",), ("chat_log", "ai_ruling")])
def test_an_ai_ruling_is_never_evidence(evidence_kinds: tuple[str, ...]) -> None:
    """I-19, S: "AI rulings are not and never will be accepted as evidence"."""
    NEW.when(incident("spam-major", evidence_kinds=evidence_kinds)).refused("ai_ruling_not_accepted")


def test_one_act_is_decided_once() -> None:
    """Contract, `external_id`: the refusal names the first incident."""
    event = decided(NEW, incident("spam-major", external_id="report-1"))
    past = NEW.given(event)
    refusal = past.when(incident("cheating", external_id="report-1")).refused("incident_exists")
    assert refusal.current == {"incident_id": event.incident_id}
    assert decided(past, incident("cheating", external_id="report-2")).strike == 2
    assert decided(past, incident("cheating")).strike == 2


def test_no_decision_is_dated_before_the_last_one() -> None:
    """E02: a clock five seconds slow makes the decision the last one's moment, and order comes from the stream."""
    past = NEW.after(incident("spam-major"))
    slow = T0 - timedelta(seconds=5)
    later = decided(past, incident("cheating", at=slow))
    assert (later.at, later.sanctions[0].starts_at, later.occurred_at) == (T0, T0, T0)
    (first, *_) = past.state().incidents
    (changed,) = past.when(adjustment(first, "warning", at=slow)).happens()
    assert changed.at == T0


def test_an_import_does_not_move_the_clock_of_the_record_into_the_past_or_the_future() -> None:
    """I-22: it counts from its own moment, the next decision from now."""
    past = NEW.after(imported(1, decided_at=T0 - 300 * DAY, at=T0 - DAY))
    assert past.state().last_at == T0 - DAY
    assert decided(past, incident("spam-major")).at == T0


def test_the_policy_of_the_decision_is_named_in_it() -> None:
    """Architecture: every event carries the version it was decided under."""
    command = incident("spam-major")
    assert decided(struck(1), command).policy_version == command.policy.version
