"""The numbers of strikes: each once, in order, the last one the count of the standing (I-2, I-20)."""

from __future__ import annotations

from services.moderation.record.numbers import strike_numbers
from tests.support.record import NEW, Past, adjustment, decided, incident, standing, struck


def numbers(past: Past) -> list[int]:
    return list(strike_numbers(past.state().incidents).values())


def test_strikes_are_numbered_in_the_order_recorded() -> None:
    past = struck(2).after(incident("harassment-minor"), incident("spam-major"))
    assert numbers(past) == [1, 2, 3]


def test_a_strike_given_back_takes_its_old_number_and_none_is_there_twice() -> None:
    """Taken away the later ones move up; given back they move down again."""
    past = NEW.after(incident("spam-major"), incident("spam-major"), incident("spam-major"))
    first, second, third = past.state().incidents
    taken = past.after(adjustment(first, 1, strike=False))
    assert strike_numbers(taken.state().incidents) == {second: 1, third: 2}
    given = taken.after(adjustment(first, 1, strike=True))
    assert strike_numbers(given.state().incidents) == {first: 1, second: 2, third: 3}
    assert given.state().incidents[first].strike == 1


def test_a_strike_decided_between_taking_and_giving_back_is_no_second_one_of_its_number() -> None:
    past = NEW.after(incident("spam-major"), incident("spam-major"))
    first, second = past.state().incidents
    past = past.after(adjustment(first, 1, strike=False))
    event = decided(past, incident("spam-major"))
    assert (event.column, event.strike) == (2, 2)  # I-2: one strike counts, and one more
    past = past.given(event).after(adjustment(first, 1, strike=True))
    assert strike_numbers(past.state().incidents) == {first: 1, second: 2, event.incident_id: 3}
    assert standing(past).strikes == 3


def test_an_adjustment_that_leaves_the_strike_leaves_its_recorded_number() -> None:
    """D10: what is wanted as it stands changes nothing."""
    past = NEW.after(incident("spam-major"), incident("spam-major"))
    first, second = past.state().incidents
    past = past.after(adjustment(first, 1, strike=False), adjustment(second, 7, strike=True))
    assert past.state().incidents[second].strike == 2
    assert numbers(past) == [1]
