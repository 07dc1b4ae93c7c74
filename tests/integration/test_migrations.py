"""The schema goes up, down and up again, is what `schema.py` says, and gives way to traffic."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import asyncpg
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from migrations import runner
from shared.eventstore.port import Appended
from shared.eventstore.postgres import PostgresEventStore
from shared.eventstore.schema import METADATA
from tests.support.database import Database, as_role, run
from tests.support.requests import ask, part

TABLES = "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'v', 'S') AND relname <> 'alembic_version'"


def test_every_step_goes_up_and_down_and_up_again(fresh_database: Database) -> None:
    """Nothing is left behind by the way down."""
    dsn = fresh_database.superuser
    before = run(dsn, TABLES)
    head = runner.status(dsn)
    assert head.pending == ()
    runner.downgrade(dsn, "base")
    assert run(dsn, TABLES)[0][0] == 0
    assert run(dsn, "SELECT count(*) FROM pg_proc WHERE pronamespace = 'public'::regnamespace")[0][0] == 0
    assert runner.status(dsn).current is None
    assert runner.status(dsn).pending[-1] == head.head
    runner.upgrade(dsn)
    assert run(dsn, TABLES) == before
    assert runner.status(dsn) == head
    runner.upgrade(dsn)


async def test_the_schema_is_what_its_metadata_says(database: Database) -> None:
    """One source: a difference means that a migration is missing."""
    engine = create_async_engine("postgresql+asyncpg://", poolclass=NullPool, async_creator=lambda: asyncpg.connect(database.superuser))

    def differences(connection: sa.Connection) -> list[Any]:
        return list(compare_metadata(MigrationContext.configure(connection), METADATA))

    async with engine.connect() as connection:
        found = await connection.run_sync(differences)
    await engine.dispose()
    assert found == []


def test_the_owner_alone_can_migrate_once_the_roles_are_there(fresh_database: Database) -> None:
    """Production migrates without a superuser."""
    owner = as_role(fresh_database.superuser, "moderation_owner")
    runner.downgrade(owner, "base")
    runner.upgrade(owner)
    assert runner.status(fresh_database.app).pending == ()
    assert {row[0] for row in run(owner, "SELECT tableowner FROM pg_tables WHERE schemaname = 'public'")} == {"moderation_owner"}


def test_a_role_without_the_right_is_told_what_to_do(fresh_database: Database) -> None:
    with pytest.raises(runner.MigrationError, match="run the first migration as a superuser"):
        runner.upgrade(fresh_database.app)


def test_two_migrators_at_once_take_turns(fresh_database: Database) -> None:
    runner.downgrade(fresh_database.superuser, "base")
    with ThreadPoolExecutor(2) as executor:
        list(executor.map(runner.upgrade, [fresh_database.superuser] * 2))
    assert runner.status(fresh_database.superuser).pending == ()


@pytest.mark.bar(21)
async def test_a_migration_waits_for_an_open_read_without_blocking_anybody(fresh_database: Database) -> None:
    """Bar 21: it gives up its place in the lock queue again and again until the read is over; appends go on meanwhile."""
    reader = await asyncpg.connect(fresh_database.superuser)
    await reader.execute("BEGIN")
    await reader.execute("SELECT * FROM standing, events")
    migration = asyncio.create_task(asyncio.to_thread(runner.downgrade, fresh_database.superuser, "0001"))
    slowest = 0.0
    async with PostgresEventStore(fresh_database.app) as store:
        for number in range(15):
            began = time.monotonic()
            assert isinstance(await store.append(ask(part(f"record-p{number}"))), Appended)
            await store.fetch("SELECT version FROM staff WHERE staff_id = 's1'")
            slowest = max(slowest, time.monotonic() - began)
            await asyncio.sleep(0.1)
        assert not migration.done()
        await reader.execute("ROLLBACK")
        await reader.close()
        await migration
    assert slowest < 1
    assert runner.status(fresh_database.superuser).current == "0001"
