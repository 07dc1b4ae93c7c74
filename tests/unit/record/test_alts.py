"""What an incident imposes on an alt: one ban for each charge, as silent as the incident, adjustable by itself (I-13, I-18, I-20, I-34)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.moderation.appeals.along import fallen_along
from services.moderation.appeals.events import IncidentOverturned
from services.moderation.record.events import AltBanned
from tests.support.record import DAY, NEW, T0, adjustment, standing
from tests.unit.record.test_accounts import alt_ban, end


@pytest.mark.parametrize("order", [("i1", "i2"), ("i2", "i1")])
def test_an_alt_charged_twice_is_freed_by_the_second_overturn_and_by_no_first(order: tuple[str, str]) -> None:
    past = NEW.after(alt_ban(), alt_ban(by_incident="i2"))
    for incident_id, status in zip(order, ("permanently_banned", "good"), strict=True):
        fallen = IncidentOverturned(incident_id=incident_id, at=T0, by="head-1", role="head_admin", strike_before=None, sanctions_before=())
        event = fallen_along(past.state(), fallen)
        assert event is not None
        past = past.given(event)
        assert standing(past).status == status


def test_an_alt_is_banned_as_silently_as_its_main_account() -> None:
    """I-18."""
    (event,) = NEW.when(replace(alt_ban(), notify=False)).happens()
    assert isinstance(event, AltBanned)
    assert not event.notify
    assert not NEW.given(event).state().incidents["i1"].notify


def test_an_alts_own_ban_can_be_adjusted_and_is_never_a_strike() -> None:
    """I-20 for the account that was sanctioned along; I-13: no strike on the alt."""
    past = NEW.after(alt_ban())
    lowered = past.after(adjustment("i1", 3, strike=False))
    assert end(lowered) == T0 + 3 * DAY
    past.when(adjustment("i1", 3, strike=True)).refused("invalid_request")
