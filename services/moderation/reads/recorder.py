"""Records reads: many at once in one append for each reader, and nothing is read for it.

A stream for each reader, not for a day or a process: "what did this person look at" is one stream in order, and its version is known from the last
append, or told by the conflict when another process was faster. What a reader asks for while an append is under way goes into the next one together,
so a reader's own burst costs a few appends and never conflicts with itself; different readers share the writer's batches.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from services.moderation.reads.events import RecordRead
from shared.eventstore.codec import Codec
from shared.eventstore.envelope import EventMeta, NewEvent
from shared.eventstore.port import Appended, AppendRequest, Conflict, EventStore, StreamAppend, TableWrite
from shared.refusal import Unavailable

MAX_AT_ONCE = 200
MAX_TRIES = 50
MAX_READERS = 10_000

Waiting = tuple[RecordRead, "asyncio.Future[None]"]


@dataclass(slots=True)
class _Line:
    """One reader's stream: its version as last seen, and the reads that wait."""

    version: int = 0
    waiting: list[Waiting] = field(default_factory=list)
    task: asyncio.Task[None] | None = None


class ReadRecorder:
    """Records reads on the primary; see the module."""

    def __init__(self, store: EventStore, codec: Codec, new_id: Callable[[], str]) -> None:
        self._store = store
        self._codec = codec
        self._new_id = new_id
        self._lines: dict[str, _Line] = {}

    async def record(self, read: RecordRead) -> None:
        """Durable when this returns. Raises `Unavailable` when it can't be recorded: then nothing may be shown."""
        if len(self._lines) > MAX_READERS:
            self._lines = {reader: line for reader, line in self._lines.items() if line.task is not None}
        line = self._lines.setdefault(read.reader, _Line())
        recorded: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        line.waiting.append((read, recorded))
        if line.task is None:
            line.task = asyncio.create_task(self._run(read.reader, line), name="record-reads")
        await recorded

    async def _run(self, reader: str, line: _Line) -> None:
        try:
            while line.waiting:
                taken, line.waiting = line.waiting[:MAX_AT_ONCE], line.waiting[MAX_AT_ONCE:]
                try:
                    await self._append(reader, line, [read for read, _ in taken])
                except Exception as error:  # noqa: BLE001  whoever waits gets it, the next ones are tried anew
                    _settle(taken, error)
                else:
                    _settle(taken, None)
        finally:
            line.task = None
            _settle(line.waiting, Unavailable("the service is shutting down"))

    async def _append(self, reader: str, line: _Line, reads: Sequence[RecordRead]) -> None:
        for _ in range(MAX_TRIES):
            result = await self._store.append(self._request(reader, line.version, reads))
            if isinstance(result, Appended):
                line.version += len(reads)
                return
            if isinstance(result, Conflict):
                line.version = result.actual_version
        detail = "The read can't be recorded now, so nothing is shown."
        raise Unavailable(detail)

    def _request(self, reader: str, version: int, reads: Sequence[RecordRead]) -> AppendRequest:
        stream = stream_of(reader)
        events, writes = [], []
        for number, read in enumerate(reads, version + 1):
            name, payload = self._codec.encode(read, stream=stream, version=number)
            meta = self._codec.encode_meta(EventMeta(actor=read.reader, role=read.role, via=read.via, request_id=read.request_id))
            events.append(NewEvent(type=name, payload=payload, meta=meta))
            writes.append(read_row(read, number))
        appended = StreamAppend(stream=stream, expected_version=version, events=tuple(events))
        return AppendRequest(command_id=self._new_id(), appends=(appended,), writes=tuple(writes))


def stream_of(reader: str) -> str:
    """The stream of a reader."""
    return f"reader-{reader}"


def read_row(read: RecordRead, version: int) -> TableWrite:
    """The row by which a read is found."""
    return TableWrite(table="reads", row=(read.reader, version, read.at, read.role, read.player_id, read.what, read.subject, read.request_id))


def _settle(taken: Sequence[Waiting], error: Exception | None) -> None:
    for _, recorded in taken:
        if recorded.done():
            continue
        if error is None:
            recorded.set_result(None)
        else:
            recorded.set_exception(error)
