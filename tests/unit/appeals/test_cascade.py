"""What an overturned incident does to the later ones of its player: read again, kept, never harsher (I-34, I-35; L06, L12)."""

from __future__ import annotations

import pytest

from services.moderation.appeals.cascade import CHANGED, CHOSEN, DECLINED
from services.moderation.appeals.reread import NEEDS_A_CHOICE
from services.moderation.record.events import Discretion
from shared.refusal import Refusal
from tests.support.appeals import active, adjusted, appealed, issued, overturn, rereads, target
from tests.support.record import DAY, NEW, T0, TICK, Past, adjustment, charge, imported, incident, outcomes, standing

SPAM = NEW.after(incident("spam-major"))
(FIRST,) = issued(SPAM)


def next_to_spam(*charges: object, **fields: object) -> tuple[Past, str]:
    """The player had a strike, and then this incident; the record and its id."""
    past = SPAM.after(incident(*charges, **fields))  # type: ignore[arg-type]
    return past, issued(past)[1]


def test_a_permanent_ban_of_the_second_column_becomes_five_days_from_its_own_start() -> None:
    """Cheating: time served counts."""
    past, second = next_to_spam("cheating", at=T0 + 2 * DAY)
    done = overturn(past, FIRST)
    assert done.reread() == [(second, 2, 1, ["permanent_ban"], ["ban"])]
    (event,) = rereads(done.effects.events)
    assert (event.sanctions_after[0].starts_at, event.sanctions_after[0].ends_at) == (T0 + 2 * DAY, T0 + 7 * DAY)
    assert (event.strike_before, event.strike_after, standing(done.past, T0 + 7 * DAY).status) == (2, 1, "warned")


def test_every_later_incident_goes_down_a_column_and_earlier_ones_do_not() -> None:
    """Three Spam (Major): without the second, the third is the second."""
    past = SPAM.after(incident("spam-major"), incident("spam-major"))
    _, second, third = issued(past)
    assert [(item[0], item[2]) for item in overturn(past, FIRST).reread()] == [(second, 1), (third, 2)]
    assert [(item[0], item[2]) for item in overturn(past, second).reread()] == [(third, 2)]
    assert overturn(past, third).reread() == []


def test_a_later_incident_goes_down_once_for_each_strike_that_falls() -> None:
    past = SPAM.after(incident("spam-major"), incident("spam-major"))
    _, second, third = issued(past)
    done = overturn(overturn(past, FIRST).past, second)
    assert done.reread() == [(third, 2, 1, ["ban"], ["ban"])]
    assert (active(done.past.state(), third), standing(done.past).strikes) == ([("ban", 1)], 1)


def test_a_stacked_incident_is_read_again_as_a_whole() -> None:
    """I-4: 4 + 5 days become 2 + 3."""
    past, second = next_to_spam("harassment-major", "malicious-afk")
    done = overturn(past, FIRST)
    assert active(past.state(), second) == [("ban", 9)]
    assert active(done.past.state(), second) == [("ban", 5)]


def test_the_choices_of_the_decision_are_kept() -> None:
    """I-6: the six days that were chosen at the first column stay, where the cell still leaves them."""
    past = NEW.after(incident("harassment-minor"), incident(charge("objectionable-major", days=6)))
    first, second = issued(past)
    done = overturn(past, first)
    assert (done.reread(), active(done.past.state(), second)) == ([], [("ban", 6)])


def test_a_cell_that_leaves_a_choice_now_is_kept_without_one_and_read_with_it() -> None:
    """Spam (Severe) falls from permanent to a first strike of 3 to 5 days or permanent."""
    past, second = next_to_spam("spam-severe")
    assert overturn(past, FIRST).kept() == {second: NEEDS_A_CHOICE}
    done = overturn(past, FIRST, choices={second: Discretion(days=4)})
    assert (done.reread(), done.kept()) == ([(second, 2, 1, ["permanent_ban"], ["ban"])], {})
    assert active(done.past.state(), second) == [("ban", 4)]
    with pytest.raises(Refusal) as caught:
        overturn(past, FIRST, choices={second: Discretion(days=6)})
    assert caught.value.code == "discretion_out_of_range"


@pytest.mark.parametrize("choice", [Discretion(outcome="game_loss"), Discretion(days=4, permanent=True)], ids=["of another row", "two at once"])
def test_a_choice_that_the_cell_does_not_leave_is_refused(choice: Discretion) -> None:
    """I-6: and not passed over as if none had been given."""
    past = NEW.after(incident("spam-major"), incident("spam-severe"))
    first, second = issued(past)
    with pytest.raises(Refusal, match="discretion_not_allowed"):
        overturn(past, first, choices={second: choice})


def test_a_permanent_ban_that_the_reviewer_chose_is_said_to_be_kept() -> None:
    """I-35."""
    past, second = next_to_spam("spam-severe")
    done = overturn(past, FIRST, choices={second: Discretion(permanent=True)})
    assert (done.reread(), done.kept()) == ([], {second: CHOSEN})


def test_objectionable_material_falls_from_permanent_to_a_range() -> None:
    """I-3: a fourth strike past the ladder takes no days, the third does."""
    past = SPAM.after(incident("spam-major"), incident("spam-major"), incident("objectionable-major"))
    second = issued(past)[3]
    assert active(past.state(), second) == [("permanent_ban", None)]
    assert overturn(past, FIRST).kept() == {second: NEEDS_A_CHOICE}
    done = overturn(past, FIRST, choices={second: Discretion(days=1)})
    assert active(done.past.state(), second) == [("ban", 1)]


def test_a_choice_already_given_is_not_asked_for_again() -> None:
    """After one re-read with four days, another one leaves the four days."""
    past = NEW.after(incident("harassment-minor"), incident("spam-major"), incident("spam-severe"))
    warning, spam, severe = issued(past)
    done = overturn(past, spam, choices={severe: Discretion(days=4)})
    done = overturn(done.past, warning)
    assert (done.reread(), done.kept(), active(done.past.state(), severe)) == ([], {}, [("ban", 4)])


def test_what_a_head_admin_changed_is_kept_although_the_table_says_otherwise() -> None:
    """I-34: raised or lowered."""
    for wanted in ("warning", "permanent_ban"):
        past, second = next_to_spam("cheating")
        past = past.after(adjustment(second, wanted))
        done = overturn(past, FIRST)
        assert (done.reread(), done.kept(), active(done.past.state(), second)) == ([], {second: CHANGED}, [(wanted, None)])


def test_a_change_by_a_head_admin_stays_when_the_column_stays_too() -> None:
    """I-20, I-34: overturning an earlier warning moves no column, and brings no ban back that was lowered."""
    past = NEW.after(incident("harassment-minor"), incident("spam-major"))
    first, second = issued(past)
    done = overturn(past.after(adjustment(second, "warning", strike=False)), first)
    assert (done.reread(), done.kept()) == ([], {})
    assert active(done.past.state(), second) == [("warning", None)]
    assert standing(done.past).strikes == 0


@pytest.mark.parametrize("outcome", ["modified", "overturned"])
def test_what_an_appeal_changed_is_kept(outcome: str) -> None:
    """I-34: by a modified decision, or by an overturned adjustment."""
    past, second = next_to_spam("cheating")
    if outcome == "modified":
        past = appealed(past, second, "modified", sanctions=outcomes(9), strike=True).past
    else:
        past = past.after(adjustment(second, 2))
        past = appealed(past, target(adjustment_id=adjusted(past)), "overturned", incident_id=second).past
    assert overturn(past, FIRST).kept() == {second: CHANGED}


def test_imported_history_is_never_read_again() -> None:
    """I-22: although it was decided later than what falls."""
    past = SPAM.after(imported("permanent_ban", decided_at=T0 + TICK, at=T0 + DAY))
    done = overturn(past, FIRST)
    assert (done.reread(), standing(done.past, T0 + DAY).status) == ([], "permanently_banned")


def test_an_overturned_import_moves_what_was_decided_after_it_was_recorded() -> None:
    """I-22: it counted for the column from its import on."""
    past = NEW.after(incident("spam-major"), imported(1, decided_at=T0 - 99 * DAY), incident("spam-major"))
    spam, third = issued(past)
    old = next(item for item in past.state().incidents if item not in (spam, third))
    done = overturn(past, old)
    assert [(item[0], item[1], item[2]) for item in done.reread()] == [(third, 3, 2)]


def test_the_reviewer_may_decline_and_what_was_declined_is_read_when_the_occasion_comes_back() -> None:
    past = SPAM.after(incident("spam-major"), incident("cheating"))
    _, second, third = issued(past)
    done = overturn(past, FIRST, cascade=False)
    assert (done.reread(), set(done.kept().values())) == ([], {DECLINED})
    assert set(done.kept()) == {second}  # Cheating is permanent in the second column as in the third
    again = overturn(done.past, second)
    assert again.reread() == [(third, 3, 1, ["permanent_ban"], ["ban"])]


def test_a_permanent_ban_that_does_not_rest_on_the_count_is_neither_read_again_nor_kept() -> None:
    past, _ = next_to_spam("lurking")
    done = overturn(past, FIRST)
    assert (done.reread(), done.kept(), standing(done.past).status) == ([], {}, "permanently_banned")
