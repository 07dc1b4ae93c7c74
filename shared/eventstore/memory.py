"""The store's twin in memory, for unit tests: the same promises, kept without a database (but nothing outlives the process)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from msgspec.structs import replace

from shared.clock import Clock, SystemClock
from shared.eventstore import batch as batches
from shared.eventstore.envelope import NewEvent, StoredEvent
from shared.eventstore.merkle_leaf import leaf_hash
from shared.eventstore.port import (
    Answered,
    Appended,
    AppendRequest,
    AppendResult,
    Conflict,
    InlineTable,
    OutboxItem,
    StoredReply,
)
from shared.eventstore.schema import DATA_KEYS, INLINE_TABLES

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Published(NamedTuple):
    """A row of the outbox."""

    position: int
    ordinal: int
    item: OutboxItem


class MemoryEventStore:
    """See `EventStore`. `tables[name]` maps a row's key to its row, `outbox` and `config_epoch` are what PostgreSQL would hold."""

    def __init__(self, *, tables: Mapping[str, InlineTable] = INLINE_TABLES, clock: Clock | None = None) -> None:
        self._registered = tables
        self._clock = clock or SystemClock()
        self._log: list[StoredEvent] = []
        self._streams: dict[str, list[StoredEvent]] = {}
        self._replies: dict[tuple[str, str], StoredReply] = {}
        self._keys: dict[str, bytes] = {}
        self._last = _EPOCH
        self.tables: dict[str, dict[tuple[Any, ...], tuple[Any, ...]]] = {name: {} for name in tables}
        self.outbox: list[Published] = []
        self.config_epoch = 0

    async def append(self, request: AppendRequest) -> AppendResult:
        """See `EventStore.append`."""
        batches.validate(request, self._registered)
        refusal = self._refusal(request)
        if refusal is not None:
            return refusal
        self._last = moment = max(self._clock.now(), self._last)
        first = len(self._log) + 1
        for part in request.appends:
            for version, new in enumerate(part.events, part.expected_version + 1):
                self._record(part.stream, version, new, moment, request.command_id)
        outcome = batches.appended(first, len(self._log) + 1 - first, moment)
        record = request.idempotency
        if record is not None:
            position = outcome.last_position or None
            reply = StoredReply(route=record.route, fingerprint=record.fingerprint, status=record.status, reply=record.reply, position=position)
            self._replies[record.principal, record.key] = reply
        ordinals: dict[int, int] = {}
        for item in request.outbox:
            ordinals[item.event] = ordinals.get(item.event, 0) + 1
            self.outbox.append(Published(first + item.event, ordinals[item.event], item))
        self._keys.update({row.subject: row.wrapped for row in request.data_keys})
        self._write(request, outcome)
        return outcome

    def _refusal(self, request: AppendRequest) -> AppendResult | None:
        record = request.idempotency
        if record is not None and (record.principal, record.key) in self._replies:
            return Answered(stored=self._replies[record.principal, record.key])
        for part in request.appends:
            actual = self._version(part.stream)
            if actual != part.expected_version:
                return Conflict(stream=part.stream, expected_version=part.expected_version, actual_version=actual)
        for row in request.data_keys:
            if self._keys.get(row.subject, row.wrapped) != row.wrapped:
                return Conflict(stream=f"data-key-{row.subject}", expected_version=0, actual_version=1)
        return None

    def _version(self, stream: str) -> int:
        events = self._streams.get(stream)
        return events[-1].version if events else 0

    def _record(self, stream: str, version: int, new: NewEvent, moment: datetime, command_id: str) -> None:
        position = len(self._log) + 1
        event = StoredEvent(
            position=position,
            stream=stream,
            version=version,
            type=new.type,
            recorded_at=moment,
            command_id=command_id,
            meta=new.meta,
            payload=new.payload,
            leaf_hash=b"",
        )
        event = replace(event, leaf_hash=leaf_hash(event))
        self._log.append(event)
        self._streams.setdefault(stream, []).append(event)

    def _write(self, request: AppendRequest, outcome: Appended) -> None:
        grouped = batches.table_rows([request], [outcome], self._registered)
        for (name, delete), rows in grouped.items():
            table, held = self._registered[name], self.tables[name]
            for row in rows:
                if delete:
                    held.pop(row, None)
                    if name == DATA_KEYS.name:
                        self._keys.pop(row[0], None)
                    continue
                key = tuple(row[table.order.index(column)] for column in table.key)
                if key not in held or batches.replaces(table, held[key], row, same_batch=False):
                    held[key] = row
        if any(self._registered[name].bumps_epoch for name, _ in grouped):
            self.config_epoch += 1

    async def read(self, stream: str, *, after: int = 0) -> list[StoredEvent]:
        """See `EventStore.read`."""
        return [event for event in self._streams.get(stream, ()) if event.version > after]

    async def read_page(self, stream: str, *, after: int, limit: int) -> list[StoredEvent]:
        """See `EventStore.read_page`."""
        return self._streams.get(stream, [])[after : after + limit]

    async def read_many(self, streams: Sequence[str]) -> dict[str, list[StoredEvent]]:
        """See `EventStore.read_many`."""
        return {stream: list(self._streams.get(stream, ())) for stream in streams}

    async def read_log(self, *, after: int = 0, limit: int = 1000) -> list[StoredEvent]:
        """See `EventStore.read_log`."""
        return self._log[after : after + limit]

    async def head(self) -> int:
        """See `EventStore.head`."""
        return len(self._log)

    async def epoch(self) -> int:
        """How often tokens, staff or policy have changed."""
        return self.config_epoch

    async def find_reply(self, principal: str, key: str) -> StoredReply | None:
        """See `EventStore.find_reply`."""
        return self._replies.get((principal, key))

    async def data_keys(self, subjects: Sequence[str]) -> dict[str, bytes]:
        """See `EventStore.data_keys`."""
        return {subject: self._keys[subject] for subject in subjects if subject in self._keys}
