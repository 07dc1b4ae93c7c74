"""Group commit and coalesced reads: everybody who waits shares, nobody suffers for another's fault."""

from __future__ import annotations

import asyncio

import asyncpg
import pytest

from shared.eventstore.connections import Link
from shared.eventstore.port import Appended, TableWrite
from shared.eventstore.postgres import PostgresEventStore
from shared.eventstore.reader import CoalescingReader
from shared.eventstore.writer import BatchReport, WriterLimits
from shared.refusal import Unavailable
from tests.support.database import Database, run
from tests.support.requests import ask, part


async def test_a_full_queue_says_not_now(database: Database) -> None:
    """Back-pressure has a name."""
    async with PostgresEventStore(database.app, limits=WriterLimits(queue=5)) as store:
        results = await asyncio.gather(*(store.append(ask(part(f"record-p{n}"))) for n in range(20)), return_exceptions=True)
        assert sum(isinstance(result, Unavailable) for result in results) == 15
        assert isinstance(await store.append(ask(part("record-later"))), Appended)


async def test_requests_that_wait_together_are_recorded_together(database: Database) -> None:
    """Group commit: far fewer transactions than requests; of one stream one request per batch."""
    reports: list[BatchReport] = []
    async with PostgresEventStore(database.app, on_batch=reports.append) as store:
        await asyncio.gather(*(store.append(ask(part(f"record-p{n}"))) for n in range(300)))
        assert len(reports) <= 3
        assert sum(report.events for report in reports) == 300
        reports.clear()
        await asyncio.gather(*(store.append(ask(part("record-q"))) for _ in range(10)))
        assert [report.requests for report in reports] == [1] * 10


async def test_readers_share_queries_and_a_bad_key_fails_alone(database: Database) -> None:
    batches: list[int] = []

    def arguments(keys: object) -> tuple[object]:
        assert isinstance(keys, list)
        batches.append(len(keys))
        return (keys,)

    link = Link(dsn=database.app, name="test", settings={})
    sql = "SELECT k FROM unnest($1::text[]) AS k WHERE k <> 'absent'"
    reader: CoalescingReader[str, str] = CoalescingReader(link, sql, arguments=arguments, index=lambda rows: {row[0]: row[0] for row in rows})
    assert await asyncio.gather(*(reader.get(f"k{n % 50}") for n in range(200))) == [f"k{n % 50}" for n in range(200)]
    assert sum(batches) <= 100
    results = await asyncio.gather(reader.get("a"), reader.get("nul \0"), reader.get("absent"), reader.get("b"), return_exceptions=True)
    assert (results[0], results[2], results[3]) == ("a", None, "b")
    assert isinstance(results[1], asyncpg.CharacterNotInRepertoireError)
    assert await reader.get_many(["b", "absent", "a"]) == {"b": "b", "a": "a"}
    await reader.close()
    with pytest.raises(Unavailable):
        await reader.get("a")


async def test_a_standings_row_comes_with_the_streams_real_version_and_the_epoch(database: Database) -> None:
    """A projection that lags behind the log can be seen, and is never taken for the truth."""
    async with PostgresEventStore(database.app) as store:
        assert await store.hot_read("p1") == (0, None, None, 0)
        await store.append(ask(part("record-p1", count=2), writes=(TableWrite(table="standing", row=("p1", 2, 1, b"body")),)))
        await store.append(ask(part("record-p1", 2), writes=(TableWrite(table="staff", row=("s1", 1, "admin", None, True)),)))
        assert await store.hot_read("p1") == (1, 2, b"body", 3)
        assert set(await store.hot_read_many(["p1", "p2"])) == {"p1", "p2"}


async def test_an_event_that_can_not_be_stored_fails_alone(database: Database) -> None:
    """P01: a NUL in a text column is refused by PostgreSQL; the others of its batch are recorded."""
    requests = [ask(part(f"record-p{n}" if n != 7 else "record-\0"), writes=(_standing(f"p{n}"),)) for n in range(20)]
    requests.append(ask(part("record-lone-\ud800")))
    requests.append(ask(part("record-wide"), writes=(_standing("p99", 2**40),)))
    async with PostgresEventStore(database.app) as store:
        results = await asyncio.gather(*(store.append(request) for request in requests), return_exceptions=True)
        failed = [n for n, result in enumerate(results) if not isinstance(result, Appended)]
        assert failed == [7, 20, 21]
        assert isinstance(results[7], asyncpg.CharacterNotInRepertoireError)
        assert await store.head() == 19


def _standing(player_id: str, version: int = 1) -> TableWrite:
    return TableWrite(table="standing", row=(player_id, version, 0, b"{}"))


async def test_a_migration_under_a_running_store_costs_a_reader_nothing(fresh_database: Database) -> None:
    """A prepared statement whose result changed is prepared anew; a schema that is missing is "not now"."""
    run(
        fresh_database.superuser,
        "CREATE TABLE test_grows (k text)",
        "GRANT SELECT ON test_grows TO moderation_app",
        "INSERT INTO test_grows VALUES ('a')",
    )
    link = Link(dsn=fresh_database.app, name="test", settings={})
    reader: CoalescingReader[str, int] = CoalescingReader(
        link,
        "SELECT * FROM test_grows WHERE k = ANY($1::text[])",
        arguments=lambda keys: (keys,),
        index=lambda rows: {row[0]: len(row) for row in rows},
    )
    assert await reader.get("a") == 1
    run(fresh_database.superuser, "ALTER TABLE test_grows ADD COLUMN more text")
    assert await reader.get("a") == 2
    run(fresh_database.superuser, "DROP TABLE test_grows")
    with pytest.raises(Unavailable, match="schema"):
        await reader.get("a")
    await reader.close()
