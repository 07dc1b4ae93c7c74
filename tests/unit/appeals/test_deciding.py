"""Who decides an appeal, what they may decide, and that it is decided once (I-31, I-32; A04, L07, L13)."""

from __future__ import annotations

import pytest

from services.moderation.appeals.commands import Facts
from services.moderation.appeals.events import AppealDecided
from services.moderation.record.commands import Decider, LiftIpBan
from services.moderation.record.events import SanctionsAdjusted
from tests.support.appeals import (
    HEAD_B,
    SENIOR_B,
    active,
    adjusted,
    appealed,
    decide,
    filed,
    issued,
    overturn,
    refused,
    target,
    withdrawn,
)
from tests.support.record import HEAD, NEW, PLAYER, POLICY, SENIOR, T0, adjustment, evading, incident, outcomes, standing

BANNED = NEW.after(incident("cheating"))
(FIRST,) = issued(BANNED)
OPEN, APPEAL = filed(BANNED, FIRST)


def who(staff_id: str, role: str = "senior_admin", player_id: str | None = None) -> Decider:
    return Decider(staff_id=staff_id, role=role, player_id=player_id)


@pytest.mark.parametrize("by", [SENIOR, SENIOR_B, HEAD, HEAD_B])
def test_any_other_senior_or_head_admin_decides(by: Decider) -> None:
    event = decide(OPEN, APPEAL, by=by).past.past[len(OPEN.past)]
    assert isinstance(event, AppealDecided)
    assert (event.by, event.role, event.outcome) == (by.staff_id, by.role, "overturned")


@pytest.mark.parametrize("role", ["admin", "auditor", "game_server"])
def test_nobody_of_a_lower_rank_decides_not_even_the_decider(role: str) -> None:
    """I-31: rank is asked first."""
    refused("senior_admin_required", OPEN, APPEAL, by=who("admin-1", role))
    refused("senior_admin_required", OPEN, APPEAL, by=who("admin-9", role))


def test_the_decider_who_was_promoted_since_does_not_decide() -> None:
    """I-31: who decided is a fact, whatever they are today."""
    refused("conflict_of_interest", OPEN, APPEAL, by=who("admin-1", "head_admin"))


def test_a_first_decision_of_a_senior_is_decided_by_another() -> None:
    """I-32."""
    past = NEW.after(incident("cheating", by=SENIOR))
    past, appeal = filed(past, issued(past)[0])
    refused("conflict_of_interest", past, appeal, by=SENIOR)
    decide(past, appeal, by=SENIOR_B)


@pytest.mark.parametrize("when", ["before", "while open"])
def test_who_adjusted_it_does_not_decide(when: str) -> None:
    """I-31: also when the appeal was open already, and when another adjustment came after."""
    if when == "before":
        past, appeal = filed(BANNED.after(adjustment(FIRST, 2), adjustment(FIRST, 3, by=HEAD_B)), FIRST)
    else:
        past, appeal = OPEN.after(adjustment(FIRST, 2), adjustment(FIRST, 3, by=HEAD_B)), APPEAL
    for by in (HEAD, HEAD_B):
        refused("conflict_of_interest", past, appeal, by=by)
    decide(past, appeal, by=SENIOR)


def test_who_decided_the_incident_does_not_decide_the_appeal_of_its_adjustment() -> None:
    """I-31: both had to do with what is appealed."""
    past = NEW.after(incident("cheating", by=SENIOR))
    past = past.after(adjustment(issued(past)[0], 9))
    past, appeal = filed(past, target(adjustment_id=adjusted(past)), incident_id=issued(past)[0])
    for by in (SENIOR, HEAD):
        refused("conflict_of_interest", past, appeal, by=by)
    decide(past, appeal, by=SENIOR_B)


def test_nobody_decides_about_their_own_or_a_linked_account() -> None:
    """I-31, L13: `accounts` are those linked with the player."""
    refused("conflict_of_interest", OPEN, APPEAL, by=who("s", player_id=PLAYER))
    facts = Facts(policies={POLICY.version: POLICY}, accounts=frozenset({"alt"}))
    refused("conflict_of_interest", OPEN, APPEAL, by=who("s", player_id="alt"), facts=facts)
    decide(OPEN, APPEAL, by=who("s", player_id="somebody"), facts=facts)


def test_nobody_decides_what_they_were_called_to_or_whose_network_they_banned() -> None:
    """Bar 16: looked up, in `involved`."""
    facts = Facts(policies={POLICY.version: POLICY}, involved=frozenset({"senior-1"}))
    refused("conflict_of_interest", OPEN, APPEAL, by=SENIOR, facts=facts)
    decide(OPEN, APPEAL, by=SENIOR_B, facts=facts)


def test_it_is_decided_once() -> None:
    """A04, L07: the same again is refused, and so is deciding what was taken back."""
    for outcome in ("overturned", "upheld"):
        refused("already_decided", decide(OPEN, APPEAL, outcome).past, APPEAL, outcome, by=HEAD)
    refused("already_decided", withdrawn(OPEN, APPEAL), APPEAL)
    refused("not_found", OPEN, "another")


def test_who_decided_it_is_told_that_it_is_decided_even_where_that_changed_the_sanctions() -> None:
    """A04: a modified decision counts as an adjustment by its reviewer, yet sending it again is no conflict of interest."""
    for outcome, fields in (("modified", {"sanctions": outcomes("warning"), "strike": True}), ("overturned", {}), ("upheld", {})):
        refused("already_decided", decide(OPEN, APPEAL, outcome, by=SENIOR, **fields).past, APPEAL, "upheld", by=SENIOR)
    changed = BANNED.after(adjustment(FIRST, 9))
    past, of_adjustment = filed(changed, target(adjustment_id=adjusted(changed)), incident_id=FIRST)
    refused("already_decided", decide(past, of_adjustment, by=SENIOR).past, of_adjustment, by=SENIOR)


def test_upheld_changes_nothing_but_the_appeal() -> None:
    done = decide(OPEN, APPEAL, "upheld")
    assert len(done.effects.events) == 1
    assert done.past.state().incidents == OPEN.state().incidents


def test_modified_replaces_the_sanctions_and_keeps_the_start() -> None:
    """I-20, I-30."""
    done = decide(OPEN, APPEAL, "modified", sanctions=outcomes(2), strike=True)
    (change,) = done.effects.events[1:]
    assert isinstance(change, SanctionsAdjusted)
    assert (change.appeal_id, change.after[0].starts_at, change.after[0].days) == (APPEAL, T0, 2)
    assert standing(done.past).strikes == 1


def test_modified_may_take_only_the_strike() -> None:
    """I-2: the next incident is in the first column again."""
    past = decide(OPEN, APPEAL, "modified", sanctions=outcomes(5), strike=False).past
    assert (standing(past).strikes, standing(past).status) == (0, "banned")
    assert past.after(incident("spam-major")).state().strikes == 1


def test_only_a_modified_decision_names_sanctions_and_it_names_all() -> None:
    for outcome in ("upheld", "overturned"):
        refused("invalid_request", OPEN, APPEAL, outcome, sanctions=outcomes(2))
        refused("invalid_request", OPEN, APPEAL, outcome, strike=True)
    refused("invalid_request", OPEN, APPEAL, "modified", sanctions=outcomes(2))
    refused("invalid_request", OPEN, APPEAL, "modified", strike=False)
    refused("duration_too_long", OPEN, APPEAL, "modified", sanctions=outcomes(4000), strike=True)


def test_an_overturned_ban_of_a_network_is_lifted_and_a_modified_one_exempts() -> None:
    """I-30; the player's own record only keeps the decision."""
    past, appeal = filed(BANNED, target(network_ban_id="n1"))
    lifted, exempt = decide(past, appeal), decide(past, appeal, "modified")
    assert (lifted.effects.lift_network, lifted.effects.exempt, len(lifted.effects.events)) == (True, False, 1)
    assert (exempt.effects.lift_network, exempt.effects.exempt, len(exempt.effects.events)) == (False, True, 1)
    refused("invalid_request", past, appeal, "modified", sanctions=outcomes(2), strike=True)


def test_overturning_an_adjustment_puts_back_what_it_replaced() -> None:
    """I-30: sanction, start and strike; with later ones untouched (I-20)."""
    past = BANNED.after(adjustment(FIRST, "permanent_ban"), incident("spam-major"))
    done = appealed(past, target(adjustment_id=adjusted(past)), "overturned", incident_id=FIRST)
    assert active(done.past.state(), FIRST) == [("ban", 5)]
    assert standing(done.past).strikes == 2
    assert done.effects.reassessed == ()


def test_overturning_an_adjustment_that_another_replaced_changes_nothing() -> None:
    past = BANNED.after(adjustment(FIRST, "permanent_ban"))
    earlier = adjusted(past)
    past = past.after(adjustment(FIRST, 2))
    done = appealed(past, target(adjustment_id=earlier), "overturned", incident_id=FIRST)
    assert active(done.past.state(), FIRST) == [("ban", 2)]


def test_an_ip_ban_that_was_lifted_does_not_come_back_with_an_overturned_adjustment() -> None:
    """I-14, D03: lifted is over, whatever is put back around it."""
    past = NEW.after(incident("doxing"))
    (doxing,) = issued(past)
    past = past.after(LiftIpBan(incident_id=doxing, player_id=PLAYER, at=T0, by=HEAD, reason="r"), adjustment(doxing, 7))
    done = appealed(past, target(adjustment_id=adjusted(past)), "overturned", incident_id=doxing)
    assert active(done.past.state(), doxing) == [("permanent_ban", None)]
    assert not standing(done.past).ip_banned


def test_days_of_evasion_on_a_restored_ban_still_fall_with_the_evasion() -> None:
    """I-34: the adjustment in between changes nothing about whose days they are."""
    past = BANNED.after(evading("a1"), adjustment(FIRST, "warning"))
    done = appealed(past, target(adjustment_id=adjusted(past)), "overturned", incident_id=FIRST)
    end = standing(done.past).ban
    fallen = standing(overturn(done.past, issued(past)[1]).past).ban
    assert end is not None
    assert fallen is not None
    assert end.ends_at is not None
    assert fallen.ends_at is not None
    assert (end.ends_at - fallen.ends_at).days == 2


def test_an_incident_that_fell_meanwhile_is_overturned_without_effect() -> None:
    """L07: the appeals of an incident and of its adjustment are both open; the second has nothing left to take."""
    past = OPEN.after(adjustment(FIRST, 2))
    past, second = filed(past, target(adjustment_id=adjusted(past)), incident_id=FIRST)
    past = decide(past, APPEAL).past
    done = decide(past, second)
    assert len(done.effects.events) == 1
    assert standing(done.past).strikes == 0
    refused("incident_overturned", past, second, "modified", sanctions=outcomes(2), strike=True)
