"""A read model that follows the log: each event counts once, whatever is delivered twice, lost or unreadable."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import asyncpg
import pytest

from shared.eventstore.envelope import StoredEvent
from shared.eventstore.port import StreamAppend
from shared.eventstore.postgres import PostgresEventStore
from shared.projections.runner import ProjectionRunner
from tests.support.database import Database, run
from tests.support.requests import ask, event, part

if TYPE_CHECKING:
    Connection = asyncpg.Connection[asyncpg.Record]


class Totals:
    """How many events each stream has, by adding: the kind of projection that a second delivery falsifies."""

    name = "test-totals"

    def __init__(self, *, crash_at: int = 0) -> None:
        self.crash_at = crash_at

    async def apply(self, connection: Connection, events: Sequence[StoredEvent]) -> None:
        for one in events:
            if one.payload == b"poison":
                raise ValueError(one.position)
            sql = "INSERT INTO test_totals VALUES ($1, 1) ON CONFLICT (stream) DO UPDATE SET total = test_totals.total + 1"
            await connection.execute(sql, one.stream)
        if self.crash_at and events[-1].position >= self.crash_at:
            self.crash_at = 0
            connection.terminate()

    async def failed(self, connection: Connection, one: StoredEvent, error: Exception) -> None:
        await connection.execute("INSERT INTO test_totals VALUES ($1, -1000) ON CONFLICT (stream) DO UPDATE SET total = -1000", one.stream)
        assert isinstance(error, ValueError)


@pytest.fixture
def totals(database: Database) -> Iterator[Database]:
    """The database with the projection's table."""
    run(database.superuser, "CREATE TABLE test_totals (stream text PRIMARY KEY, total integer)", "GRANT ALL ON test_totals TO moderation_app")
    yield database
    run(database.superuser, "DROP TABLE test_totals")


async def _totals(store: PostgresEventStore) -> dict[str, int]:
    return {row["stream"]: row["total"] for row in await store.fetch("SELECT stream, total FROM test_totals")}


async def test_a_crash_between_rows_and_checkpoint_counts_nothing_twice(totals: Database) -> None:
    """E04: the totals equal the numbers written by hand here, though the page was delivered twice."""
    async with PostgresEventStore(totals.app) as store:
        await store.append(ask(part("record-a", count=3), part("record-b", count=2)))
        runner = ProjectionRunner(totals.app, store, Totals(crash_at=4), page=2)
        with pytest.raises((asyncpg.PostgresError, asyncpg.InterfaceError, OSError)):
            await runner.catch_up()
        assert await _totals(store) == {"record-a": 2}
        assert await runner.catch_up() == 5
        assert await runner.catch_up() == 5
        assert await _totals(store) == {"record-a": 3, "record-b": 2}


async def test_two_runners_of_one_projection_share_the_work(totals: Database) -> None:
    """E04: at-least-once delivery from two processes."""
    async with PostgresEventStore(totals.app) as store:
        await store.append(ask(part("record-a", count=200)))
        await asyncio.gather(*(ProjectionRunner(totals.app, store, Totals(), page=7).catch_up() for _ in range(2)))
        assert await _totals(store) == {"record-a": 200}


async def test_an_event_that_it_can_not_take_is_reported_once_and_stops_nothing(totals: Database) -> None:
    """E06: the player it concerns is marked as unknown, everybody else goes on."""
    reported: list[int] = []
    async with PostgresEventStore(totals.app) as store:
        bad = StreamAppend(stream="record-b", expected_version=0, events=(event(b"poison"),))
        await store.append(ask(part("record-a"), bad, part("record-c")))
        runner = ProjectionRunner(totals.app, store, Totals(), on_failure=lambda _, one, __: reported.append(one.position))
        assert await runner.catch_up() == 3
        assert await runner.catch_up() == 3
        assert await _totals(store) == {"record-a": 1, "record-b": -1000, "record-c": 1}
        assert reported == [2]


async def test_a_wake_up_lost_with_the_listening_connection_is_made_up_for(totals: Database) -> None:
    """E10: the listener's backend is terminated, an event comes in the gap, nothing else happens; the read model catches up by itself."""
    async with PostgresEventStore(totals.app) as store:
        running = asyncio.create_task(ProjectionRunner(totals.app, store, Totals(), poll=0.2).run())
        await store.append(ask(part("record-a")))
        await _until(store, {"record-a": 1})
        run(totals.superuser, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'moderation-test-totals'")
        await store.append(ask(part("record-a", 1)))
        await _until(store, {"record-a": 2})
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def _until(store: PostgresEventStore, wanted: dict[str, int]) -> None:
    async with asyncio.timeout(5):
        while await _totals(store) != wanted:  # noqa: ASYNC110  the database has no event to wait for
            await asyncio.sleep(0.02)
