"""The one write path: idempotency, decision, append, reply. Every command of every service goes through `Executor.run`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

import msgspec

from shared.context import CommandContext
from shared.eventstore.envelope import EventMeta, NewEvent
from shared.eventstore.port import (
    Answered,
    Appended,
    AppendRequest,
    DataKeyRow,
    EventStore,
    IdempotencyRecord,
    OutboxItem,
    StoredReply,
    StreamAppend,
    TableWrite,
)
from shared.refusal import Refusal, Unavailable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from shared.clock import Clock
    from shared.eventstore.codec import Codec
    from shared.security.data_keys import DataKeys

MAX_TRIES = 50

_encode = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamChange:
    """New events of one stream, decided at `expected_version`; without events the version is only guarded.

    `subject` is whose data key encrypts personal fields; `meta` replaces the attempt's for these events, `metas` (one for each) that of each.
    """

    stream: str
    expected_version: int
    events: tuple[object, ...] = ()
    subject: str | None = None
    meta: EventMeta | None = None
    metas: tuple[EventMeta, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """What a command came to, on the state that was read: the changes and everything that is recorded with them, and the reply."""

    changes: tuple[StreamChange, ...]
    meta: EventMeta
    status: int
    reply: dict[str, Any]
    writes: tuple[TableWrite, ...] = ()
    outbox: tuple[OutboxItem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandReply:
    """The answer to a command; `replayed`: it was given before, under the same idempotency key."""

    status: int
    body: bytes
    position: int | None
    replayed: bool = False


@dataclass(slots=True)
class _Line:
    """Those who wait to change the same stream in this process."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: int = 0


class Executor:
    """Runs commands. Within a process those on the same stream go one after another; between processes a conflict is decided again."""

    def __init__(self, store: EventStore, codec: Codec, data_keys: DataKeys, clock: Clock, new_id: Callable[[], str]) -> None:
        self._store = store
        self._codec = codec
        self._data_keys = data_keys
        self._clock = clock
        self._new_id = new_id
        self._lines: dict[str, _Line] = {}

    async def run(self, ctx: CommandContext, stream: str, attempt: Callable[[datetime], Awaitable[Attempt]]) -> CommandReply:
        """Decide and record a command; `attempt(now)` reads, decides, and is called again after a conflict.

        A key that was answered before is found by the append itself, in its transaction, so that the many new ones cost no look-up of their own.

        Raises what `attempt` raises, a `Refusal` `idempotency_key_reused`, or `Unavailable` when the store can't say or the stream is too busy.
        Nothing that is raised is recorded, nor does it ever hide an answer given before under the same key.
        """
        if ctx.dry_run:
            attempted = await attempt(self._clock.now())
            return CommandReply(status=200, body=_encode({**attempted.reply, "position": None}), position=None)
        async with self._turn(stream):
            for _ in range(MAX_TRIES):
                reply = await self._try(ctx, attempt)
                if reply is not None:
                    return reply
        detail = "Too many others change the same record; try again."
        raise Unavailable(detail)

    async def _try(self, ctx: CommandContext, attempt: Callable[[datetime], Awaitable[Attempt]]) -> CommandReply | None:
        try:
            attempted = await attempt(self._clock.now())
        except Exception:  # whatever stands in the way now, also that nothing is left to do
            if (known := await self.answered(ctx)) is not None:
                return known
            raise
        request = await self._request(ctx, attempted)
        result = await self._store.append(request)
        if isinstance(result, Appended):
            position = result.last_position or None
            return CommandReply(status=attempted.status, body=with_position(_encode(attempted.reply), position), position=position)
        if isinstance(result, Answered):
            return _replay(ctx, result.stored)
        return None

    async def answered(self, ctx: CommandContext) -> CommandReply | None:
        """The answer given before under this idempotency key, for commands that are dear to decide or are refused before they are decided.

        Raises a `Refusal` `idempotency_key_reused`, or `Unavailable`.
        """
        stored = await self._stored(ctx)
        return _replay(ctx, stored) if stored is not None else None

    async def is_repeated(self, ctx: CommandContext) -> bool:
        """Whether the idempotency key was used before, for this or another command: known before the body is. Raises `Unavailable`."""
        return await self._stored(ctx) is not None

    async def _stored(self, ctx: CommandContext) -> StoredReply | None:
        return None if ctx.idempotency_key is None else await self._store.find_reply(ctx.owner, ctx.idempotency_key)

    async def _request(self, ctx: CommandContext, attempted: Attempt) -> AppendRequest:
        appends, new_keys = [], list[DataKeyRow]()
        for change in attempted.changes:
            key, row = await self._key_for(change)
            if row is not None:
                new_keys.append(row)
            metas = self._metas(change, attempted.meta)
            events = tuple(self._new_event(change, number, key, metas[number]) for number in range(len(change.events)))
            appends.append(StreamAppend(stream=change.stream, expected_version=change.expected_version, events=events))
        record = None
        if ctx.idempotency_key is not None:
            record = IdempotencyRecord(
                principal=ctx.owner,
                key=ctx.idempotency_key,
                route=ctx.route,
                fingerprint=ctx.fingerprint,
                status=attempted.status,
                reply=_encode(attempted.reply),
            )
        return AppendRequest(
            command_id=self._new_id(),
            appends=tuple(appends),
            writes=attempted.writes,
            outbox=attempted.outbox,
            idempotency=record,
            data_keys=tuple(new_keys),
        )

    def _metas(self, change: StreamChange, attempted: EventMeta) -> list[bytes]:
        """The stored meta data of each event of the change."""
        if change.metas:
            return [self._codec.encode_meta(meta) for meta in change.metas]
        return [self._codec.encode_meta(change.meta or attempted)] * len(change.events)

    async def _key_for(self, change: StreamChange) -> tuple[bytes | None, DataKeyRow | None]:
        if change.subject is None or not any(self._codec.needs_key(event) for event in change.events):
            return None, None
        return await self._data_keys.for_writing(change.subject)

    def _new_event(self, change: StreamChange, number: int, key: bytes | None, meta: bytes) -> NewEvent:
        version = change.expected_version + number + 1
        name, payload = self._codec.encode(change.events[number], stream=change.stream, version=version, data_key=key)
        return NewEvent(type=name, payload=payload, meta=meta)

    @asynccontextmanager
    async def _turn(self, stream: str) -> AsyncIterator[None]:
        line = self._lines.setdefault(stream, _Line())
        line.waiting += 1
        try:
            async with line.lock:
                yield
        finally:
            line.waiting -= 1
            if line.waiting == 0:
                del self._lines[stream]


def with_position(reply: bytes, position: int | None) -> bytes:
    """The JSON object with the member `position` added: known only once the events are recorded."""
    separator = b"" if reply == b"{}" else b","
    return reply[:-1] + separator + b'"position":' + _encode(position) + b"}"


def _replay(ctx: CommandContext, stored: StoredReply) -> CommandReply:
    if stored.route != ctx.route or stored.fingerprint != ctx.fingerprint:
        raise Refusal("idempotency_key_reused", "This key was used for another command; use a new key for each command.")
    return CommandReply(status=stored.status, body=with_position(stored.reply, stored.position), position=stored.position, replayed=True)
