"""Multiple accounts: alts, evasion, and five accounts at once (I-13; N09)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from services.moderation.record.commands import BanAlt
from services.moderation.record.events import AltBanned, LinkedIpBanImposed
from tests.support.record import (
    ADMIN,
    DAY,
    NEW,
    T0,
    Past,
    adjustment,
    ban_days,
    charge,
    decided,
    evading,
    ids,
    imported,
    incident,
    kinds,
    standing,
    struck,
)

BANNED: Past = NEW.after(incident("cheating"))
"""A player under a 5-day ban since T0."""


def end(past: Past, at: datetime = T0) -> datetime | None:
    ban = standing(past, at).ban
    assert ban is not None
    return ban.ends_at


def alt_ban(*, ip_ban: bool = False, by_incident: str = "i1", at: datetime = T0) -> BanAlt:
    return BanAlt(
        incident_id=by_incident, player_id="alt", main_player_id="p1", at=at, by=ADMIN, policy_version="v", ip_ban=ip_ban, ids=ids(2)
    )  # fmt: skip


def test_alts_of_a_free_account_cost_it_one_strike_and_no_ban() -> None:
    event = decided(NEW, evading("a1", "a2"))
    assert (event.sanctions, event.strike, event.alts, event.evasion) == ((), 1, ("a1", "a2"), False)
    after = standing(NEW.given(event))
    assert (after.status, after.strikes, after.ban) == ("warned", 1, None)


def test_an_alt_is_banned_permanently_without_a_strike_by_each_incident_that_charges_it() -> None:
    """I-34: what an incident imposed falls with it alone, so the account stays banned while another one charges it."""
    past = NEW.after(alt_ban(), alt_ban(by_incident="i2"))
    after = standing(past)
    assert (after.status, after.strikes) == ("permanently_banned", 0)
    assert after.ban is not None
    assert after.ban.incident_ids == ("i1", "i2")


def test_no_evasion_makes_a_ban_longer_than_any_ban_may_be() -> None:
    """D13: 3,650 days are the most, also in steps of two; the one that would pass it is refused and nothing is recorded."""
    past = BANNED.after(adjustment(next(iter(BANNED.state().incidents)), 3646))
    past = past.after(evading("a1"), evading("a2"))
    assert end(past) == T0 + 3650 * DAY
    past.when(evading("a3")).refused("duration_too_long")
    assert end(past.after(evading("a1"))) == T0 + 3650 * DAY


def test_an_alt_that_is_banned_for_its_own_acts_is_banned_as_an_alt_besides() -> None:
    """Overturning the one must not free it from the other."""
    (event,) = NEW.after(incident("lurking")).when(alt_ban()).happens()
    assert isinstance(event, AltBanned)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_each_evasion_adds_two_days_and_no_strike(count: int) -> None:
    """S4: "+2 days to the original ban (no extra strike)"."""
    event = decided(BANNED, evading(*(f"a{n}" for n in range(count)), at=T0 + DAY))
    assert (event.evasion, event.strike, event.sanctions) == (True, None, ())
    after = BANNED.given(event)
    assert end(after, T0 + DAY) == T0 + (5 + 2 * count) * DAY
    assert standing(after, T0 + DAY).strikes == 1


def test_evasion_extends_the_ban_that_ends_last_and_no_other() -> None:
    past = NEW.after(incident("spam-major"), incident("malicious-afk"))  # 1 day, 5 days
    event = decided(past, evading("a1"))
    assert event.extension is not None
    assert event.extension.incident_id == list(past.state().incidents)[1]
    ends = [held.sanction.ends_at for one in past.given(event).state().incidents.values() for held in one.sanctions]
    assert ends == [T0 + DAY, T0 + 7 * DAY]


def test_the_same_alt_extends_a_ban_once() -> None:
    """N09: retries add no days; a new alt beside it does."""
    past = BANNED.after(evading("a1"), evading("a1"))
    assert end(past) == T0 + 7 * DAY
    assert end(past.after(evading("a1", "a2"))) == T0 + 9 * DAY


def test_the_granted_length_stays_five_days_however_much_is_added() -> None:
    """D15: what was granted and what was added are two facts."""
    past = BANNED.after(evading("a1"))
    (held,) = next(iter(past.state().incidents.values())).sanctions
    assert (held.sanction.days, held.extended_days) == (5, 2)


def test_a_permanent_ban_stays_as_it_is_and_the_evasion_is_recorded() -> None:
    past = NEW.after(incident("lurking"))
    event = decided(past, evading("a1"))
    assert (event.evasion, event.extension, event.strike) == (True, None, None)
    assert end(past.given(event)) is None


def test_a_permanent_ban_beside_a_timed_one_leaves_the_timed_one_alone() -> None:
    """The ban that ends last has no end."""
    event = decided(BANNED.after(incident("lurking")), evading("a1"))
    assert event.extension is None


def test_charging_evasion_of_a_free_account_is_refused() -> None:
    """`not_evasion`: never banned, and banned until this very moment (I-5)."""
    NEW.when(evading("a1", evasion=True)).refused("not_evasion")
    BANNED.when(evading("a1", evasion=True, at=T0 + 5 * DAY)).refused("not_evasion")
    assert decided(BANNED, evading("a1", evasion=True, at=T0 + 5 * DAY - DAY / 1000)).evasion


def test_a_served_ban_is_not_evaded() -> None:
    event = decided(struck(1), evading("a1"))
    assert (event.evasion, event.strike) == (False, 2)


def test_evasion_beside_a_strike_offense_adds_that_strike_only_and_extends_the_ban_that_was_evaded() -> None:
    """I-4 with I-13: the ban that runs when the incident is decided is the evaded one, not the one that it imposes."""
    both = incident("malicious-afk", charge("multiple-accounts", alts=("a1",)))
    event = decided(BANNED, both)
    assert (event.strike, ban_days(event)) == (2, 5)
    assert event.extension is not None
    assert event.extension.ends_at == T0 + 7 * DAY
    assert [line.strike for line in event.offenses] == [True, False]


def test_multiple_accounts_and_a_strike_offense_of_a_free_account_are_one_strike() -> None:
    """I-4: the incident's own ban is not evaded by accounts that were there before."""
    event = decided(NEW, incident("malicious-afk", charge("multiple-accounts", alts=("a1",))))
    assert (event.strike, ban_days(event), event.evasion) == (1, 3, False)


@pytest.mark.parametrize("alts", [(), ("a1", "a1"), ("p1",)])
def test_the_accounts_are_named_once_and_are_others(alts: tuple[str, ...]) -> None:
    NEW.when(evading(*alts)).refused("invalid_request")


def test_other_infractions_take_no_accounts() -> None:
    NEW.when(incident(charge("spam-major", alts=("a1",)))).refused("invalid_request")
    NEW.when(incident(charge("spam-major", evasion=True))).refused("invalid_request")


def test_four_accounts_at_once_get_no_ip_ban_and_five_do() -> None:
    """The main account is one of the five when it is banned itself."""
    four = decided(BANNED, evading("a1", "a2", "a3"))
    assert (four.linked_ip_ban, four.sanctions) == (False, ())
    five = decided(BANNED, evading("a1", "a2", "a3", "a4", networks=("aa",)))
    assert (five.linked_ip_ban, kinds(five.sanctions)) == (True, ["ip_ban", "permanent_ban"])
    assert not decided(NEW, evading("a1", "a2", "a3", "a4")).linked_ip_ban


def test_five_alts_of_a_free_account_are_five_and_the_account_itself_is_none_of_them() -> None:
    event = decided(NEW, evading("a1", "a2", "a3", "a4", "a5"))
    assert (event.linked_ip_ban, event.sanctions) == (True, ())


def test_only_distinct_accounts_that_are_banned_at_the_same_moment_count() -> None:
    """N09: repeats don't count, freed alts leave the count, and the fifth may come later."""
    past = BANNED.after(evading("a1", "a2", "a3"))
    known = {"a1": True, "a2": True, "a3": True}
    assert not decided(past, evading("a1", banned=known)).linked_ip_ban
    assert decided(past, evading("a4", banned=known)).linked_ip_ban
    assert not decided(past, evading("a4", banned={**known, "a2": False})).linked_ip_ban
    assert not decided(past, evading("a4", banned=known, at=T0 + 30 * DAY)).linked_ip_ban  # the main account's ban is over: four


def test_the_main_accounts_own_ban_makes_the_fifth_as_well() -> None:
    """I-13: "banned at the same moment number 5 or more", whatever the fifth one is banned for; once, not with each further incident."""
    past = NEW.after(evading("a1", "a2", "a3", "a4"))
    four = evading(banned=dict.fromkeys(("a1", "a2", "a3", "a4"), True)).facts
    event = decided(past, incident("malicious-afk", facts=four))
    assert (event.linked_ip_ban, kinds(event.sanctions)) == (True, ["ip_ban", "permanent_ban"])
    assert not decided(past, incident("harassment-minor", facts=four)).linked_ip_ban
    assert not decided(past.given(event), incident("malicious-afk", facts=four)).linked_ip_ban


def test_alts_known_from_before_get_the_ip_ban_too_and_once() -> None:
    past = NEW.after(alt_ban())
    (event,) = past.when(replace(alt_ban(ip_ban=True, by_incident="i2"), charged=False)).happens()
    assert isinstance(event, LinkedIpBanImposed)
    assert kinds(event.sanctions) == ["ip_ban"]
    assert past.given(event).when(replace(alt_ban(ip_ban=True, by_incident="i3"), charged=False)).happens() == ()
    assert standing(past.given(event)).ip_banned


def test_adjusting_an_extended_ban_names_its_whole_length_and_the_same_length_changes_nothing() -> None:
    """I-20, D10: 5 days and 2 for evasion; "5 days" again moves no end, "3 days" is three days from its start."""
    past = BANNED.after(evading("a1"))
    (main, _) = past.state().incidents
    same = past.after(adjustment(main, 5, at=T0 + DAY))
    assert end(same, T0 + DAY) == T0 + 7 * DAY
    assert end(past.after(adjustment(main, 3, at=T0 + DAY)), T0 + DAY) == T0 + 3 * DAY


def test_an_imported_running_ban_can_be_evaded() -> None:
    """I-13, I-22."""
    past = NEW.after(imported(5, decided_at=T0 - DAY))
    event = decided(past, evading("a1"))
    assert event.extension is not None
    assert event.extension.ends_at == T0 - DAY + 7 * DAY


def test_an_admins_own_account_is_no_alt_to_decide_on() -> None:
    NEW.when(replace(evading("admin-1-player"), by=ADMIN)).refused("conflict_of_interest")
