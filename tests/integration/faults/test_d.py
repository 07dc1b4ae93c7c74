"""Faults D01 to D18 of the field: durations, expiry and time, over HTTP on PostgreSQL with a clock that moves."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.support.app import T0, Hands, Service, fresh, incident, iso, offense, serving
from tests.support.database import Database, run

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_d01_a_ban_ends_with_nothing_running(service: Service) -> None:
    """Two days and a second later the account may come in; no task of the service has run for it."""
    player = fresh()
    await service.issue(player, "harassment-major")
    assert (await service.access(player))["allowed"] is False
    service.clock.turn(days=2, seconds=1)
    assert (await service.access(player))["allowed"] is True


async def test_d02_access_standing_lists_and_record_agree(service: Service) -> None:
    player = fresh()
    done = await service.issue(player, "spam-major")
    assert [(item["kind"], item["state"]) for item in await service.active(player)] == [("ban", "active")]
    service.clock.turn(hours=25)
    assert (await service.access(player))["allowed"] is True
    assert (await service.standing(player))["status"] == "warned"
    assert (await service.game.post("/v1/standings/query", {"player_ids": [player]}))["standings"][0]["ban"] is None
    assert await service.active(player) == []
    (item,) = await service.incidents(player)
    one = await service.game.get(f"/v1/incidents/{done['incident_id']}")
    assert item["sanctions"] == one["sanctions"]
    assert [(s["kind"], s["days"], s["state"]) for s in item["sanctions"]] == [("ban", 1, "expired")]


async def test_d03_a_lift_or_the_end_alone_is_enough(service: Service) -> None:
    """A permanent ban lowered to a warning, and three days gone by."""
    lifted, served = fresh(), fresh()
    done = await service.issue(lifted, "lurking")
    await service.issue(served, "malicious-afk")
    await service.adjust(done["incident_id"], {"kind": "warning"})
    assert (await service.access(lifted))["allowed"] is True
    service.clock.turn(days=3)
    assert (await service.access(served))["allowed"] is True


async def test_d04_no_end_is_never_taken_for_ended(service: Service) -> None:
    """Also after the row of the projection is lost: the log answers."""
    player = fresh()
    await service.issue(player, "spam-major")
    service.clock.turn(days=2)
    await service.issue(player, "cheating")
    service.clock.turn(days=3000)
    await service.store.fetch("DELETE FROM standing WHERE player_id = $1", player)
    standing = await service.standing(player)
    assert (standing["status"], standing["ban"]["ends_at"]) == ("permanently_banned", None)
    assert (await service.access(player))["allowed"] is False
    assert len(await service.incidents(player)) == 2


@pytest.mark.parametrize("days", [0, -1, 0.5, 8, None])
async def test_d05_a_length_out_of_range_is_refused_and_nothing_recorded(service: Service, days: Any) -> None:
    player = fresh()
    await service.admin.post("/v1/incidents", incident(player, offense("objectionable-major", days=days)), expect=422)
    await service.admin.post("/v1/incidents", incident(player, "objectionable-major"), expect=422)
    assert await service.history(player) == []


async def test_d05_permanent_is_a_kind_of_its_own(service: Service) -> None:
    (ban,) = (await service.issue(fresh(), "lurking"))["sanctions"]
    assert (ban["kind"], ban["ends_at"], "days" in ban) == ("permanent_ban", None, False)


async def test_d06_a_later_timed_ban_leaves_the_permanent_one(service: Service) -> None:
    player = fresh()
    await service.issue(player, "spam-major")
    permanent = await service.issue(player, "cheating")
    timed = await service.issue(player, "spam-major", by=service.admin_b, occurred_at=iso(T0 - timedelta(days=3)))
    assert timed["sanctions"][0]["days"] == 7
    check = await service.access(player)
    assert check["reasons"][0] == {"code": "banned", "ends_at": None, "incident_id": permanent["incident_id"]}
    service.clock.turn(days=8)
    check = await service.access(player)
    assert [reason["incident_id"] for reason in check["reasons"]] == [permanent["incident_id"]]
    assert len(await service.incidents(player)) == 3


async def test_d08_a_ban_turned_permanent_outlives_its_old_end(service: Service) -> None:
    player = fresh()
    done = await service.issue(player, "malicious-afk")
    service.clock.turn(days=1)
    await service.adjust(done["incident_id"], {"kind": "permanent_ban"})
    service.clock.turn(days=2, seconds=1)
    assert (await service.access(player))["allowed"] is False
    assert (await service.standing(player))["ban"]["starts_at"] == iso(T0)


async def test_d09_banned_already_is_no_error(service: Service) -> None:
    player = fresh()
    await service.issue(player, "harassment-major")
    graver = await service.issue(player, "harassment-severe", occurred_at=iso(T0 - timedelta(hours=1)))
    assert (graver["strike"]["number"], graver["sanctions"][0]["kind"]) == (2, "permanent_ban")
    assert len(await service.active(player)) == 2


async def test_d10_correcting_the_reason_moves_no_end(service: Service) -> None:
    """The whole of the sanctions sent again five hours later, as they are read."""
    player = fresh()
    done = await service.issue(player, "hate-speech")
    service.clock.turn(hours=5)
    (ban,) = (await service.game.get(f"/v1/incidents/{done['incident_id']}"))["sanctions"]
    changed = await service.adjust(done["incident_id"], {"kind": ban["kind"], "days": ban["days"]})
    assert changed["sanctions"] == done["sanctions"]
    assert (await service.standing(player))["ban"]["ends_at"] == iso(T0 + timedelta(days=7))


async def test_d11_the_original_length_is_never_rewritten(service: Service) -> None:
    """Thirty days, ended after two minutes: length, moment, who and why are separate facts."""
    player = fresh()
    act = offense("unlisted", sanctions=[{"kind": "ban", "days": 30}], strike=True)
    done = await service.issue(player, act, by=service.head)
    service.clock.turn(minutes=2)
    await service.adjust(done["incident_id"], {"kind": "warning"})
    decided, adjusted = await service.history(player)
    assert [(s["kind"], s["days"]) for s in decided["data"]["sanctions"]] == [("ban", 30)]
    assert decided["data"]["sanctions"][0]["ends_at"] == iso(T0 + timedelta(days=30))
    assert (adjusted["actor"], adjusted["data"]["at"]) == ("head-1", iso(T0 + timedelta(minutes=2)))
    assert adjusted["data"]["words"]["reason"] == "On review."
    assert (await service.standing(player, at_version=1))["ban"]["ends_at"] == iso(T0 + timedelta(days=30))


async def test_d12_twenty_six_days_overflow_nothing(service: Service) -> None:
    """Stacked categories (7 + 7 + 7 at the third strike) and two alts (+ 4) and a day."""
    player = fresh()
    await service.strikes(player, 2)
    await service.issue(player, "trolling-major", "malicious-afk", "spam-major", "duel-notes-misuse")
    await service.issue(player, offense("multiple-accounts", alts=[fresh("alt"), fresh("alt")]))
    for days, allowed in ((0.00001, False), (24.9, False), (25.9, False), (26 + 0.00001, True)):
        service.clock.moment = T0 + timedelta(days=days)
        assert (await service.access(player))["allowed"] is allowed


@pytest.mark.parametrize("days", [3651, 3_000_000, 999_999_999, 10**12])
async def test_d13_an_absurd_length_is_refused_and_the_lists_still_work(service: Service, days: int) -> None:
    player = fresh()
    done = await service.issue(player, "spam-major")
    refusal = await service.adjust(done["incident_id"], {"kind": "ban", "days": days}, expect=422)
    assert refusal["code"] == "duration_too_long"
    act = offense("unlisted", sanctions=[{"kind": "ban", "days": days}], strike=True)
    await service.head.refused("duration_too_long", "/v1/incidents", incident(player, act))
    assert len(await service.active(player)) == 1
    assert len(await service.history(player)) == 1


async def test_d15_the_granted_length_stays_what_it_was(service: Service) -> None:
    player = fresh()
    done = await service.issue(player, "cheating")
    for _ in range(3):
        (ban,) = (await service.game.get(f"/v1/incidents/{done['incident_id']}"))["sanctions"]
        assert (ban["days"], ban["ends_at"]) == (5, iso(T0 + timedelta(days=5)))
        service.clock.turn(seconds=1)


@pytest.mark.parametrize("start", ["2024-03-30T12:00:00+00:00", "2024-10-26T12:00:00+00:00"])
async def test_d17_a_day_is_24_hours_whatever_the_zone_of_the_session(fresh_database: Database, start: str) -> None:
    """The database's default zone is Europe/London, whose clocks change in that night."""
    run(fresh_database.superuser, f"ALTER DATABASE {fresh_database.name} SET timezone = 'Europe/London'")
    async with serving(fresh_database, Hands(datetime.fromisoformat(start))) as service:
        player = fresh()
        (ban,) = (await service.issue(player, "spam-major"))["sanctions"]
        assert datetime.fromisoformat(ban["ends_at"]) - datetime.fromisoformat(start) == timedelta(hours=24)
        service.clock.turn(hours=24, microseconds=-1)
        assert (await service.access(player))["allowed"] is False
        service.clock.turn(microseconds=1)
        assert (await service.access(player))["allowed"] is True


@pytest.mark.parametrize(
    ("gap", "offered"), [(timedelta(days=7, seconds=-1), True), (timedelta(days=7), True), (timedelta(days=7, seconds=1), False)]
)
async def test_d18_the_window_runs_between_the_acts(service: Service, gap: timedelta, *, offered: bool) -> None:
    """The first is typed in two days late; another category is no repeat; an offer forces nothing."""
    player, then = fresh(), T0 - timedelta(days=20)
    service.clock.moment = then + timedelta(days=2)
    await service.issue(player, "harassment-minor", occurred_at=iso(then))
    service.clock.moment = T0
    other = await service.issue(player, "spam-minor", occurred_at=iso(then + gap))
    assert other["assessment"][0]["upgradable_to"] is None
    second = await service.issue(player, "harassment-minor", occurred_at=iso(then + gap))
    assert second["assessment"][0]["upgradable_to"] == ("harassment-major" if offered else None)
    assert [s["kind"] for s in second["sanctions"]] == ["warning"]
