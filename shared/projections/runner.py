"""Follows the log for read models that may lag: pages of events and the checkpoint go into one transaction.

NOTIFY wakes the runner, a slow poll backs it (a notification may be lost with its connection). Positions have no gaps and become visible in order, so
the whole checkpoint is one number. Nothing here has effects outside the database, so a rebuild repeats none.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

import asyncpg

from shared.eventstore.connections import connection_lost
from shared.eventstore.envelope import StoredEvent
from shared.eventstore.port import EventStore
from shared.refusal import Unavailable

if TYPE_CHECKING:
    Connection = asyncpg.Connection[asyncpg.Record]

CHANNEL = "moderation_log"
_LOCK = "SELECT position FROM projection_checkpoints WHERE name = $1 FOR UPDATE"
_SAVE = "UPDATE projection_checkpoints SET position = $2 WHERE name = $1"


class Projection(Protocol):
    """A read model: `apply` and `failed` write with the connection that they are given and do nothing else."""

    @property
    def name(self) -> str:
        """The checkpoint's name."""
        ...

    async def apply(self, connection: Connection, events: Sequence[StoredEvent]) -> None:
        """Write what the events change."""
        ...

    async def failed(self, connection: Connection, event: StoredEvent, error: Exception) -> None:
        """Mark what this event concerns as unknown (never as clean): `apply` raised for it alone, and the runner goes on behind it."""
        ...


class ProjectionRunner:
    """Keeps one projection up to date; several processes may run it, one at a time works on a page."""

    def __init__(
        self,
        dsn: str,
        store: EventStore,
        projection: Projection,
        *,
        page: int = 1000,
        poll: float = 1.0,
        on_failure: Callable[[str, StoredEvent, Exception], None] | None = None,
    ) -> None:
        self._dsn = dsn
        self._store = store
        self._projection = projection
        self._page = page
        self._poll = poll
        self._on_failure = on_failure
        self._wake = asyncio.Event()

    async def run(self) -> None:
        """Follow the log until cancelled, through losses of the database."""
        while True:
            try:
                await self._follow()
            except (Unavailable, OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError):
                await asyncio.sleep(self._poll)

    async def catch_up(self) -> int:
        """Work until the log's head is reached; the checkpoint then."""
        connection = await asyncpg.connect(self._dsn)
        try:
            await self._begin(connection)
            while await self._step(connection):
                pass
            position: int = await connection.fetchval("SELECT position FROM projection_checkpoints WHERE name = $1", self._projection.name)
            return position
        finally:
            await connection.close()

    async def _follow(self) -> None:
        connection = await asyncpg.connect(self._dsn, server_settings={"application_name": f"moderation-{self._projection.name}"})
        try:
            await connection.add_listener(CHANNEL, lambda *_: self._wake.set())
            connection.add_termination_listener(lambda *_: self._wake.set())
            await self._begin(connection)
            while not connection.is_closed():
                self._wake.clear()
                if not await self._step(connection):
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(self._poll):
                            await self._wake.wait()
        finally:
            connection.terminate()

    async def _begin(self, connection: Connection) -> None:
        sql = "INSERT INTO projection_checkpoints (name, position) VALUES ($1, 0) ON CONFLICT (name) DO NOTHING"
        await connection.execute(sql, self._projection.name)

    async def _step(self, connection: Connection) -> bool:
        """One page; False when there was nothing to do."""
        async with connection.transaction():
            position: int = await connection.fetchval(_LOCK, self._projection.name)
            events = await self._store.read_log(after=position, limit=self._page)
            if not events:
                return False
            try:
                async with connection.transaction():
                    await self._projection.apply(connection, events)
            except Exception as error:
                if connection_lost(error, connection) or isinstance(error, Unavailable):
                    raise
                await self._one_by_one(connection, events)
            await connection.execute(_SAVE, self._projection.name, events[-1].position)
            return True

    async def _one_by_one(self, connection: Connection, events: Sequence[StoredEvent]) -> None:
        """E06: an event that the projection can't take stops nothing behind it and is reported once, as the checkpoint moves past it."""
        for event in events:
            try:
                async with connection.transaction():
                    await self._projection.apply(connection, [event])
            except Exception as error:
                if connection_lost(error, connection):
                    raise
                await self._projection.failed(connection, event, error)
                if self._on_failure is not None:
                    self._on_failure(self._projection.name, event, error)
