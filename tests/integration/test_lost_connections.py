"""What the store says when connections go away under it: the truth, or "not now"; never a loss, never a double."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator

import asyncpg
import pytest

from shared.eventstore.port import Answered, Appended, Conflict, TableWrite
from shared.eventstore.postgres import PostgresEventStore
from shared.eventstore.writer import WriterLimits
from shared.refusal import Unavailable
from tests.support.database import Database, run
from tests.support.proxy import Cut, Proxy
from tests.support.requests import ask, part, reply

IDLE = "SELECT 1 FROM pg_stat_activity WHERE state LIKE 'idle in transaction%' AND datname = current_database()"
APPEND, COMMIT = b"test.happened.v1", b"COMMIT"


@pytest.fixture
async def proxy(database: Database) -> AsyncIterator[Proxy]:
    """A proxy in front of the empty database."""
    async with Proxy(database.app) as running:
        yield running


@pytest.mark.bar(3)
@pytest.mark.parametrize("rounds", [24, pytest.param(200, marks=pytest.mark.full)])
async def test_a_lost_commit_is_looked_up_and_answered_truthfully(proxy: Proxy, rounds: int) -> None:
    """Bar 3: every caller gets the original outcome, no false conflict, no second event."""
    async with PostgresEventStore(proxy.dsn) as store:
        for number in range(rounds):
            how, marker = list(Cut)[number % 3], (APPEND, COMMIT)[number % 2]
            writes = (TableWrite(table="standing", row=("p1", number + 1, 0, b"{}")),) if marker is COMMIT else ()
            request = ask(part("record-p1", number), writes=writes, idempotency=reply(f"k{number}"))
            proxy.cut_next(how, marker)
            done = await store.append(request)
            assert isinstance(done, Appended), (number, how, done)
            assert done.first_position == number + 1
            again = await store.append(ask(part("record-p1", number), idempotency=reply(f"k{number}")))
            assert isinstance(again, Answered)
            assert again.stored.position == done.last_position
        assert proxy.cuts == rounds
        assert await store.head() == rounds


async def test_a_lost_conflict_stays_a_conflict(proxy: Proxy) -> None:
    """The look-up asks for the command's own id: another command at that version is no answer."""
    async with PostgresEventStore(proxy.dsn) as store:
        await store.append(ask(part("record-p1")))
        for how in Cut:
            proxy.cut_next(how, APPEND)
            assert await store.append(ask(part("record-p1"))) == Conflict(stream="record-p1", expected_version=0, actual_version=1)
        assert await store.head() == 1


async def test_the_writer_survives_the_termination_of_its_backend(database: Database) -> None:
    """Each request is answered, and what is answered is what the log holds."""
    async with PostgresEventStore(database.app) as store:
        stop = asyncio.Event()
        acknowledged: set[str] = set()

        async def write(name: int) -> None:
            version = 0
            while not stop.is_set():
                request = ask(part(f"record-p{name}", version))
                try:
                    done = await store.append(request)
                except Unavailable:
                    version = len(await _patient(store, f"record-p{name}"))
                    continue
                assert isinstance(done, Appended), done
                acknowledged.add(request.command_id)
                version += 1

        async def terminate() -> None:
            connection = await asyncpg.connect(database.superuser)
            for _ in range(10):
                await asyncio.sleep(0.1)
                await connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'moderation-%'")
            await connection.close()
            stop.set()

        await asyncio.gather(terminate(), *(write(n) for n in range(8)))
        log = await store.read_log(limit=1_000_000)
    found = [event.command_id for event in log]
    assert len(found) == len(set(found))
    assert acknowledged <= set(found)
    assert [event.position for event in log] == list(range(1, len(log) + 1))


async def _patient(store: PostgresEventStore, stream: str) -> list[object]:
    for _ in range(50):
        try:
            return list(await store.read(stream))
        except Unavailable:
            await asyncio.sleep(0.05)
    raise AssertionError


async def test_a_database_that_is_down_is_told_within_a_second_and_found_again(proxy: Proxy) -> None:
    """Bar 21: `Unavailable`, never a false answer; serving again when it is back."""
    async with PostgresEventStore(proxy.dsn) as store:
        await store.append(ask(part("record-p1")))
        await store.hot_read("p1")
        await store.fetch("SELECT 1")
        await proxy.refuse()
        for _ in range(3):
            began = time.monotonic()
            results = await asyncio.gather(
                store.append(ask(part("record-p1", 1))),
                store.read("record-p1"),
                store.hot_read("p1"),
                store.fetch("SELECT 1"),
                return_exceptions=True,
            )
            assert time.monotonic() - began < 1
            assert [type(result) for result in results] == [Unavailable] * 4
        await proxy.listen()
        assert isinstance(await store.append(ask(part("record-p1", 1))), Appended)
        assert (await store.hot_read("p1")).stream_version == 2


async def test_a_store_may_start_before_its_database(database: Database) -> None:
    proxy = Proxy(database.app)
    proxy.port = 1
    async with PostgresEventStore(proxy.dsn) as store:
        with pytest.raises(Unavailable):
            await store.append(ask(part("record-p1")))
        with pytest.raises(Unavailable):
            await store.fetch("SELECT 1")


@pytest.mark.bar(4)
async def test_a_black_hole_leaves_nothing_open_behind(proxy: Proxy, database: Database) -> None:
    """Bar 4: the caller hears within the limit; no connection stays idle in a transaction; then it goes on."""
    async with PostgresEventStore(proxy.dsn, limits=WriterLimits(answer_within=0.3, look_up_within=0.3)) as store:
        await store.append(ask(part("record-p1")))
        proxy.silence()
        with pytest.raises(Unavailable):
            await store.append(ask(part("record-p1", 1)))
        proxy.resume()
        version = len(await _patient(store, "record-p1"))
        assert isinstance(await store.append(ask(part("record-p1", version))), Appended)
        assert run(database.superuser, IDLE) == []


@pytest.mark.bar(4)
async def test_callers_that_go_away_leave_whole_writes_or_none(database: Database) -> None:
    """C07: each aborted request is wholly there or wholly absent, and the store goes on."""
    chance = random.Random(7)
    async with PostgresEventStore(database.app) as store:

        async def abort(number: int) -> None:
            writes = (TableWrite(table="standing", row=(f"p{number}", 2, 0, b"{}")),)
            task = asyncio.create_task(store.append(ask(part(f"record-p{number}", count=2), writes=writes)))
            await asyncio.sleep(chance.random() * 0.02)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

        await asyncio.gather(*(abort(number) for number in range(200)))
        assert isinstance(await store.append(ask(part("record-last"))), Appended)
        rows = await store.hot_read_many([f"p{number}" for number in range(200)])
        assert {(row.version, row.stream_version) for row in rows.values()} <= {(2, 2), (None, 0)}
        assert run(database.superuser, IDLE) == []


async def test_a_commit_that_fails_is_never_an_answer(database: Database) -> None:
    """C08: a deferred constraint breaks COMMIT itself."""
    run(
        database.superuser,
        "CREATE OR REPLACE FUNCTION test_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not at commit'; END $$",
        "CREATE CONSTRAINT TRIGGER test_refuse AFTER INSERT ON standing DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION test_refuse()",
    )
    try:
        async with PostgresEventStore(database.app) as store:
            with pytest.raises(asyncpg.RaiseError):
                await store.append(ask(part("record-p1"), writes=(TableWrite(table="standing", row=("p1", 1, 0, b"{}")),)))
            assert isinstance(await store.append(ask(part("record-p2"))), Appended)
            assert [event.stream for event in await store.read_log()] == ["record-p2"]
    finally:
        run(database.superuser, "DROP TRIGGER test_refuse ON standing", "DROP FUNCTION test_refuse")


async def test_a_projection_that_fails_once_takes_its_events_with_it(database: Database) -> None:
    """E12: after the retry there is one event and one row, not two events."""
    run(
        database.superuser,
        "CREATE SEQUENCE test_tries",
        "GRANT USAGE ON SEQUENCE test_tries TO moderation_app",
        """CREATE OR REPLACE FUNCTION test_once() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN IF nextval('test_tries') = 1 THEN RAISE EXCEPTION 'once'; END IF; RETURN NULL; END $$""",
        "CREATE TRIGGER test_once AFTER INSERT ON standing FOR EACH STATEMENT EXECUTE FUNCTION test_once()",
    )
    try:
        async with PostgresEventStore(database.app) as store:
            request = ask(part("record-p1"), writes=(TableWrite(table="standing", row=("p1", 1, 0, b"{}")),))
            with pytest.raises(asyncpg.RaiseError):
                await store.append(request)
            assert await store.read("record-p1") == []
            assert isinstance(await store.append(request), Appended)
            row = await store.hot_read("p1")
            assert (row.version, row.stream_version) == (1, 1)
    finally:
        run(database.superuser, "DROP TRIGGER test_once ON standing", "DROP FUNCTION test_once", "DROP SEQUENCE test_tries")
