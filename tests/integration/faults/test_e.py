"""Faults E02 to E12 of the field: the event store. Read models are written with the events, so most can't happen; each is proved all the same."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import msgspec
import pytest
import structlog

from shared.eventstore.envelope import NewEvent
from shared.eventstore.port import Appended, AppendRequest, StreamAppend
from shared.ids import new_id
from shared.observability import report_unreadable
from shared.unreadable import UnreadableEvent
from tests.integration.faults.test_l import failing
from tests.support import app
from tests.support.app import T0, Hands, Service, fresh, incident, iso
from tests.support.database import Database, run

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_e02_order_comes_from_the_stream_and_not_from_clocks(fresh_database: Database) -> None:
    """Process 1 runs five seconds ahead and issues, process 2 lowers: it is lowered, now, later, and folded anew."""
    async with app.serving(fresh_database, Hands(T0 + timedelta(seconds=5))) as one, app.serving(fresh_database, Hands(T0), tokens=one.tokens) as two:
        player = fresh()
        done = await one.issue(player, "hacking")
        assert (await two.standing(player))["status"] == "permanently_banned"
        assert (await two.access(player))["allowed"] is False
        await two.adjust(done["incident_id"], {"kind": "warning"})
        for service in (one, two):
            assert (await service.standing(player))["status"] == "warned"
            assert (await service.access(player))["allowed"] is True
        await two.store.fetch("DELETE FROM standing WHERE player_id = $1", player)
        assert (await two.standing(player))["status"] == "warned"
        decided, adjusted = await two.history(player)
        assert decided["data"]["at"] <= adjusted["data"]["at"]
        assert decided["recorded_at"] <= adjusted["recorded_at"]


async def test_e03_answering_from_the_log_tells_nobody_anything(service: Service) -> None:
    """The rows of the read model are lost and the log is folded instead, twice: no notice more than the decisions made."""
    players = [fresh() for _ in range(20)]
    for player in players:
        await service.issue(player, "spam-major")
    told = await service.store.fetch_value("SELECT count(*) FROM outbox")
    head = await service.store.head()
    await service.store.fetch("DELETE FROM standing WHERE player_id = ANY($1)", players)
    for _ in range(2):
        for player in players:
            assert (await service.standing(player))["strikes"] == 1
    assert await service.store.fetch_value("SELECT count(*) FROM outbox") == told
    assert await service.store.head() == head


async def test_e04_totals_equal_a_hand_count(service: Service) -> None:
    """Every command is sent twice under its key; the expectation is written down here, not folded."""
    player = fresh()
    for number, (infraction, strikes, warnings) in enumerate(
        [("spam-major", 1, 0), ("harassment-minor", 1, 1), ("personal-profile", 2, 1), ("inexperience", 3, 1), ("unsporting-minor", 3, 2)]
    ):
        for _ in range(2):
            await service.admin.post("/v1/incidents", incident(player, infraction), headers={"Idempotency-Key": f"{player}-{number}"}, expect=201)
        standing = await service.standing(player)
        assert (standing["strikes"], standing["warnings"], standing["version"]) == (strikes, warnings, number + 1)


async def test_e05_readers_never_see_a_banned_player_allowed(service: Service) -> None:
    """Twenty writers add strikes while the rows are lost again and again: a banned player is banned at every moment."""
    player, done = fresh(), asyncio.Event()
    await service.issue(player, "lurking")
    seen: set[str] = set()

    async def read() -> None:
        while not done.is_set():
            seen.add((await service.standing(player))["status"])

    async def lose() -> None:
        while not done.is_set():
            await service.store.fetch("DELETE FROM standing WHERE player_id = $1", player)
            await asyncio.sleep(0.01)

    others = [asyncio.create_task(read()), asyncio.create_task(read()), asyncio.create_task(lose())]
    await asyncio.gather(*(service.issue(player, "spam-major") for _ in range(20)))
    done.set()
    await asyncio.gather(*others)
    assert seen == {"permanently_banned"}
    assert (await service.standing(player))["strikes"] == 21
    assert len(await service.history(player)) == 21


async def write_raw(service: Service, player: str, kind: str, payload: bytes, *, meta: bytes = b'{"actor":"x","role":"y"}') -> None:
    """Append what another release, or a mistake, might have stored."""
    part = StreamAppend(stream=f"record-{player}", expected_version=1, events=(NewEvent(type=kind, payload=payload, meta=meta),))
    assert isinstance(await service.store.append(AppendRequest(command_id=new_id(), appends=(part,))), Appended)


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("moderation.never_heard_of.v1", b"{}"),
        ("moderation.incident_decided.v1", b'{"incident_id":"i"}'),
        ("moderation.proxy_banned.v1", b"not JSON"),
    ],
    ids=["unknown type", "missing field", "no JSON"],
)
async def test_e06_an_unreadable_record_is_unknown_and_never_clean(service: Service, kind: str, payload: bytes) -> None:
    """Player 1 is unavailable everywhere; player 2 works; the auditor sees the event with its position."""
    one, two = fresh(), fresh()
    await service.issue(one, "harassment-minor")
    await write_raw(service, one, kind, payload)
    assert (await service.game.get(f"/v1/players/{one}/standing", expect=503))["code"] == "unavailable"
    await service.game.post("/v1/access-checks", {"player_id": one, "ip": "198.51.100.7"}, expect=503)
    for path in ("incidents", "sanctions/active"):
        await service.game.get(f"/v1/players/{one}/{path}", expect=503)
    await service.admin.post("/v1/incidents", incident(one, "spam-major"), expect=503)
    assert (await service.issue(two, "spam-major"))["strike"]["number"] == 1
    first, second = (await service.game.post("/v1/standings/query", {"player_ids": [one, two]}))["standings"]
    assert first == {"player_id": one, "error": "unavailable"}
    assert second["strikes"] == 1
    _, bad = await service.history(one)
    assert (bad["version"], bad["type"], "unreadable" in bad) == (2, kind, True)


async def test_e06_an_event_about_what_is_not_there_makes_its_own_player_unknown_and_nobody_else(service: Service) -> None:
    """It can be read but fits nothing before it; a batch with that player still answers for the others."""
    one, two = fresh(), fresh()
    for player in (one, two):
        await service.issue(player, "harassment-minor")
    stray = b'{"incident_id":"i","sanction_ids":[],"at":"2026-11-30T10:00:00Z","by":"x","role":"y","words":null}'
    await write_raw(service, one, "moderation.ip_ban_lifted.v1", stray)
    position = (await service.history(one))[1]["position"]
    for path in ("standing", "incidents", "sanctions/active"):
        assert str(position) in (await service.game.get(f"/v1/players/{one}/{path}", expect=503))["detail"]
    await service.auditor.get(f"/v1/players/{one}/replay", expect=503)
    first, second = (await service.game.post("/v1/standings/query", {"player_ids": [one, two]}))["standings"]
    assert (first, second["status"]) == ({"player_id": one, "error": "unavailable"}, "warned")


async def test_e06_an_event_whose_meta_data_is_broken_is_still_in_the_history(service: Service) -> None:
    """The auditor misses nothing: nobody is named, and the item says why."""
    player = fresh()
    await service.issue(player, "harassment-minor")
    await write_raw(service, player, "moderation.proxy_ban_lifted.v1", b"{}", meta=b'{"actor": 7}')
    first, bad = await service.history(player)
    assert (first["actor"] is not None, bad["actor"], bad["role"], "unreadable" in bad) == (True, None, None, True)


async def test_e06_an_unreadable_event_is_reported_once_with_its_position(capsys: pytest.CaptureFixture[str]) -> None:
    structlog.configure(processors=[structlog.processors.JSONRenderer()])
    try:
        for _ in range(3):
            report_unreadable(UnreadableEvent(987_654_321, "moderation.later.v9", "unknown type"))
    finally:
        structlog.reset_defaults()
    assert capsys.readouterr().out.count("987654321") == 1


async def test_e07_unknown_extra_fields_of_a_later_release_are_passed_over(service: Service) -> None:
    """The frozen forms themselves are in tests/golden."""
    player = fresh()
    await service.issue(player, "harassment-minor")
    later: dict[str, Any] = {"at": T0, "reported_by": "game-1", "policy_version": "v", "country": "a later idea"}
    await write_raw(service, player, "moderation.proxy_banned.v1", msgspec.json.encode(later))
    assert (await service.standing(player))["proxy_banned"] is True


async def test_e08_a_lift_is_an_event_of_another_type_than_the_ban(service: Service) -> None:
    player, stranger, address = fresh(), fresh(), "203.0.113.44"
    await service.access(player, address)
    done = await service.issue(player, "hacking")
    assert (await service.access(stranger, address))["allowed"] is False
    await service.head.post(f"/v1/incidents/{done['incident_id']}/ip-ban/lift", {"reason": "A shared line."}, expect=200)
    assert (await service.access(stranger, address))["allowed"] is True
    assert [event["type"] for event in await service.history(player)] == ["moderation.incident_decided.v2", "moderation.ip_ban_lifted.v1"]


async def test_e09_every_version_is_the_fold_of_its_events_alone(service: Service) -> None:
    """There are no snapshots; the row of the projection is dropped and asked at each version, and equals what was answered then."""
    player, answered = fresh(), []
    for infraction in ("spam-major", "harassment-minor", "malicious-afk", "lurking"):
        answered.append((await service.issue(player, infraction))["standing"])
        service.clock.turn(hours=1)
    await service.store.fetch("DELETE FROM standing WHERE player_id = $1", player)
    for version, then in enumerate(answered, start=1):
        again = await service.standing(player, at_version=version, as_of=iso(T0 + timedelta(hours=version - 1)))
        assert again.body == then


async def test_e10_a_reader_whose_connection_was_cut_catches_up_by_itself(fresh_database: Database) -> None:
    """Every connection of the service is cut; the next strike is recorded and seen without a restart."""
    async with app.serving(fresh_database) as service:
        player, key = fresh(), {"Idempotency-Key": "k"}
        await service.issue(player, "spam-major")
        run(
            fresh_database.superuser,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
        )
        async with asyncio.timeout(10):
            while (await service.admin.post("/v1/incidents", incident(player, "cheating"), headers=key)).status != 201:  # noqa: ASYNC110
                await asyncio.sleep(0.2)
            while (await service.game.call("GET", f"/v1/players/{player}/standing")).status != 200:  # noqa: ASYNC110
                await asyncio.sleep(0.2)
        assert (await service.standing(player))["strikes"] == 2


async def test_e12_a_failing_read_model_takes_its_event_along(fresh_database: Database) -> None:
    """Both are rolled back, and the retry makes one event."""
    async with app.serving(fresh_database) as service:
        player = fresh()
        for table in ("standing", "incidents"):
            with failing(fresh_database, table):
                await service.admin.post("/v1/incidents", incident(player, "spam-major"), expect=503)
            assert await service.history(player) == []
        await service.issue(player, "spam-major")
        assert len(await service.history(player)) == 1
