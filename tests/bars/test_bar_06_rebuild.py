"""Bar 6: random events under load, the rebuild killed again and again; rebuilt from zero every table equals the live one; readers never saw less."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
import pytest

from shared.projections.folding import Folding
from shared.projections.rebuild import Rebuilder
from tests.bars.harness.scale import chance, figure, scaled
from tests.support.app import Service, fresh, serving
from tests.support.busy import Busy
from tests.support.database import Database, run
from tests.support.rebuilding import rebuilder

pytestmark = [pytest.mark.bar(6), pytest.mark.timeout(3600)]

_LOOK = "SELECT (SELECT count(*) FROM standing), (SELECT count(*) FROM incidents), (SELECT count(*) FROM reads), (SELECT count(*) FROM staff)"

_AT_WORK = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'moderation-rebuild'"


async def grown(service: Service, events: int, random_: random.Random) -> Busy:
    """A log of so many events: a fifth of commands of every kind, then imports, which come a hundred at a time."""
    busy = Busy(service, random_, players=max(40, events // 60))
    while await service.store.head() < events // 5:
        await asyncio.gather(*(busy.act() for _ in range(16)))
    while await service.store.head() < events:
        await busy.import_many(100)
    return busy


@asynccontextmanager
async def watched(database: Database) -> AsyncIterator[list[int]]:
    """Tables only grow while this looks on, whatever is swapped; yields how often was looked."""
    looks, done = [0], asyncio.Event()

    async def look() -> None:
        connection = await asyncpg.connect(database.app)
        before = (0, 0, 0, 0)
        try:
            while not done.is_set():
                seen = tuple((await connection.fetch(_LOOK))[0])
                assert all(now >= then for now, then in zip(seen, before, strict=True)), f"{seen} rows after {before}"
                before, looks[0] = seen, looks[0] + 1
        finally:
            await connection.close()

    task = asyncio.create_task(look())
    try:
        yield looks
    finally:
        done.set()
        await task


async def killed_rebuild(database: Database, after: float) -> bool:
    """`moderation rebuild`, killed so many seconds after it has begun; whether it was still at work."""
    env = {**os.environ, "MODERATION_OWNER_DATABASE_URL": database.superuser, "DATABASE_URL": database.app}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "services.cli", "rebuild", env=env, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        while process.returncode is None and not run(database.superuser, _AT_WORK)[0][0]:  # noqa: ASYNC110  another process's doing
            await asyncio.sleep(0.05)
        async with asyncio.timeout(after):
            await process.wait()
    except TimeoutError:
        process.send_signal(signal.SIGKILL)
        await process.wait()
        return True
    return False


async def test_rebuilt_from_zero_equals_live_after_kills_under_load(fresh_database: Database, request: pytest.FixtureRequest) -> None:
    random_ = chance(6)
    async with serving(fresh_database) as service:
        busy = await grown(service, scaled(50_000), random_)
        kills, finished = 0, 0
        async with watched(fresh_database) as looks:
            load = asyncio.create_task(_keep(busy))
            while kills < scaled(20, least=3):
                was_at_work = await killed_rebuild(fresh_database, 1.2 * random_.random())
                kills, finished = kills + was_at_work, finished + (not was_at_work)
            done = await rebuilder(fresh_database).rebuild()
            load.cancel()
            await asyncio.wait([load])
        checked = await rebuilder(fresh_database).check()
        events = await service.store.head()
    rows = sum(table.rows for table in checked.tables)
    figure(
        request,
        f"6: {events:,} events under load, rebuild killed {kills} times (and {finished} times done first), rebuilt at {done.position:,}: "
        f"{rows:,} rows in {len(checked.tables)} tables, {len(checked.drifts)} differ; {looks[0]:,} looks, none at an empty or half table",
    )
    assert checked.drifts == ()
    assert looks[0] > 100


async def _keep(busy: Busy) -> None:
    while True:
        await busy.act()


async def test_control_without_catching_up_the_swap_loses_what_was_recorded_meanwhile(fresh_database: Database) -> None:
    async with serving(fresh_database) as service:
        await service.issue(fresh(), "spam-major")
        task = asyncio.create_task(_slow(rebuilder(fresh_database, swap_at_once=True), service))
        await task
        assert {drift.table for drift in (await rebuilder(fresh_database).check()).drifts} >= {"standing", "incidents"}


async def _slow(made: Rebuilder, service: Service) -> None:
    """A rebuild with commands between its fold and its swap."""
    original = Rebuilder._swap_now

    async def late(self: Rebuilder, connection: asyncpg.Connection[asyncpg.Record], folding: Folding, script: str) -> None:
        await service.issue(fresh(), "spam-major")
        await original(self, connection, folding, script)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Rebuilder, "_swap_now", late)
        await made.rebuild()


async def test_control_a_row_that_vanishes_is_seen(fresh_database: Database) -> None:
    async with serving(fresh_database) as service:
        await service.issue(fresh(), "spam-major")
        with pytest.raises(AssertionError, match="rows after"):
            await _emptied(fresh_database)


async def _emptied(database: Database) -> None:
    async with watched(database):
        await asyncio.sleep(0.5)
        run(database.superuser, "DELETE FROM standing")
        await asyncio.sleep(0.5)
