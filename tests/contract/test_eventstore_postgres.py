"""What only PostgreSQL can promise: order for tailing readers, rights, plans, durability, the shape of the schema."""

from __future__ import annotations

import asyncio
import random

import asyncpg
import pytest

from shared.eventstore.connections import NotDurableError, check_durability
from shared.eventstore.port import Appended, Conflict, TableWrite
from shared.eventstore.postgres import PostgresEventStore
from tests.support.database import Database, as_role, run
from tests.support.requests import ask, part, reply


@pytest.mark.bar(5)
@pytest.mark.parametrize("size", [2_000, pytest.param(20_000, marks=pytest.mark.full)])
async def test_readers_of_the_log_never_skip_double_or_reorder(database: Database, size: int) -> None:
    """Bar 5: eight writers, up to 20 ms between insert and commit, a transaction held open; positions ascend without a gap for every reader."""
    slow = "BEGIN PERFORM pg_sleep(random() * 0.02); RETURN NULL; END"
    run(
        database.superuser,
        f"CREATE OR REPLACE FUNCTION test_slow() RETURNS trigger LANGUAGE plpgsql AS $$ {slow} $$",
        "CREATE TRIGGER test_slow AFTER INSERT ON standing FOR EACH STATEMENT EXECUTE FUNCTION test_slow()",
    )
    held = await asyncpg.connect(database.superuser)
    await held.execute("BEGIN")
    await held.execute("CREATE TABLE test_held ()")
    stores = [PostgresEventStore(database.app) for _ in range(8)]
    try:
        for store in stores:
            await store.start()
        readers = [asyncio.create_task(_tail(stores[number], size)) for number in range(4)]
        each = size // 8 // 10
        await asyncio.gather(*(_write(store, number, caller, each) for number, store in enumerate(stores) for caller in range(10)))
        for positions in await asyncio.gather(*readers):
            assert positions == list(range(1, size + 1))
    finally:
        for store in stores:
            await store.stop()
        await held.execute("ROLLBACK")
        await held.close()
        run(database.superuser, "DROP TRIGGER test_slow ON standing", "DROP FUNCTION test_slow")


async def _write(store: PostgresEventStore, number: int, caller: int, count: int) -> None:
    name = f"p{number}.{caller}"
    for version in range(count):
        done = await store.append(ask(part(f"record-{name}", version), writes=(TableWrite(table="standing", row=(name, version + 1, 0, b"{}")),)))
        assert isinstance(done, Appended)


async def _tail(store: PostgresEventStore, size: int) -> list[int]:
    seen: list[int] = []
    async with asyncio.timeout(120):
        while len(seen) < size:
            seen.extend(event.position for event in await store.read_log(after=seen[-1] if seen else 0, limit=100))
            await asyncio.sleep(0)
    return seen


@pytest.mark.bar(5)
async def test_naive_sequence_positions_would_skip(database: Database) -> None:
    """Bar 5's negative control: the same load on a sequence loses events to a tailing reader, so the test above can fail."""
    run(database.superuser, "CREATE TABLE test_naive (position bigserial PRIMARY KEY)")
    try:
        done = asyncio.Event()

        async def write(seed: int) -> None:
            chance = random.Random(seed)
            connection = await asyncpg.connect(database.superuser)
            for _ in range(50):
                async with connection.transaction():
                    await connection.execute("INSERT INTO test_naive DEFAULT VALUES")
                    await asyncio.sleep(chance.random() * 0.02)
            await connection.close()

        async def tail() -> int:
            connection = await asyncpg.connect(database.superuser)
            last, seen = 0, 0
            while True:
                ended = done.is_set()
                rows = await connection.fetch("SELECT position FROM test_naive WHERE position > $1 ORDER BY position", last)
                seen += len(rows)
                last = rows[-1][0] if rows else last
                if ended:
                    await connection.close()
                    return seen
                await asyncio.sleep(0.001)

        reader = asyncio.create_task(tail())
        await asyncio.gather(*(write(seed) for seed in range(8)))
        done.set()
        assert await reader < 400
    finally:
        run(database.superuser, "DROP TABLE test_naive")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET payload = ''",
        "DELETE FROM events",
        "TRUNCATE events",
        "ALTER TABLE events DISABLE TRIGGER ALL",
        "ALTER TABLE events DROP COLUMN payload",
        "DROP TABLE events CASCADE",
        "INSERT INTO events VALUES (9, 's', 1, 't', now(), 'c', '', '', '')",
        "UPDATE log_head SET position = 0",
        "DELETE FROM idempotency",
        "SELECT log_insert('{s}', '{1}', '{t}', '{c}', '{m}', '{p}')",
        "SET session_replication_role = replica",
    ],
)
async def test_the_applications_role_can_not_change_the_log(database: Database, statement: str) -> None:
    """Bar 11: only the append function writes to it, and that only appends."""
    async with PostgresEventStore(database.app) as store:
        await store.append(ask(part("record-p1"), idempotency=reply("k")))
        before = await store.read_log()
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await store.fetch(statement)
        assert await store.read_log() == before


@pytest.mark.parametrize("role", ["moderation_owner", "postgres"])
@pytest.mark.parametrize("statement", ["UPDATE events SET payload = ''", "DELETE FROM events WHERE false", "TRUNCATE events", "DELETE FROM log_head"])
async def test_the_triggers_stop_the_owner_and_fire_for_replication_too(database: Database, role: str, statement: str) -> None:
    """A slip of an administrator is refused as well; whoever means it must switch the trigger off first (and the Merkle log shows it)."""
    connection = await asyncpg.connect(database.superuser)
    try:
        await connection.execute("SET session_replication_role = replica")
        if role != "postgres":
            await connection.execute(f"SET ROLE {role}")
        with pytest.raises(asyncpg.InsufficientPrivilegeError, match="append-only"):
            await connection.execute(statement)
    finally:
        await connection.close()


async def test_the_databases_clock_orders_nothing_and_never_goes_backwards(database: Database) -> None:
    """E02: two processes, a clock that was ahead; the order is the positions', and `recorded_at` does not decrease."""
    ahead = run(database.superuser, "UPDATE log_head SET recorded_at = now() + interval '1 hour' RETURNING recorded_at")[0][0]
    async with PostgresEventStore(database.app) as one, PostgresEventStore(database.app) as two:
        for version in range(6):
            await (one, two)[version % 2].append(ask(part("record-p1", version)))
        log = await one.read_log()
        assert [event.version for event in log] == [1, 2, 3, 4, 5, 6]
        assert {event.recorded_at for event in log} == {ahead}


async def test_two_processes_share_one_log(database: Database) -> None:
    """C06: fifty at once on one stream from two stores: every success is in the stream once, every other one is a conflict."""
    async with PostgresEventStore(database.app) as one, PostgresEventStore(database.app) as two:
        results = await asyncio.gather(*((one, two)[n % 2].append(ask(part("record-p1"))) for n in range(50)))
        assert sum(isinstance(result, Appended) for result in results) == 1
        assert sum(isinstance(result, Conflict) for result in results) == 49
        results = await asyncio.gather(*((one, two)[n % 2].append(ask(part(f"record-x{n}", count=3))) for n in range(50)))
        assert all(isinstance(result, Appended) for result in results)
        assert [event.position for event in await one.read_log()] == list(range(1, 152))


@pytest.mark.bar(2)
async def test_a_database_that_may_lose_commits_is_refused(database: Database) -> None:
    """Bar 2: start-up checks what the server will do, not what we hope."""
    connection = await asyncpg.connect(database.app)
    try:
        await check_durability(connection)
        await connection.execute("SET synchronous_commit = off")
        with pytest.raises(NotDurableError, match="synchronous_commit = off"):
            await check_durability(connection)
    finally:
        await connection.close()


async def test_the_view_shows_json_as_json_and_the_rest_as_null(database: Database) -> None:
    insert = "SELECT log_insert('{a,a}', '{1,2}', '{t,t}', '{c,c}', ARRAY['{}', 'x']::bytea[], ARRAY['{\"a\": 1}', '\\xff']::bytea[])"
    run(as_role(database.superuser, "moderation_owner"), insert)
    rows = run(database.app, "SELECT version, payload ->> 'a' AS a, payload IS NULL AS gone FROM events_json ORDER BY position")
    assert [tuple(row) for row in rows] == [(1, "1", False), (2, None, True)]
