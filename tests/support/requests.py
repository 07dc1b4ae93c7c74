"""Short ways to write append requests."""

from __future__ import annotations

import itertools
import secrets

from shared.eventstore.envelope import NewEvent
from shared.eventstore.port import AppendRequest, DataKeyRow, IdempotencyRecord, OutboxItem, StreamAppend, TableWrite

_RUN = secrets.token_hex(4)
_NUMBERS = itertools.count(1)


def event(payload: bytes = b"{}", kind: str = "test.happened.v1") -> NewEvent:
    """An event of no meaning."""
    return NewEvent(type=kind, payload=payload, meta=b'{"actor":"tester"}')


def part(stream: str, expected: int = 0, count: int = 1) -> StreamAppend:
    """So many events for a stream."""
    return StreamAppend(stream=stream, expected_version=expected, events=tuple(event(f'{{"n":{n}}}'.encode()) for n in range(count)))


def reply(key: str, body: bytes = b'{"ok":true}', principal: str = "admin-1") -> IdempotencyRecord:
    """The answer to keep under a key."""
    return IdempotencyRecord(principal=principal, key=key, route="POST /v1/things", fingerprint=b"print", status=201, reply=body)


def ask(
    *parts: StreamAppend,
    writes: tuple[TableWrite, ...] = (),
    outbox: tuple[OutboxItem, ...] = (),
    idempotency: IdempotencyRecord | None = None,
    data_keys: tuple[DataKeyRow, ...] = (),
) -> AppendRequest:
    """A request with a command id of its own."""
    return AppendRequest(
        command_id=f"{_RUN}-{next(_NUMBERS)}", appends=parts, writes=writes, outbox=outbox, idempotency=idempotency, data_keys=data_keys
    )
