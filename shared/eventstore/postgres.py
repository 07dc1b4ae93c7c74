"""The event store on PostgreSQL: a group-commit writer, coalescing readers, and a small pool for everything else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Self

import asyncpg

from shared.eventstore.connections import POOL_SETTINGS, READER_SETTINGS, WRITER_SETTINGS, Link, PlainConnection, check_durability, translated
from shared.eventstore.envelope import StoredEvent
from shared.eventstore.port import AppendRequest, AppendResult, InlineTable, StoredReply
from shared.eventstore.reader import CoalescingReader
from shared.eventstore.schema import INLINE_TABLES
from shared.eventstore.writer import BatchReport, GroupCommitWriter, WriterLimits
from shared.refusal import Unavailable

__all__ = ["HotRow", "PostgresEventStore", "check_durability"]

_EVENT = "e.position, e.stream, e.version, e.type, e.recorded_at, e.command_id, e.meta, e.payload, e.leaf_hash"
# The events of each stream come in the order of their versions: the inner ORDER BY walks the index, the nested loop keeps it.
_STREAMS_SQL = f"""
SELECT {_EVENT} FROM unnest($1::text[], $2::integer[]) AS k(stream, after)
CROSS JOIN LATERAL (SELECT * FROM events x WHERE x.stream = k.stream AND x.version > k.after ORDER BY x.version) e"""  # noqa: S608  constants
_LOG_SQL = f"SELECT {_EVENT} FROM events e WHERE e.position > $1 ORDER BY e.position LIMIT $2"  # noqa: S608  constants
_PAGE_SQL = f"SELECT {_EVENT} FROM events e WHERE e.stream = $1 AND e.version > $2 ORDER BY e.version LIMIT $3"  # noqa: S608  constants
_HOT_SQL = """
SELECT k.player_id, (SELECT c.epoch FROM config_epoch c) AS epoch, s.version, s.body,
       COALESCE((SELECT e.version FROM events e WHERE e.stream = 'record-' || k.player_id ORDER BY e.version DESC LIMIT 1), 0) AS stream_version
FROM unnest($1::text[]) AS k(player_id) LEFT JOIN standing s ON s.player_id = k.player_id"""
_REPLY_SQL = """
SELECT i.principal, i.key, i.route, i.fingerprint, i.status, i.reply, i.position
FROM unnest($1::text[], $2::text[]) AS k(principal, key) JOIN idempotency i ON i.principal = k.principal AND i.key = k.key"""
_KEYS_SQL = "SELECT subject, wrapped FROM data_keys WHERE subject = ANY($1::text[])"
_EPOCH_SQL = "SELECT c.epoch, h.position FROM config_epoch c, log_head h"


class HotRow(NamedTuple):
    """What a standing's reply is made from: the row of the projection (None: none) and what the log itself says.

    A `stream_version` above `version` means that the projection lags behind the log, which must never be.
    """

    epoch: int
    version: int | None
    body: bytes | None
    stream_version: int


def stored_event(row: Any) -> StoredEvent:
    """An event from a row with the columns of the envelope, in its order."""
    position, stream, version, kind, recorded_at, command_id, meta, payload, leaf_hash = row
    return StoredEvent(
        position=position,
        stream=stream,
        version=version,
        type=kind,
        recorded_at=recorded_at,
        command_id=command_id,
        meta=meta,
        payload=payload,
        leaf_hash=leaf_hash,
    )


def _streams(rows: list[asyncpg.Record]) -> dict[tuple[str, int], list[StoredEvent]]:
    found: dict[str, list[StoredEvent]] = {}
    for row in rows:
        found.setdefault(row[1], []).append(stored_event(row))
    return {(stream, 0): events for stream, events in found.items()}


def _tails(keys: Sequence[tuple[str, int]]) -> tuple[list[str], list[int]]:
    """Each stream once, from the earliest version that anybody wants."""
    earliest: dict[str, int] = {}
    for stream, after in keys:
        earliest[stream] = min(after, earliest.get(stream, after))
    return list(earliest), list(earliest.values())


class PostgresEventStore:
    """See `EventStore`; `start` and `stop` it, or use it as an asynchronous context manager.

    `pool` (and `fetch`, which turns "not now" into `Unavailable`) is for the queries of views; its connections are never reset.
    """

    def __init__(
        self,
        dsn: str,
        *,
        tables: Mapping[str, InlineTable] = INLINE_TABLES,
        limits: WriterLimits | None = None,
        on_batch: Callable[[BatchReport], None] | None = None,
        pool_size: int = 4,
        writer_settings: Mapping[str, str] | None = None,
    ) -> None:
        self._dsn = dsn
        self._pool_size = pool_size
        self._pool: asyncpg.Pool[asyncpg.Record] | None = None
        self._pool_lock = asyncio.Lock()
        link = Link(dsn=dsn, name="moderation-writer", settings={**WRITER_SETTINGS, **(writer_settings or {})})
        self._writer = GroupCommitWriter(link, tables, limits=limits, on_batch=on_batch)
        self._stream_reader: CoalescingReader[tuple[str, int], list[StoredEvent]] = CoalescingReader(
            self._link("streams"), _STREAMS_SQL, arguments=_tails, index=_streams
        )
        self._hot_reader: CoalescingReader[str, HotRow] = CoalescingReader(
            self._link("hot"), _HOT_SQL, arguments=lambda keys: (keys,), index=lambda rows: {row[0]: HotRow(*row[1:]) for row in rows}
        )
        self._reply_reader: CoalescingReader[tuple[str, str], StoredReply] = CoalescingReader(
            self._link("replies"), _REPLY_SQL, arguments=lambda keys: tuple(zip(*keys, strict=True)), index=_replies
        )
        self._key_reader: CoalescingReader[str, bytes] = CoalescingReader(
            self._link("keys"), _KEYS_SQL, arguments=lambda keys: (keys,), index=lambda rows: {row[0]: row[1] for row in rows}
        )
        self._epoch_reader: CoalescingReader[str, tuple[int, int]] = CoalescingReader(
            self._link("epoch"), _EPOCH_SQL, arguments=lambda _: (), index=lambda rows: {"": (rows[0][0], rows[0][1])}
        )

    def _link(self, name: str) -> Link:
        return Link(dsn=self._dsn, name=f"moderation-{name}", settings=READER_SETTINGS)

    async def start(self) -> None:
        """Begin to take requests. The database may be away: connections are made when needed."""
        self._writer.start()

    async def stop(self) -> None:
        """Finish what is queued, then close every connection."""
        await self._writer.stop()
        for reader in (self._stream_reader, self._hot_reader, self._reply_reader, self._key_reader, self._epoch_reader):
            await reader.close()
        if self._pool is not None:
            await self._pool.close()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    @property
    def queued(self) -> int:
        """How many requests wait for the writer."""
        return self._writer.queued

    async def append(self, request: AppendRequest) -> AppendResult:
        """See `EventStore.append`."""
        return await self._writer.append(request)

    async def read(self, stream: str, *, after: int = 0) -> list[StoredEvent]:
        """See `EventStore.read`."""
        return (await self._read_streams([(stream, after)]))[stream]

    async def read_page(self, stream: str, *, after: int, limit: int) -> list[StoredEvent]:
        """See `EventStore.read_page`."""
        return [stored_event(row) for row in await self.fetch(_PAGE_SQL, stream, after, limit)]

    async def read_many(self, streams: Sequence[str]) -> dict[str, list[StoredEvent]]:
        """See `EventStore.read_many`."""
        return await self._read_streams([(stream, 0) for stream in streams])

    async def _read_streams(self, wanted: list[tuple[str, int]]) -> dict[str, list[StoredEvent]]:
        found = await self._stream_reader.ask(wanted)
        return {stream: [event for event in found.get((stream, 0), ()) if event.version > after] for stream, after in wanted}

    async def read_log(self, *, after: int = 0, limit: int = 1000) -> list[StoredEvent]:
        """See `EventStore.read_log`."""
        return [stored_event(row) for row in await self.fetch(_LOG_SQL, after, limit)]

    async def head(self) -> int:
        """See `EventStore.head`."""
        return (await self._epoch_reader.ask([""]))[""][1]

    async def epoch(self) -> int:
        """How often tokens, staff or policy have changed: what was loaded at this number still holds."""
        return (await self._epoch_reader.ask([""]))[""][0]

    async def hot_read(self, player_id: str) -> HotRow:
        """What a standing's reply needs, from one snapshot."""
        return (await self._hot_reader.ask((player_id,)))[player_id]

    async def hot_read_many(self, player_ids: Sequence[str]) -> dict[str, HotRow]:
        """The same for many players at once, from one snapshot."""
        return await self._hot_reader.get_many(player_ids)

    async def find_reply(self, principal: str, key: str) -> StoredReply | None:
        """See `EventStore.find_reply`."""
        return await self._reply_reader.get((principal, key))

    async def data_keys(self, subjects: Sequence[str]) -> dict[str, bytes]:
        """See `EventStore.data_keys`."""
        return await self._key_reader.get_many(subjects)

    async def fetch(self, sql: str, *arguments: Any) -> list[asyncpg.Record]:
        """Rows of a query on the pool. Raises `Unavailable` when the database can't answer."""
        try:
            pool = await self.pool()
            async with pool.acquire(timeout=1) as connection:
                return await connection.fetch(sql, *arguments)
        except Exception as error:
            known = translated(error)
            if known is error:
                raise
            raise known from error

    async def fetch_value(self, sql: str, *arguments: Any) -> Any:
        """The first column of the query's first row, None without a row. Raises `Unavailable` when the database can't answer."""
        rows = await self.fetch(sql, *arguments)
        return rows[0][0] if rows else None

    async def pool(self) -> asyncpg.Pool[asyncpg.Record]:
        """The pool, made when first needed."""
        if self._pool is None:
            async with self._pool_lock:
                if self._pool is None:
                    self._pool = await self._make_pool()
        return self._pool

    async def _make_pool(self) -> asyncpg.Pool[asyncpg.Record]:
        try:
            async with asyncio.timeout(0.9):
                return await asyncpg.create_pool(
                    self._dsn,
                    min_size=1,
                    max_size=self._pool_size,
                    connection_class=PlainConnection,
                    server_settings={"application_name": "moderation-pool", **POOL_SETTINGS},
                    timeout=0.8,
                )
        except Exception as error:
            known = translated(error)
            raise known if isinstance(known, Unavailable) else error from error


def _replies(rows: list[asyncpg.Record]) -> dict[tuple[str, str], StoredReply]:
    return {(row[0], row[1]): StoredReply(route=row[2], fingerprint=row[3], status=row[4], reply=row[5], position=row[6]) for row in rows}
