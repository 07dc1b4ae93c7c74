"""Bar 24: appends of 32 writers, beside the library's own application, single-row commits, and what the disk can do.

`python -m tests.bench.bench_append` prints the figures; the last line says whether the ratios are reached, the exit code too. Everything is measured
in one run on one server, each thing after the other.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

import asyncpg
import uvloop
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from shared.eventstore.port import Appended, AppendRequest, OutboxItem, Slot, TableWrite
from shared.eventstore.postgres import PostgresEventStore
from shared.eventstore.writer import BatchReport
from tests.support.database import Database, Server, run, server
from tests.support.requests import ask, part, reply

WRITERS = 32
LIBRARY_RATIO, SINGLE_ROW_RATIO = 20.0, 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Rates per second; latencies in milliseconds; `batch` is the mean number of requests per commit."""

    fsync: float
    library: float
    single_row: float
    one_by_one: float
    append: float
    append_p50: float
    append_p99: float
    batch: float
    command: float
    command_p50: float
    command_p99: float

    @property
    def passed(self) -> bool:
        """Whether both ratios are reached."""
        return self.append >= LIBRARY_RATIO * self.library and self.append >= SINGLE_ROW_RATIO * self.single_row

    def lines(self) -> list[str]:
        """For people."""
        return [
            f"fdatasync of 8 KiB             {self.fsync:10,.0f}/s   (the disk's ceiling for one commit after the other)",
            f"eventsourcing's application    {self.library:10,.0f}/s   ({WRITERS} threads)",
            f"single-row INSERT commits      {self.single_row:10,.0f}/s   ({WRITERS} connections)",
            f"the same over one connection   {self.one_by_one:10,.0f}/s   (one commit after the other)",
            f"append                         {self.append:10,.0f}/s   (p50 {self.append_p50:.2f} ms, p99 {self.append_p99:.2f} ms)",
            f"requests per commit            {self.batch:10,.1f}     ({WRITERS} callers)",
            f"a whole command                {self.command:10,.0f}/s   (p50 {self.command_p50:.2f} ms, p99 {self.command_p99:.2f} ms)",
            f"append / library      {self.append / self.library:6.1f}   wanted {LIBRARY_RATIO:.0f}",
            f"append / single row   {self.append / self.single_row:6.1f}   wanted {SINGLE_ROW_RATIO:.0f}",
            f"append / one by one   {self.append / self.one_by_one:6.1f}",
            f"bar 24: {'reached' if self.passed else 'NOT reached'}",
        ]


class Thing(Aggregate):
    """The library's smallest aggregate."""

    @event("Started")
    def __init__(self) -> None:
        pass


def fsync_rate(seconds: float = 0.5) -> float:
    """How often 8 KiB can be made durable in a second, one after the other."""
    with tempfile.TemporaryFile(dir=os.environ.get("MODERATION_BENCH_DIR", tempfile.gettempdir())) as file:
        block, count, began = os.urandom(8192), 0, time.perf_counter()
        while time.perf_counter() - began < seconds:
            os.pwrite(file.fileno(), block, 0)
            os.fdatasync(file.fileno())
            count += 1
        return count / (time.perf_counter() - began)


def library_rate(database: Database, seconds: float) -> float:
    """Aggregates saved per second by the library's own PostgreSQL application, without its database functions (they lose events for readers)."""
    parts = urlsplit(database.superuser)
    query = parse_qs(parts.query)
    app: Application[Any] = Application(
        env={
            "PERSISTENCE_MODULE": "eventsourcing.postgres",
            "POSTGRES_DBNAME": database.name,
            "POSTGRES_HOST": query.get("host", [parts.hostname or ""])[0],
            "POSTGRES_PORT": query.get("port", [str(parts.port or 5432)])[0],
            "POSTGRES_USER": parts.username or "postgres",
            "POSTGRES_PASSWORD": parts.password or "",
            "POSTGRES_POOL_SIZE": str(WRITERS),
        }
    )
    until = time.perf_counter() + seconds

    def work(_: int) -> int:
        count = 0
        while time.perf_counter() < until:
            app.save(Thing())
            count += 1
        return count

    with ThreadPoolExecutor(WRITERS) as executor:
        total = sum(executor.map(work, range(WRITERS)))
    app.close()
    return total / seconds


async def single_row_rate(database: Database, seconds: float, writers: int = WRITERS) -> float:
    """Rows per second when every caller commits its own INSERT into a table like the log, each over a connection of its own."""
    run(
        database.superuser,
        "DROP TABLE IF EXISTS bench_rows",
        "CREATE TABLE bench_rows (LIKE events INCLUDING ALL)",
        "CREATE SEQUENCE IF NOT EXISTS bench_position",
    )
    sql = "INSERT INTO bench_rows VALUES (nextval('bench_position'), $1, 1, 'test.happened.v1', now(), $1, '{}', '{}', '')"
    connections = [await asyncpg.connect(database.superuser) for _ in range(writers)]

    async def one(connection: asyncpg.Connection[asyncpg.Record], name: int, number: int) -> None:
        await connection.execute(sql, f"record-{name}.{number}")

    rate, _ = await _rate(seconds, lambda name, number: one(connections[name], name, number), writers)
    for connection in connections:
        await connection.close()
    return rate


async def store_rate(database: Database, seconds: float, make: Callable[[int, int], AppendRequest]) -> tuple[float, list[float], float]:
    """Requests per second, their latencies, and the mean batch."""
    reports: list[BatchReport] = []
    async with PostgresEventStore(database.app, on_batch=reports.append) as store:

        async def one(name: int, number: int) -> None:
            done = await store.append(make(name, number))
            if not isinstance(done, Appended):
                raise TypeError(done)

        await _rate(0.2, lambda name, number: one(name + WRITERS, number))
        reports.clear()
        rate, latencies = await _rate(seconds, one)
    return rate, latencies, statistics.mean(report.requests for report in reports)


async def _rate(seconds: float, one: Callable[[int, int], Awaitable[None]], writers: int = WRITERS) -> tuple[float, list[float]]:
    latencies: list[float] = []
    began = time.perf_counter()

    async def caller(name: int) -> None:
        number = 0
        while (now := time.perf_counter()) < began + seconds:
            await one(name, number)
            latencies.append(time.perf_counter() - now)
            number += 1

    await asyncio.gather(*(caller(name) for name in range(writers)))
    return len(latencies) / (time.perf_counter() - began), latencies


def plain(name: int, number: int) -> AppendRequest:
    """One event."""
    return ask(part(f"record-a{name}.{number}"))


def command(name: int, number: int) -> AppendRequest:
    """What deciding an incident records: an event, a standing, an incident's row, the answer under its key, an item of the feed."""
    player = f"c{name}.{number}"
    writes = (TableWrite(table="standing", row=(player, 1, Slot.LAST_POSITION, b"{}" * 100)), TableWrite(table="incidents", row=_incident(player)))
    outbox = (OutboxItem(type="incident.decided", player_id=player, data=b"{}" * 100),)
    return ask(part(f"record-{player}"), writes=writes, outbox=outbox, idempotency=reply(player, b"{}" * 300))


def _incident(player: str) -> tuple[Any, ...]:
    return (player, player, "admin-1", Slot.RECORDED_AT, 1)


def measure(dsn: str, *, seconds: float = 2.0) -> Figures:
    """All figures, on databases of their own on this server (a superuser's DSN)."""
    databases = Server.prepare(dsn, "mod_template_bench")
    made = [databases.create("mod_bench") for _ in range(3)]
    try:
        fsync = fsync_rate()
        library = library_rate(made[0], seconds)
        single = uvloop.run(single_row_rate(made[1], seconds))
        one_by_one = uvloop.run(single_row_rate(made[1], seconds, 1))
        append, latencies, batch = uvloop.run(store_rate(made[1], seconds, plain))
        whole, whole_latencies, _ = uvloop.run(store_rate(made[2], seconds, command))
    finally:
        for database in made:
            databases.drop(database.name)
        databases.drop(databases.template)
    cuts, whole_cuts = statistics.quantiles(latencies, n=100), statistics.quantiles(whole_latencies, n=100)
    return Figures(
        fsync=fsync,
        library=library,
        single_row=single,
        one_by_one=one_by_one,
        append=append,
        append_p50=cuts[49] * 1000,
        append_p99=cuts[98] * 1000,
        batch=batch,
        command=whole,
        command_p50=whole_cuts[49] * 1000,
        command_p99=whole_cuts[98] * 1000,
    )


def main() -> int:
    """Print the figures; 0 when both ratios are reached."""
    with server() as dsn:
        figures = measure(dsn)
    print("\n".join(figures.lines()))
    return 0 if figures.passed else 1


if __name__ == "__main__":
    sys.exit(main())
