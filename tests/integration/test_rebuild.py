"""Tables built anew from the log are the live ones, take their place beside live traffic, and tell when the live ones had drifted."""

from __future__ import annotations

import asyncio
import random

import asyncpg
import pytest

from services.moderation.webhooks.operator import Webhooks
from shared.eventstore.envelope import NewEvent
from shared.eventstore.port import AppendRequest, StreamAppend
from shared.eventstore.schema import INLINE_TABLES
from shared.projections.rebuild import RebuildError
from tests.support.app import Service, fresh, serving
from tests.support.busy import Busy
from tests.support.database import Database, run
from tests.support.rebuilding import VIEWS, rebuilder

SCHEMA = """
SELECT c.relname, c.relacl::text, c.relowner::regrole::text, a.attname, a.atttypid::regtype::text, a.attnotnull, i.definitions, k.constraints
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN LATERAL (SELECT string_agg(indexdef, ';' ORDER BY indexdef) AS definitions FROM pg_indexes x WHERE x.tablename = c.relname) i ON true
LEFT JOIN LATERAL (SELECT string_agg(conname || pg_get_constraintdef(oid), ';' ORDER BY conname) AS constraints
                   FROM pg_constraint x WHERE x.conrelid = c.oid AND contype <> 'n') k ON true
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' ORDER BY c.relname, a.attnum"""

NOT_HERE = {"call_queue", "duel_incidents", "cosmetics", "known_images", "referrals"}
"""Tables that the random commands leave empty, at times or always."""


async def world(service: Service, commands: int, seed: int = 6) -> Busy:
    busy = Busy(service, random.Random(seed))
    for _ in range(commands):
        await busy.act()
    return busy


@pytest.mark.bar(6)
async def test_rebuilt_is_live_in_every_table(database: Database) -> None:
    """Each table that commands write has rows here, and all of them come out of the log the same."""
    async with serving(database) as service:
        webhooks = service.resources.get(Webhooks)
        kept = await webhooks.add("https://hook.invalid/", after=0)
        await webhooks.rotate(kept.webhook_id)
        busy = await world(service, 500)
        assert busy.recorded > 250
        checked = await rebuilder(database).check()
    assert (checked.drifts, checked.unread) == ((), ())
    assert {table.table for table in checked.tables if table.rows == 0} <= NOT_HERE


async def test_after_the_swap_everything_goes_on_as_if_nothing_had_been(database: Database) -> None:
    """E03: nobody is told anything. Rights, keys and indexes are those of before; prepared statements find the new tables."""
    async with serving(database) as service:
        player = fresh()
        await service.issue(player, "spam-major")
        before = run(database.superuser, SCHEMA)
        told = run(database.superuser, "SELECT count(*) FROM outbox"), await service.store.head()
        for _ in range(2):
            done = await rebuilder(database).rebuild()
        assert (run(database.superuser, "SELECT count(*) FROM outbox"), await service.store.head()) == told
        assert run(database.superuser, SCHEMA) == before
        assert done.position == told[1]
        assert (await service.standing(player))["strikes"] == 1
        assert (await service.issue(player, "spam-major"))["strike"] == {"number": 2}
        assert (await service.standing(player))["strikes"] == 2
        assert (await rebuilder(database).check()).drifts == ()


async def test_a_drift_is_named_and_mended(database: Database) -> None:
    """Negative control of `--check`: one byte, one row less, one row more."""
    async with serving(database) as service:
        first, second = fresh(), fresh()
        for player in (first, second):
            await service.issue(player, "hacking")
        await service.store.fetch("UPDATE standing SET body = replace(body::text, '31', '32')::bytea WHERE player_id = $1", first)
        await service.store.fetch("DELETE FROM incidents WHERE player_id = $1", second)
        await service.store.fetch("INSERT INTO network_exemptions VALUES ('nobody', 'nobody')")
        drifts = {drift.table: (drift.missing, drift.extra, drift.different, drift.keys) for drift in (await rebuilder(database).check()).drifts}
        assert drifts.keys() == {"standing", "incidents", "network_exemptions"}
        assert drifts["standing"] == (0, 0, 1, (first,))
        assert drifts["incidents"][:3] == (1, 0, 0)
        assert drifts["network_exemptions"][:3] == (0, 1, 0)
        only = rebuilder(database, views=[view for view in VIEWS if view.table == "standing"])
        assert [table.table for table in (await only.rebuild()).tables] == ["standing"]
        assert {drift.table for drift in (await rebuilder(database).check()).drifts} == {"incidents", "network_exemptions"}
        await rebuilder(database).rebuild()
        assert (await rebuilder(database).check()).drifts == ()


@pytest.mark.bar(6)
async def test_e05_rebuilding_in_a_loop_beside_writers_and_readers(database: Database) -> None:
    """E05: strikes only grow, a banned player is never free for a moment, no request fails, and in the end every count is that of the events."""
    async with serving(database) as service:
        players, banned, done = [fresh() for _ in range(6)], fresh(), asyncio.Event()
        await service.issue(banned, "hacking")
        issued = dict.fromkeys(players, 0)

        async def write(player: str) -> None:
            while not done.is_set():
                await service.issue(player, "inexperience")
                issued[player] += 1
                await asyncio.sleep(0.05)

        async def read() -> int:
            seen, looks = dict.fromkeys(players, 0), 0
            while not done.is_set():
                for player in players:
                    strikes = (await service.standing(player))["strikes"]
                    assert strikes >= seen[player]
                    seen[player] = strikes
                assert (await service.access(banned))["allowed"] is False
                looks += 1
            return looks

        tasks = [asyncio.create_task(write(player)) for player in players] + [asyncio.create_task(read()) for _ in range(2)]
        try:
            for _ in range(4):
                await rebuilder(database).rebuild()
        finally:
            done.set()
            results = await asyncio.gather(*tasks)
        assert min(looks for looks in results if looks is not None) > 0
        for player in players:
            assert (await service.standing(player))["strikes"] == issued[player]
        assert (await rebuilder(database).check()).drifts == ()


async def test_e06_an_unreadable_event_is_told_and_its_player_is_never_clean(database: Database) -> None:
    """E06: player 2 works normally; player 1 is not known, before and after the rebuild."""
    async with serving(database) as service:
        first, second = fresh(), fresh()
        await service.issue(first, "spam-major")
        bad = StreamAppend(stream=f"record-{first}", expected_version=1, events=(NewEvent(type="moderation.later.v1", payload=b"{}", meta=b"{}"),))
        await service.store.append(AppendRequest(command_id="bad", appends=(bad,)))
        position = await service.store.head()
        await service.issue(second, "spam-major")
        done = await rebuilder(database).rebuild()
        assert [(unread.position, unread.type, unread.why) for unread in done.unread] == [(position, "moderation.later.v1", "unknown type")]
        assert (await service.standing(second))["strikes"] == 1
        await service.game.get(f"/v1/players/{first}/standing", expect=503)


async def test_the_swap_waits_for_a_long_read_and_holds_up_nobody(database: Database) -> None:
    """It gives up its place in the queue of locks again and again; commands go on meanwhile."""
    async with serving(database) as service:
        player = fresh()
        await service.issue(player, "spam-major")
        reader = await asyncpg.connect(database.superuser)
        try:
            await reader.execute("BEGIN; SELECT * FROM standing")
            task = asyncio.create_task(rebuilder(database).rebuild())
            for number in range(6):
                await service.issue(player, "inexperience")
                assert (await service.standing(player))["strikes"] == number + 2
                await asyncio.sleep(0.2)
            assert not task.done()
            await reader.execute("COMMIT")
            await task
        finally:
            await reader.close()
        assert (await service.standing(player))["strikes"] == 7
        assert (await rebuilder(database).check()).drifts == ()


async def test_one_rebuild_at_a_time(database: Database) -> None:
    async with serving(database) as service:
        await service.issue(fresh(), "spam-major")
        results = await asyncio.gather(*(rebuilder(database).rebuild() for _ in range(3)), return_exceptions=True)
    assert any(isinstance(result, RebuildError) for result in results)
    assert any(not isinstance(result, BaseException) for result in results)


def test_every_table_that_is_written_with_events_can_be_rebuilt() -> None:
    """No part of the log are sightings of networks and data keys, which must be forgettable, and how far webhooks were delivered."""
    assert {view.table for view in VIEWS} == INLINE_TABLES.keys() - {"networks_seen", "data_keys", "webhook_progress", "webhook_redeliveries"}
