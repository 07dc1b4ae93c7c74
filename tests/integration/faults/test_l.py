"""Faults L01 to L13 of the field: the strike ladder. L06, L07, L08 and L12 need appeals and are tested with them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.support.app import Service, fresh, incident, offense, serving
from tests.support.database import Database, run

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_l01_the_fourth_strike_takes_the_fourth_column(service: Service) -> None:
    player = fresh()
    await service.strikes(player, 3)
    done = await service.issue(player, "trolling-major")
    assert (done["column"], done["sanctions"][0]["kind"]) == (4, "permanent_ban")


async def test_l03_the_total_decides(service: Service) -> None:
    player = fresh()
    await service.issue(player, "spam-major")
    assert (await service.issue(player, "cheating"))["sanctions"][0]["kind"] == "permanent_ban"


async def test_l04_l05_served_bans_reset_and_forget_nothing(service: Service) -> None:
    """Each ban is served before the next strike; after years the total stands and the entries are there, expired."""
    player = fresh()
    for number, days in enumerate((1, 3, 7), start=1):
        done = await service.issue(player, "spam-major")
        assert (done["strike"], done["sanctions"][0]["days"]) == ({"number": number}, days)
        service.clock.turn(days=400)
    assert (await service.standing(player))["strikes"] == 3
    assert [item["sanctions"][0]["state"] for item in await service.incidents(player)] == ["expired"] * 3


async def test_l05_an_expired_punishment_is_neither_forgotten_nor_uncounted(service: Service) -> None:
    """After 400 days the total is one, the entry is there and expired, and the next strike is read at column 2."""
    player = fresh()
    done = await service.issue(player, "spam-major")
    service.clock.turn(days=400)
    assert (await service.standing(player))["strikes"] == 1
    (entry,) = await service.incidents(player)
    assert (entry["incident_id"], entry["status"], [sanction["state"] for sanction in entry["sanctions"]]) == (
        done["incident_id"], "in_force", ["expired"],
    )  # fmt: skip
    assert "moderation.incident_decided" in (await service.history(player))[0]["type"]
    again = await service.issue(player, "spam-major")
    assert (again["column"], again["strike"], again["sanctions"][0]["days"]) == (2, {"number": 2}, 3)


async def test_l09_one_incident_is_one_strike_whose_days_add_up(service: Service) -> None:
    fresh_player, struck = fresh(), fresh()
    done = await service.issue(fresh_player, "harassment-major", "malicious-afk")
    assert (done["sanctions"][0]["days"], done["strike"]["number"]) == (5, 1)
    await service.strikes(struck, 1)
    done = await service.issue(struck, "harassment-major", "malicious-afk")
    assert (done["sanctions"][0]["days"], done["strike"]["number"], done["standing"]["strikes"]) == (9, 2, 2)
    other = fresh()
    await service.strikes(other, 1)
    assert [s["kind"] for s in (await service.issue(other, "cheating", "spam-major"))["sanctions"]] == ["permanent_ban"]
    await service.admin.refused("duplicate_infraction", "/v1/incidents", incident(fresh(), "spam-major", "spam-major"))
    mixed = await service.issue(fresh(), "spam-major", "harassment-minor")
    assert (mixed["sanctions"][0]["days"], mixed["strike"]["number"]) == (1, 1)


async def test_l10_warnings_are_counted_by_themselves(service: Service) -> None:
    player = fresh()
    for infraction in ("harassment-minor",) * 4 + ("unsporting-major", "profanity-to-admin"):
        await service.issue(player, infraction)
    standing = await service.standing(player)
    assert (standing["strikes"], standing["warnings"]) == (0, 6)
    assert (await service.issue(player, "trolling-major"))["column"] == 1


@contextmanager
def failing(database: Database, table: str) -> Iterator[None]:
    """Every insert into the table fails, as if the disk were full."""
    raised = "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE disk_full; END$$"
    trigger = f"CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION refuse()"
    run(database.superuser, raised, trigger, f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER refuse")
    try:
        yield
    finally:
        run(database.superuser, f"DROP TRIGGER refuse ON {table}")


async def test_l11_a_notice_and_its_strike_are_recorded_together_or_not_at_all(fresh_database: Database) -> None:
    """A notice that can't be kept keeps the strike back, and a strike that fails leaves no notice; the retry has one of each."""
    async with serving(fresh_database) as service:
        player, key = fresh(), {"Idempotency-Key": "k-1"}
        for table in ("outbox", "events"):
            with failing(fresh_database, table):
                await service.admin.post("/v1/incidents", incident(player, "spam-major"), headers=key, expect=503)
            assert await counted(service, player) == (0, 0)
        for _ in range(2):
            await service.admin.post("/v1/incidents", incident(player, "spam-major"), headers=key, expect=201)
        assert await counted(service, player) == (1, 1)


async def counted(service: Service, player: str) -> tuple[int, int]:
    """Events of the player's record, and notices of its incidents."""
    events = await service.store.fetch_value("SELECT count(*) FROM events WHERE stream = $1", f"record-{player}")
    notices = await service.store.fetch_value("SELECT count(*) FROM outbox WHERE player_id = $1 AND type = 'incident.decided'", player)
    return events, notices


async def test_l11_a_silent_strike_stands_without_a_notice(service: Service) -> None:
    """S: "You may receive a strike on your record without being notified"."""
    player = fresh()
    done = await service.issue(player, "personal-profile", notify=False)
    assert (await service.standing(player))["strikes"] == 1
    await service.game.get(f"/v1/incidents/{done['incident_id']}/statement", expect=404)


async def test_l13_rank_is_checked_from_the_token(service: Service) -> None:
    """By the table of roles of the contract; who one is never comes from a field of the body."""
    player = fresh()
    done = await service.issue(player, "spam-major")
    path = f"/v1/incidents/{done['incident_id']}/adjustments"
    raised: dict[str, Any] = {"sanctions": [{"kind": "permanent_ban"}], "strike": True, "reason": "Because."}
    for caller in (service.admin, service.senior):
        await caller.refused("head_admin_required", path, raised)
        act = offense("unlisted", sanctions=[{"kind": "warning"}], strike=False)
        await caller.refused("head_admin_required", "/v1/incidents", incident(player, act))
    for caller in (service.game, service.auditor):
        await caller.refused("forbidden", "/v1/incidents", incident(player, "spam-major"))
    for field in ("role", "decided_by", "by"):
        await service.admin.refused("invalid_request", "/v1/incidents", {**incident(player, "spam-major"), field: "head_admin"})
    assert (await service.standing(player))["version"] == 1


async def test_l13_nobody_decides_on_their_own_account(service: Service) -> None:
    """`conflict_of_interest`, as the charged account and as an alt, for charging and for lowering."""
    await service.admin.refused("conflict_of_interest", "/v1/incidents", incident("admin-1-player", "spam-major"))
    await service.admin.refused("conflict_of_interest", "/v1/incidents", incident(fresh(), offense("multiple-accounts", alts=["admin-1-player"])))
    done = await service.issue("head-1-player", "spam-major")
    lowered = {"sanctions": [{"kind": "warning"}], "strike": False, "reason": "Mine."}
    await service.head.refused("conflict_of_interest", f"/v1/incidents/{done['incident_id']}/adjustments", lowered)


async def test_strikes_of_incidents_decided_together_are_never_the_same(service: Service) -> None:
    """C01 in small: six at once."""
    player = fresh()
    done = await asyncio.gather(*(service.issue(player, "spam-major", by=by) for by in (service.admin, service.admin_b) * 3))
    assert sorted(reply["strike"]["number"] for reply in done) == [1, 2, 3, 4, 5, 6]
