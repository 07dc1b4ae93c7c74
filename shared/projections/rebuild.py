"""Builds the tables of read models anew from the log, beside live traffic, and swaps them in; or compares them with the live ones.

The log is read in pages, the next one on its way while one is folded; the rows go by COPY into new tables, which catch up with what was recorded
meanwhile. Then, in one transaction that holds the log's head, the last events are folded and the new tables take the names of the old ones. Readers
see the old table or the new one, whole; writers wait for the milliseconds of the swap. Killed at any moment it leaves the live tables as they were.

A transaction that keeps one snapshot (REPEATABLE READ) and asks for a table only after the swap would find rows newer than its snapshot missing; no
part of this program does that, and pg_dump locks its tables first, so the swap waits for it.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import asyncpg

from shared.eventstore.codec import Codec
from shared.eventstore.envelope import StoredEvent
from shared.eventstore.port import InlineTable
from shared.eventstore.schema import INLINE_TABLES
from shared.projections import tables as ddl
from shared.projections.canonical import Drift, TableHash, drift_of
from shared.projections.folding import Folding, TableView, Unread

if TYPE_CHECKING:
    Connection = asyncpg.Connection[asyncpg.Record]

PAGE = 5_000
SMALL = 500
"""With no more events than this to go, the rest is folded while the head is held."""
_LOCK = 0x51304C0E
_AT_ONCE = 3
_TRIES = 60
_PAUSE_SECONDS = 0.5
# All the waiting for locks together, which others queue behind, is below deadlock_timeout: whoever reads is never the one that has to give way.
_WAIT_SECONDS = "700ms"
# What no view asks for stays where it is: who and under what, and the leaf.
_LOG_SQL = """
SELECT position, stream, version, type, recorded_at, command_id, payload
FROM events WHERE position > $1 AND position <= $2 ORDER BY position"""

Progress = Callable[[int, int], None]


class RebuildError(Exception):
    """The tables could not be rebuilt; the live ones are as they were."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilt:
    """What was done: the log's position that the tables are of, their hashes, and the events that could not be read (E06)."""

    position: int
    tables: tuple[TableHash, ...]
    unread: tuple[Unread, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """How the live tables differ from the log at `position`; `drifts` is empty when they don't."""

    position: int
    tables: tuple[TableHash, ...]
    drifts: tuple[Drift, ...]
    unread: tuple[Unread, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilder:
    """Rebuilds or checks the tables of these views. `dsn` (or `role`) is the owner's: new tables are its work.

    `swap_at_once` leaves the catching up out: a control, with which what is recorded meanwhile is lost.
    """

    dsn: str
    codec: Codec
    views: Sequence[TableView[Any]]
    known: Mapping[str, InlineTable] = field(default_factory=lambda: INLINE_TABLES)
    progress: Progress = lambda _done, _all: None
    role: str | None = None
    page: int = PAGE
    swap_at_once: bool = False

    @property
    def tables(self) -> list[InlineTable]:
        """The tables, each once."""
        return [self.known[name] for name in dict.fromkeys(view.table for view in self.views)]

    async def rebuild(self) -> Rebuilt:
        """Build the tables anew and swap them in. Raises `RebuildError`, and what the database raises."""
        with _without_collector():
            return await self._rebuild()

    async def _rebuild(self) -> Rebuilt:
        async with self._connected() as connection, self._connected() as reader:
            if not await connection.fetchval("SELECT pg_try_advisory_lock($1)", _LOCK):
                raise RebuildError("another rebuild is under way")
            for table in self.tables:
                await ddl.drop_new(connection, table)
            folding = self._folding()
            await self._fold(reader, folding, await _head(reader))
            await self._create(folding)
            if not self.swap_at_once:
                await self._catch_up(connection, reader, folding)
            await self._swap(connection, folding)
            return Rebuilt(position=folding.position, tables=_hashes(folding), unread=tuple(folding.unread))

    async def check(self) -> Checked:
        """Compare the live tables with the log, both of one moment; nothing is changed."""
        with _without_collector():
            return await self._check()

    async def _check(self) -> Checked:
        async with self._connected() as connection, connection.transaction(isolation="repeatable_read", readonly=True):
            folding = self._folding()
            await self._fold(connection, folding, await _head(connection))
            drifts = []
            for table in self.tables:
                live = {tuple(row[name] for name in table.key): tuple(row) for row in await connection.fetch(ddl.select(table))}
                drifts.append(drift_of(table, folding.rows[table.name], live))
            found = tuple(drift for drift in drifts if drift is not None)
            return Checked(position=folding.position, tables=_hashes(folding), drifts=found, unread=tuple(folding.unread))

    async def _fold(self, connection: Connection, folding: Folding, upto: int) -> None:
        async for events in self._pages(connection, folding.position, upto):
            folding.add(events)
            self.progress(folding.position, upto)
            await asyncio.sleep(0)
        folding.end()

    async def _pages(self, connection: Connection, after: int, upto: int) -> AsyncIterator[Sequence[StoredEvent]]:
        """The log's pages; positions have no gaps, so where the next one begins is known before this one is folded."""
        coming = asyncio.create_task(self._page(connection, after, upto)) if after < upto else None
        while coming is not None:
            events = await coming
            after = min(after + self.page, upto)
            coming = asyncio.create_task(self._page(connection, after, upto)) if after < upto else None
            yield events

    async def _page(self, connection: Connection, after: int, upto: int) -> list[StoredEvent]:
        rows = await connection.fetch(_LOG_SQL, after, min(after + self.page, upto))
        return [
            StoredEvent(
                position=position, stream=stream, version=version, type=kind, recorded_at=recorded_at, command_id=command_id, meta=b"",
                payload=payload, leaf_hash=b"",
            )
            for position, stream, version, kind, recorded_at, command_id, payload in rows
        ]  # fmt: skip

    async def _create(self, folding: Folding) -> None:
        """The new tables, several at once: PostgreSQL has a process for each connection."""
        waiting = sorted(self.tables, key=lambda table: len(folding.rows[table.name]))

        async def work() -> None:
            async with self._connected() as connection:
                while waiting:
                    table = waiting.pop()
                    await ddl.create_new(connection, table, folding.rows[table.name].values())
                    folding.changed[table.name].clear()

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(_AT_ONCE, len(waiting))):
                    group.create_task(work())
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from failed

    async def _catch_up(self, connection: Connection, reader: Connection, folding: Folding) -> None:
        """Bring the new tables near the head; each round has less to do than the one before, as long as folding is faster than writing."""
        while (head := await _head(reader)) - folding.position > SMALL:
            await self._fold(reader, folding, head)
            await self._flush(connection, folding)

    async def _flush(self, connection: Connection, folding: Folding) -> None:
        async with connection.transaction():
            for table in self.tables:
                await ddl.bring_up(connection, table, folding.changed[table.name], folding.rows[table.name])
        for changed in folding.changed.values():
            changed.clear()

    async def _swap(self, connection: Connection, folding: Folding) -> None:
        script = ";".join([await ddl.swap_script(connection, table) for table in self.tables])
        for attempt in range(_TRIES):
            try:
                async with connection.transaction():
                    await self._swap_now(connection, folding, script)
            except (asyncpg.LockNotAvailableError, asyncpg.QueryCanceledError, asyncpg.DeadlockDetectedError):
                if attempt == _TRIES - 1:
                    raise RebuildError("somebody holds a table for long; try again when that is over") from None
                await asyncio.sleep(_PAUSE_SECONDS)
            else:
                return

    async def _swap_now(self, connection: Connection, folding: Folding, script: str) -> None:
        """The head first, as the writers do, then the tables: neither waits for the other. One round trip while readers are kept out."""
        await connection.execute(f"SET LOCAL lock_timeout = '{_WAIT_SECONDS}'")
        head = await connection.fetchval("SELECT position FROM log_head WHERE id FOR UPDATE")
        if not self.swap_at_once:
            await self._fold(connection, folding, head)
        for table in self.tables:
            await ddl.bring_up(connection, table, folding.changed[table.name], folding.rows[table.name])
        if any(table.bumps_epoch for table in self.tables):
            script += ";UPDATE config_epoch SET epoch = epoch + 1 WHERE id"
        await connection.execute(f"SET LOCAL statement_timeout = '{_WAIT_SECONDS}'")
        await connection.execute(f"LOCK TABLE {', '.join(table.name for table in self.tables)} IN ACCESS EXCLUSIVE MODE")
        await connection.execute(f"SET LOCAL statement_timeout = 0;{script}")

    def _folding(self) -> Folding:
        return Folding(codec=self.codec, views=self.views, tables=self.known)

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[Connection]:
        settings = {"application_name": "moderation-rebuild", "client_min_messages": "warning", **({"role": self.role} if self.role else {})}
        connection = await asyncpg.connect(self.dsn, timeout=10, server_settings=settings)
        try:
            yield connection
        finally:
            await connection.close()


@contextmanager
def _without_collector() -> Iterator[None]:
    """States and rows hold no cycles: looking for some among millions of objects, again and again, finds nothing and costs a fifth of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


async def _head(connection: Connection) -> int:
    position: int = await connection.fetchval("SELECT position FROM log_head WHERE id")
    return position


def _hashes(folding: Folding) -> tuple[TableHash, ...]:
    return tuple(TableHash.of(name, rows) for name, rows in folding.rows.items())
