"""Bans of networks: when they are made, lifted, and lift their hand from one account (contract, I-14, N04, N06, N07)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from services.moderation.network_bans.commands import BanNetwork, ExemptAccount, IncidentBan, LiftNetworkBan, NetworkBanCommand, OtherBan
from services.moderation.network_bans.decider import NetworkBanDecider, duplicate_of, entry_of
from services.moderation.network_bans.events import (
    AccountExempted,
    BanDetails,
    NetworkBanEntered,
    NetworkBanEvent,
    NetworkBanLifted,
    NetworkBanned,
)
from services.moderation.network_bans.state import NetworkBanState, standing_of
from services.moderation.record.commands import Decider
from services.moderation.record.events import Words
from tests.support.scenario import Scenario

T0 = datetime(2026, 11, 30, 10, tzinfo=UTC)
HOUR, TICK = timedelta(hours=1), timedelta(microseconds=1)
HEAD = Decider(staff_id="head-1", role="head_admin", player_id="head-1-player")
WORDS = Words(reason="Because.")

BAN = BanNetwork(
    network_ban_id="b1", network="203.0.113.0/24", network_hash="00ff", at=T0, by=HEAD, reason="Because.", max_days=3650, ends_at=T0 + HOUR
)
BANNED = NetworkBanned(
    network_ban_id="b1",
    network_hash="00ff",
    at=T0,
    by="head-1",
    role="head_admin",
    ends_at=T0 + HOUR,
    details=BanDetails(network="203.0.113.0/24", reason="Because."),
)
LIFT = LiftNetworkBan(network_ban_id="b1", at=T0 + TICK, by=HEAD, reason="Because.")
LIFTED = NetworkBanLifted(network_ban_id="b1", at=T0 + TICK, by="head-1", role="head_admin", words=WORDS)
EXEMPT = ExemptAccount(network_ban_id="b1", player_id="p2", at=T0 + TICK, by=HEAD, reason="Because.")
EXEMPTED = AccountExempted(network_ban_id="b1", player_id="p2", at=T0 + TICK, by="head-1", role="head_admin", words=WORDS)
INCIDENT = IncidentBan(incident_id="i1", player_id="p1", networks=2, created_at=T0, active=True)

Past = Scenario[NetworkBanCommand, NetworkBanState, NetworkBanEvent]


def given(*events: NetworkBanEvent) -> Past:
    return Scenario(NetworkBanDecider(), events)


def test_a_network_is_banned_until_its_end() -> None:
    state = given().when(BAN).then(BANNED).state()
    assert (state.version, state.banned) == (1, BANNED)
    assert entry_of(BANNED) == NetworkBanEntered(network_hash="00ff", network_ban_id="b1", at=T0)


def test_a_ban_without_an_end_has_none() -> None:
    given().when(replace(BAN, ends_at=None)).then(replace(BANNED, ends_at=None))


@pytest.mark.parametrize("ends_at", [T0, T0 - TICK, T0 - 4000 * HOUR])
def test_a_ban_that_would_have_ended_already_is_refused(ends_at: datetime) -> None:
    assert given().when(replace(BAN, ends_at=ends_at)).refused("invalid_request").field == "ends_at"


def test_a_ban_with_an_end_lasts_at_most_3650_days() -> None:
    longest = T0 + timedelta(days=3650)
    given().when(replace(BAN, ends_at=longest)).then(replace(BANNED, ends_at=longest))
    given().when(replace(BAN, ends_at=longest + TICK)).refused("duration_too_long")
    given().when(replace(BAN, ends_at=datetime.max.replace(tzinfo=UTC))).refused("duration_too_long")


def test_the_same_network_with_the_same_end_is_banned_once() -> None:
    """N04: an exact duplicate of a ban in force is that ban."""
    same = OtherBan(network_ban_id="b0", ends_at=BAN.ends_at, active=True)
    again = replace(BAN, others=(OtherBan(network_ban_id="b-1", ends_at=None, active=True), same))
    assert duplicate_of(again) == same
    given().when(again).then()


@pytest.mark.parametrize(
    "other",
    [
        OtherBan(network_ban_id="b0", ends_at=None, active=True),
        OtherBan(network_ban_id="b0", ends_at=T0 + HOUR + TICK, active=True),
        OtherBan(network_ban_id="b0", ends_at=T0 + HOUR, active=False),
    ],
)
def test_another_end_or_a_ban_that_is_over_makes_another_ban(other: OtherBan) -> None:
    """N04: what is no exact duplicate is a ban of its own."""
    again = replace(BAN, others=(other,))
    assert duplicate_of(again) is None
    given().when(again).then(BANNED)


def test_a_ban_ends_by_itself_at_its_end() -> None:
    """D01: computed from the end and the moment asked, nothing runs."""
    state = given(BANNED).state()
    assert [standing_of(state, T0 + HOUR - TICK), standing_of(state, T0 + HOUR)] == ["active", "expired"]
    assert standing_of(given(replace(BANNED, ends_at=None)).state(), datetime.max.replace(tzinfo=UTC)) == "active"


def test_a_ban_is_lifted_once() -> None:
    lifted = given(BANNED).when(LIFT).then(LIFTED)
    assert standing_of(lifted.state(), T0 + TICK) == standing_of(lifted.state(), T0 + 2 * HOUR) == "lifted"
    lifted.when(replace(LIFT, at=T0 + HOUR)).then()


def test_a_ban_that_has_ended_is_not_lifted_any_more() -> None:
    given(BANNED).when(replace(LIFT, at=T0 + HOUR)).then()


def test_an_incidents_ip_ban_is_lifted_on_its_incident() -> None:
    refusal = given().when(replace(LIFT, incident=INCIDENT)).refused("invalid_transition")
    assert refusal.allowed == ["/v1/incidents/i1/ip-ban/lift"]
    given(EXEMPTED).when(replace(LIFT, incident=INCIDENT)).refused("invalid_transition")


def test_what_is_not_there_is_neither_lifted_nor_exempted_from() -> None:
    given().when(LIFT).refused("not_found")
    given().when(EXEMPT).refused("not_found")


def test_an_account_is_exempt_once() -> None:
    """N06: for that account only, and recorded."""
    exempt = given(BANNED).when(EXEMPT).then(EXEMPTED)
    assert set(exempt.state().exemptions) == {"p2"}
    exempt.when(replace(EXEMPT, at=T0 + 2 * HOUR)).then()
    exempt.when(replace(EXEMPT, player_id="p3")).then(replace(EXEMPTED, player_id="p3"))


def test_nobody_exempts_their_own_account() -> None:
    """L13, contract: `conflict_of_interest`, from an incident's IP ban as well."""
    own = replace(EXEMPT, player_id="head-1-player")
    given(BANNED).when(own).refused("conflict_of_interest")
    given().when(replace(own, incident=INCIDENT)).refused("conflict_of_interest")


def test_from_a_ban_that_is_over_nobody_is_exempted() -> None:
    assert given(BANNED, LIFTED).when(EXEMPT).refused("invalid_transition").current["state"] == "lifted"
    assert given(BANNED).when(replace(EXEMPT, at=T0 + HOUR)).refused("invalid_transition").current["state"] == "expired"
    given().when(replace(EXEMPT, incident=replace(INCIDENT, active=False))).refused("invalid_transition")


def test_an_incidents_ip_ban_has_exemptions_too() -> None:
    """N06: its stream may begin with one."""
    state = given().when(replace(EXEMPT, incident=INCIDENT)).then(EXEMPTED).state()
    assert (state.version, state.banned) == (1, None)


def test_a_clock_that_goes_back_does_not_turn_the_order_round() -> None:
    """E02."""
    given(BANNED).when(replace(LIFT, at=T0 - HOUR)).then(replace(LIFTED, at=T0))
    given(BANNED).when(replace(EXEMPT, at=T0 - HOUR)).then(replace(EXEMPTED, at=T0))
