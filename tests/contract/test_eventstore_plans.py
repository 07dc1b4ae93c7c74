"""The plans that PostgreSQL keeps for the store's statements stay on the indices."""

from __future__ import annotations

import asyncio

from shared.eventstore.port import Appended, TableWrite
from shared.eventstore.postgres import PostgresEventStore
from shared.eventstore.writer import WriterLimits
from tests.support.database import Database, run
from tests.support.requests import ask, part, reply


async def _scans(database: Database) -> dict[str, int]:
    """Rows read by sequential scans, after a store planned everything on empty tables and then wrote and read two thousand players."""

    async def one(store: PostgresEventStore, number: int) -> None:
        name = f"p{number}"
        row = TableWrite(table="standing", row=(name, 1, 0, b"{}"))
        free = TableWrite(table="network_exemptions", row=(name, name), delete=number % 2 == 1)
        assert isinstance(await store.append(ask(part(f"record-{name}"), writes=(row, free), idempotency=reply(name))), Appended)
        await store.read(f"record-{name}")
        await store.hot_read(name)
        await store.find_reply("admin-1", name)

    async with PostgresEventStore(database.app, limits=WriterLimits(batch=50)) as store:
        for number in range(20):
            await one(store, number)
        await asyncio.gather(*(one(store, number) for number in range(100, 2100)))
    tables = "'events', 'idempotency', 'standing', 'network_exemptions'"
    while True:  # the backends report when they end, a moment after the connections did
        rows = run(database.superuser, f"SELECT relname, idx_scan, seq_tup_read FROM pg_stat_user_tables WHERE relname IN ({tables})")  # noqa: S608
        if all(row["idx_scan"] for row in rows):
            return {row["relname"]: row["seq_tup_read"] for row in rows}
        await asyncio.sleep(0.05)


async def test_plans_made_on_empty_tables_do_not_scan_them_later(fresh_database: Database) -> None:
    """A trap seen: statements planned while the tables were empty kept scanning them (354 appends a second)."""
    assert set((await _scans(fresh_database)).values()) == {0}


async def test_without_its_settings_the_append_function_would_scan(fresh_database: Database) -> None:
    """The negative control: the switches of the function are what keeps its plans on the indices."""
    switches = ("seqscan", "bitmapscan", "sort", "hashjoin", "mergejoin")
    run(fresh_database.superuser, *(f"ALTER FUNCTION log_append SET enable_{switch} = on" for switch in switches))
    found = await _scans(fresh_database)
    assert found["events"] + found["idempotency"] > 2000
