"""IP bans: the account for ever, and its networks (I-12, I-14); proxies (I-15)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.moderation.policy.tables import Policy
from services.moderation.record.commands import BanProxy, Facts, LiftIpBan, LiftProxyBan
from services.moderation.record.events import IpBanLifted
from tests.support.record import ADMIN, DAY, HEAD, NEW, POLICY, T0, Past, adjustment, charge, decided, evading, incident, kinds, standing

ROWS = ("doxing", "objectionable-severe", "admin-impersonation", "hacking", "wagering", "faking-evidence", "exam-cheating")
SEEN = Facts(networks=("aa", "bb"))
AUTOMATIC: Policy = replace(POLICY, settings=replace(POLICY.settings, proxy_ban="automatic"))


def lift(incident_id: str) -> LiftIpBan:
    return LiftIpBan(incident_id=incident_id, player_id="p1", at=T0 + DAY, by=HEAD, reason="A shared line.")


@pytest.mark.parametrize("infraction", ROWS)
def test_an_ip_ban_is_a_permanent_ban_of_the_account_and_covers_the_networks_seen(infraction: str) -> None:
    """I-12: also where the row says only "IP ban"."""
    event = decided(NEW, incident(infraction, facts=SEEN))
    assert {sanction.kind: sanction.networks for sanction in event.sanctions} == {"permanent_ban": (), "ip_ban": ("aa", "bb")}
    after = standing(NEW.given(event))
    assert (after.status, after.ip_banned) == ("permanently_banned", True)


def test_networks_named_in_the_command_are_covered_besides_each_once() -> None:
    """I-14."""
    event = decided(NEW, incident(charge("doxing", networks=("cc", "aa", "cc")), facts=SEEN))
    assert [sanction.networks for sanction in event.sanctions if sanction.kind == "ip_ban"] == [("aa", "bb", "cc")]


def test_naming_networks_without_an_ip_ban_is_refused() -> None:
    """I-14: they would be passed over in silence."""
    NEW.when(incident(charge("lurking", networks=("cc",)))).refused("discretion_not_allowed")
    assert kinds(decided(NEW, incident(charge("lurking", networks=("cc",), ip_ban=True))).sanctions) == ["ip_ban", "permanent_ban"]


def test_lifting_an_ip_ban_frees_the_networks_and_leaves_the_accounts_own_ban() -> None:
    """I-14: two sanctions; D11: what was imposed is not rewritten."""
    event = decided(NEW, incident("hacking", facts=SEEN))
    past = NEW.given(event).after(lift(event.incident_id))
    assert isinstance(past.past[-1], IpBanLifted)
    after = standing(past, T0 + DAY)
    assert (after.ip_banned, after.status) == (False, "permanently_banned")
    assert past.past[0] == event
    assert past.when(lift(event.incident_id)).happens() == ()


def test_lifting_the_ip_ban_of_an_unknown_incident_is_refused() -> None:
    NEW.when(lift("nothing")).refused("not_found")


def test_an_incident_without_an_ip_ban_has_none_to_lift() -> None:
    """It is so already."""
    event = decided(NEW, incident("spam-major"))
    assert NEW.given(event).when(lift(event.incident_id)).happens() == ()


def test_lowering_to_days_ends_the_ip_ban_with_the_permanent_one() -> None:
    """N07: no IP entry outlives the sanction that made it."""
    event = decided(NEW, incident("doxing", facts=SEEN))
    after = standing(NEW.given(event).after(adjustment(event.incident_id, 7)))
    assert (after.ip_banned, after.status) == (False, "banned")


def test_an_ip_ban_that_is_wanted_still_keeps_its_networks() -> None:
    """I-20: what the game server saw since then does not widen it."""
    event = decided(NEW, incident("doxing", facts=SEEN))
    past = NEW.given(event).after(adjustment(event.incident_id, "permanent_ban", "ip_ban", facts=Facts(networks=("dd",))))
    before, after = event.sanctions, [held.sanction for held in past.state().incidents[event.incident_id].sanctions]
    assert sorted(after, key=lambda s: s.kind) == sorted(before, key=lambda s: s.kind)


def proxy(policy: Policy) -> BanProxy:
    return BanProxy(at=T0, reported_by="game-1", policy=policy)


def test_a_proxy_is_allowed_unless_the_policy_bans_it() -> None:
    """I-15: `off` is the default."""
    assert POLICY.settings.proxy_ban == "off"
    assert NEW.when(proxy(POLICY)).happens() == ()


def test_a_banned_proxy_stops_the_account_without_a_strike_until_a_head_admin_lifts_it() -> None:
    """I-15: once; a lift ends it, and the next visit through a proxy begins it again."""
    past = NEW.after(proxy(AUTOMATIC))
    assert past.when(proxy(AUTOMATIC)).happens() == ()
    barred = standing(past)
    assert (barred.proxy_banned, barred.strikes, barred.ban) == (True, 0, None)
    lifting = LiftProxyBan(player_id="p1", at=T0 + DAY, by=HEAD, reason="A company network.")
    lifted = past.after(lifting)
    assert not standing(lifted, T0 + DAY).proxy_banned
    assert lifted.when(lifting).happens() == ()
    assert standing(lifted.after(replace(proxy(AUTOMATIC), at=T0 + 2 * DAY)), T0 + 2 * DAY).proxy_banned


def test_nobody_lifts_a_ban_of_their_own_account() -> None:
    """Contract: `conflict_of_interest`."""
    past: Past = NEW.after(proxy(AUTOMATIC))
    own = replace(HEAD, player_id="p1")
    past.when(LiftProxyBan(player_id="p1", at=T0, by=own, reason="Mine.")).refused("conflict_of_interest")
    event = decided(NEW, incident("hacking"))
    NEW.given(event).when(replace(lift(event.incident_id), by=own)).refused("conflict_of_interest")
    NEW.when(incident("spam-major", by=replace(ADMIN, player_id="p1"))).refused("conflict_of_interest")
    NEW.when(replace(evading("mine"), by=replace(ADMIN, player_id="mine"))).refused("conflict_of_interest")
    NEW.given(event).when(adjustment(event.incident_id, by=own)).refused("conflict_of_interest")
