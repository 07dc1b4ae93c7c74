"""Alts, evasion and IP bans when a decision falls: what goes with it, and what stays for a decision of its own (I-13, I-34; A06)."""

from __future__ import annotations

from services.moderation.appeals.along import fallen_along
from services.moderation.appeals.events import IncidentOverturned
from services.moderation.record.commands import BanAlt
from tests.support.appeals import Decided, active, issued, overturn
from tests.support.record import ADMIN, DAY, NEW, PLAYER, T0, Past, charge, evading, ids, incident, standing

CHEAT = NEW.after(incident("cheating"))
EVADED = CHEAT.after(evading("a1", "a2"))
"""Five days, and four more for two alts."""


def end_in_days(past: Past) -> float | None:
    ban = standing(past).ban
    return None if ban is None or ban.ends_at is None else (ban.ends_at - T0) / DAY


def linked(done: Decided) -> list[tuple[str, tuple[str, ...]]]:
    return [(item.incident_id, item.player_ids) for item in done.effects.linked]


def alt_of(main: str, incident_id: str) -> Past:
    """The record of an alt banned with the main account's incident."""
    return NEW.after(
        BanAlt(incident_id=incident_id, player_id="a1", main_player_id=main, at=T0, by=ADMIN, policy_version="v", ip_ban=False, ids=ids(2))
    )


def test_an_overturned_evasion_gives_its_days_back_and_frees_the_alts() -> None:
    done = overturn(EVADED, issued(EVADED)[1])
    assert (end_in_days(EVADED), end_in_days(done.past)) == (9, 5)
    assert (done.effects.freed, linked(done)) == (("a1", "a2"), [])


def test_two_evasions_each_give_back_their_own_days() -> None:
    past = EVADED.after(evading("a3"))
    _, first, second = issued(past)
    assert end_in_days(past) == 11
    assert end_in_days(overturn(past, first).past) == 7
    assert end_in_days(overturn(overturn(past, first).past, second).past) == 5


def test_the_extension_goes_with_the_ban_and_the_alts_are_linked() -> None:
    """The alts' bans stay, for a decision of their own, which still frees them."""
    cheat, evasion = issued(EVADED)
    done = overturn(EVADED, cheat)
    assert (standing(done.past).ban, done.effects.freed, linked(done)) == (None, (), [(evasion, ("a1", "a2"))])
    after = overturn(done.past, evasion)
    assert (after.effects.freed, linked(after), standing(after.past).status) == (("a1", "a2"), [], "good")


def test_an_extension_never_moves_to_another_ban() -> None:
    """Of two running bans the extended one falls; the other ends when it did."""
    past = CHEAT.after(incident("spam-minor", charge("duel-notes-misuse")), evading("a1"))
    cheat = issued(past)[0]
    other = issued(past)[1]
    days = {days for kind, days in active(past.state(), other) if kind == "ban"}
    done = overturn(past, cheat, cascade=False)
    remaining = end_in_days(done.past)
    assert remaining is None or {int(remaining)} == days


def test_the_extension_stays_on_a_ban_that_is_read_again() -> None:
    """Three days of the second column and two for an alt become one and two."""
    past = NEW.after(incident("harassment-major"), incident("trolling-major", at=T0 + 3 * DAY))
    first, second = issued(past)
    past = past.after(evading("a1", at=T0 + 3 * DAY))
    (before,) = (held for held in past.state().incidents[second].sanctions)
    done = overturn(past, first)
    (after,) = (held for held in done.incident(second).sanctions)
    assert (before.extended_days, after.extended_days) == (2, 2)
    for held in (before, after):
        assert held.sanction.ends_at is not None
        assert held.sanction.ends_at == held.sanction.starts_at + ((held.sanction.days or 0) + 2) * DAY
    assert (after.sanction.days or 0) < (before.sanction.days or 0)


def test_a_permanent_ban_read_down_to_days_was_never_extended() -> None:
    """A permanent ban can't grow; read again it has its own days and no others."""
    past = NEW.after(incident("spam-major"), incident("cheating"), evading("a1"))
    done = overturn(past, issued(past)[0])
    assert active(done.past.state(), issued(past)[1]) == [("ban", 5)]
    assert end_in_days(done.past) == 5


def test_evasion_stays_evasion_whatever_falls_later() -> None:
    """I-34: that the account was banned then is a fact; no strike comes of it afterwards."""
    done = overturn(EVADED, issued(EVADED)[0])
    assert (standing(done.past).strikes, done.reread()) == (0, [])


def test_the_alts_of_a_ban_that_is_read_away_are_linked_too() -> None:
    """The upgrade is lost, the ban becomes a warning, the days of evasion go with it; the alts stay banned and are listed."""
    past = NEW.after(incident("harassment-minor"), incident(charge("harassment-minor", upgrade=True)), evading("a1"))
    first, second, evasion = issued(past)
    done = overturn(past, first)
    assert done.reread() == [(second, 1, 1, ["ban"], ["warning"])]
    assert (standing(done.past).ban, linked(done)) == (None, [(evasion, ("a1",))])


def test_an_alts_own_appeal_frees_that_alt_only() -> None:
    """I-30; when the main account's incident falls later, nothing is left to fall there."""
    past = alt_of("main", "i-main")
    done = overturn(past, "i-main")
    assert (standing(done.past).status, done.effects.freed) == ("good", ())
    fallen = IncidentOverturned(incident_id="i-main", at=T0, by="s", role="senior_admin", strike_before=1, sanctions_before=())
    assert fallen_along(done.past.state(), fallen) is None
    along = fallen_along(past.state(), fallen)
    assert along is not None
    assert standing(past.given(along)).status == "good"


def test_five_accounts_lose_the_ip_ban_with_the_incident_that_made_it() -> None:
    """I-13: the main account is back at the ban of its own, and all four others are reached."""
    past = CHEAT.after(evading("a1", "a2"), evading("a3", "a4", banned={"a1": True, "a2": True}))
    assert standing(past).ip_banned
    _, _, last = issued(past)
    done = overturn(past, last)
    assert not standing(done.past).ip_banned
    assert end_in_days(done.past) == 9
    assert set(done.effects.freed) == {"a1", "a2", "a3", "a4"}
    assert PLAYER not in done.effects.freed


def test_alts_of_a_free_account_fall_with_its_strike() -> None:
    """I-13: one strike and no ban; the next incident is in the first column again."""
    past = NEW.after(evading("a1"), incident("cheating"))
    first, second = issued(past)
    done = overturn(past, first)
    assert (done.effects.freed, done.reread()) == (("a1",), [(second, 2, 1, ["permanent_ban"], ["ban"])])
