"""Filing and withdrawing appeals: what may be appealed, how often, and when not (I-30, I-32, I-36; A01, A03, A08)."""

from __future__ import annotations

from typing import Any

import pytest

from services.moderation.appeals.commands import WithdrawAppeal
from services.moderation.appeals.decider import withdraw_appeal
from services.moderation.appeals.events import AppealOpened, AppealWithdrawn
from services.moderation.record.commands import BanAlt
from services.moderation.record.events import IncidentOverturned
from shared.refusal import Refusal
from tests.support.appeals import active, adjusted, appealed, decide, filed, filing_refused, issued, overturn, target, withdrawn
from tests.support.record import ADMIN, DAY, HEAD, NEW, PLAYER, T0, adjustment, charge, ids, incident, outcomes, standing

BANNED = NEW.after(incident("spam-major"))
(FIRST,) = issued(BANNED)


def test_a_sanctioned_player_appeals_and_nothing_else_changes() -> None:
    """I-36: the ban goes on, to its second."""
    past, appeal_id = filed(BANNED, FIRST)
    (event,) = past.past[1:]
    assert isinstance(event, AppealOpened)
    assert past.state().appeals[appeal_id].state == "open"
    before, after = standing(BANNED), standing(past)
    assert (before.ban, before.strikes, before.status) == (after.ban, after.strikes, after.status)


@pytest.mark.parametrize("row", ["lurking", "doxing", "faking-evidence", "harassment-minor", "custom-cosmetics", "gameplay-minor"])
def test_whatever_the_sanction_it_can_be_appealed(row: str) -> None:
    """A03, I-30: the permanently banned too, and who was only warned."""
    past = NEW.after(incident(row))
    filed(past, issued(past)[0])


def test_an_act_by_a_senior_outside_an_appeal_can_be_appealed_and_so_can_an_import() -> None:
    """I-32."""
    past = NEW.after(incident(charge("unlisted", sanctions=outcomes(3), strike=True), by=HEAD))
    filed(past, issued(past)[0])


def test_what_is_not_on_the_record_is_not_found() -> None:
    filing_refused("not_found", BANNED, "another")
    filing_refused("not_found", BANNED, target(adjustment_id="another"), incident_id=FIRST)


def test_there_is_one_appeal_at_a_time() -> None:
    """A01."""
    past, appeal_id = filed(BANNED, FIRST)
    assert filing_refused("appeal_exists", past, FIRST).current == {"appeal_id": appeal_id}


@pytest.mark.parametrize("outcome", ["upheld", "overturned", "modified"])
def test_a_decided_one_is_final(outcome: str) -> None:
    """I-32, A01."""
    fields: dict[str, Any] = {"sanctions": outcomes("warning"), "strike": True} if outcome == "modified" else {}
    filing_refused("decision_final", appealed(BANNED, FIRST, outcome, **fields).past, FIRST)


def test_a_withdrawn_one_may_be_filed_again_once() -> None:
    """I-30."""
    past, appeal_id = filed(BANNED, FIRST)
    past, again = filed(withdrawn(past, appeal_id), FIRST)
    filing_refused("appeal_exists", withdrawn(past, again), FIRST)


def test_the_second_filing_is_decided_like_the_first() -> None:
    """I-30."""
    past, appeal_id = filed(BANNED, FIRST)
    past, again = filed(withdrawn(past, appeal_id), FIRST)
    assert standing(decide(past, again).past).status == "good"


def test_withdrawing_twice_is_withdrawing_once_and_a_decided_one_is_not_withdrawn() -> None:
    past, appeal_id = filed(BANNED, FIRST)
    command = WithdrawAppeal(appeal_id=appeal_id, player_id=PLAYER, at=T0, by="game")
    (event,) = withdraw_appeal(command, past.state())
    assert isinstance(event, AppealWithdrawn)
    assert withdraw_appeal(command, past.given(event).state()) == []
    with pytest.raises(Refusal) as caught:
        withdraw_appeal(command, decide(past, appeal_id, "upheld").past.state())
    assert caught.value.code == "already_decided"


def test_an_adjustment_is_a_decision_of_its_own() -> None:
    """I-30: also when the incident's own appeal was decided, and only once."""
    past = appealed(BANNED, FIRST, "upheld").past.after(adjustment(FIRST, 5))
    changed = adjusted(past)
    past, _ = filed(past, target(adjustment_id=changed), incident_id=FIRST)
    filing_refused("appeal_exists", past, target(adjustment_id=changed), incident_id=FIRST)


def test_an_adjustment_made_in_an_appeal_is_final() -> None:
    """I-30, I-32."""
    past = appealed(BANNED, FIRST, "modified", sanctions=outcomes(2), strike=True).past
    filing_refused("decision_final", past, target(adjustment_id=adjusted(past)), incident_id=FIRST)


def test_what_an_overturned_adjustment_left_behind_is_final_too() -> None:
    """I-32: the restored sanctions come from an appeal."""
    past = BANNED.after(adjustment(FIRST, 5))
    past = appealed(past, target(adjustment_id=adjusted(past)), "overturned", incident_id=FIRST).past
    assert active(past.state(), FIRST) == [("ban", 1)]
    filing_refused("decision_final", past, target(adjustment_id=adjusted(past)), incident_id=FIRST)


def test_after_a_rollback_there_is_nothing_left_to_appeal() -> None:
    """I-20: an overturned incident is closed."""
    fallen = IncidentOverturned(incident_id=FIRST, at=T0, by="head-1", role="head_admin", strike_before=1, sanctions_before=(), rollback_id="r1")
    filing_refused("incident_overturned", BANNED.given(fallen), FIRST)
    past = BANNED.after(adjustment(FIRST, 5)).given(fallen)
    filing_refused("incident_overturned", past, target(adjustment_id=adjusted(past)), incident_id=FIRST)


def test_an_appeal_outlives_other_bans_and_the_end_of_its_own() -> None:
    """A08: still open, and overturning it still takes the strike."""
    past, appeal_id = filed(BANNED, FIRST)
    past = past.after(incident("lurking", at=T0 + DAY * 3))
    assert past.state().appeals[appeal_id].state == "open"
    after = standing(decide(past, appeal_id).past, T0 + DAY * 4)
    assert (after.status, after.strikes) == ("permanently_banned", 1)


def test_an_alt_appeals_its_own_ban() -> None:
    """I-30: its own record, its own appeal."""
    alt = NEW.after(
        BanAlt(incident_id="i-main", player_id=PLAYER, main_player_id="main", at=T0, by=ADMIN, policy_version="v", ip_ban=True, ids=ids(2))
    )
    done = overturn(alt, "i-main")
    assert (standing(done.past).status, done.effects.freed, done.effects.reassessed) == ("good", (), ())


def test_a_ban_of_a_network_is_appealed_without_an_incident() -> None:
    """I-30: once, too."""
    past, appeal_id = filed(BANNED, target(network_ban_id="n1"))
    filing_refused("appeal_exists", past, target(network_ban_id="n1"))
    done = decide(past, appeal_id, "upheld")
    assert (done.effects.lift_network, done.effects.exempt) == (False, False)
    filing_refused("decision_final", done.past, target(network_ban_id="n1"))
    filed(done.past, target(network_ban_id="n2"))
