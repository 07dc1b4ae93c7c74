"""What a store of events promises; `memory.py` and `postgres.py` keep the promise, one contract suite checks both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Any, Protocol

from msgspec import Struct

from shared.eventstore.envelope import NewEvent, StoredEvent


class Slot(Enum):
    """A value that only the append knows; a `TableWrite` row may hold it in a column."""

    LAST_POSITION = "the position of the request's last event"
    RECORDED_AT = "the moment at which the request was recorded"


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamAppend:
    """Events for one stream, which MUST be at `expected_version` (0: new). Without events it only guards the version."""

    stream: str
    expected_version: int
    events: tuple[NewEvent, ...] = ()


class TableWrite(Struct, frozen=True, kw_only=True):
    """A row of an inline projection, written in the transaction of the events: upserted by key, or deleted.

    `row` follows the column order of the registered `InlineTable`; for a deletion it holds the key columns only.
    """

    table: str
    row: tuple[Any, ...]
    delete: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxItem:
    """An integration event for the feed and the webhooks, caused by event number `event` (from 0) of the request."""

    type: str
    player_id: str | None
    data: bytes
    event: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class IdempotencyRecord:
    """The first answer to a command, kept for ever under its principal and key.

    `reply` is a JSON object without the member `position`; whoever sends it adds that (`StoredReply.position`). `fingerprint` is a digest of the
    request's body, `route` its method and path.
    """

    principal: str
    key: str
    route: str
    fingerprint: bytes
    status: int
    reply: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredReply:
    """What was answered under an idempotency key; `position` is None for a command that recorded no event."""

    route: str
    fingerprint: bytes
    status: int
    reply: bytes
    position: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DataKeyRow:
    """A new data key (wrapped) of a subject.

    When the subject has another one already the request is a `Conflict` (of `data-key-SUBJECT`, at version 1): what it encrypted could never be read.
    """

    subject: str
    wrapped: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class AppendRequest:
    """One command's outcome: all of it is recorded in one transaction, or nothing is."""

    command_id: str
    appends: tuple[StreamAppend, ...]
    writes: tuple[TableWrite, ...] = ()
    outbox: tuple[OutboxItem, ...] = ()
    idempotency: IdempotencyRecord | None = None
    data_keys: tuple[DataKeyRow, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Appended:
    """Recorded: the request's events have the positions `first_position` to `last_position` (both 0 when it had no event)."""

    first_position: int
    last_position: int
    recorded_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Nothing was recorded: this stream is at another version than expected."""

    stream: str
    expected_version: int
    actual_version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """Nothing was recorded: the idempotency key has an answer already."""

    stored: StoredReply


AppendResult = Appended | Conflict | Answered


@dataclass(frozen=True, slots=True, kw_only=True)
class InlineTable:
    """A projection table that is written with the events.

    `columns` maps each column to its PostgreSQL type, in row order; `key` names the primary key's columns; with `version_column` a row only
    replaces an older one. With `bumps_epoch` a write to the table also moves `config_epoch`, so that every process loads it again.
    """

    name: str
    columns: Mapping[str, str]
    key: tuple[str, ...]
    version_column: str | None = None
    bumps_epoch: bool = False
    order: tuple[str, ...] = field(init=False, default=())

    def __post_init__(self) -> None:
        object.__setattr__(self, "order", tuple(self.columns))


class EventStore(Protocol):
    """An append-only log of events, with the rows that must never disagree with it."""

    async def append(self, request: AppendRequest) -> AppendResult:
        """Record the request, durably, or say why not.

        An idempotency key that has an answer wins over a conflict. An unknown outcome (connection lost in COMMIT) is looked up before this
        returns. Raises `Unavailable` when the store can't say or its queue is full.
        """
        ...

    async def read(self, stream: str, *, after: int = 0) -> list[StoredEvent]:
        """The stream's events with a version above `after`, oldest first; empty for a stream that does not exist."""
        ...

    async def read_page(self, stream: str, *, after: int, limit: int) -> list[StoredEvent]:
        """At most `limit` of the stream's events with a version above `after`, oldest first: nothing else of it is read."""
        ...

    async def read_many(self, streams: Sequence[str]) -> dict[str, list[StoredEvent]]:
        """Each stream's events, oldest first, all from one snapshot; every stream asked for is in the answer."""
        ...

    async def read_log(self, *, after: int = 0, limit: int = 1000) -> list[StoredEvent]:
        """The log's events with a position above `after`, in order."""
        ...

    async def head(self) -> int:
        """The position of the log's last event, 0 when it is empty."""
        ...

    async def find_reply(self, principal: str, key: str) -> StoredReply | None:
        """What was answered under this key."""
        ...

    async def data_keys(self, subjects: Sequence[str]) -> dict[str, bytes]:
        """The wrapped data keys of those subjects that have one."""
        ...
