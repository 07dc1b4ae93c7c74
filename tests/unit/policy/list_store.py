"""The least of a store that publishing needs: one list of events, and an epoch that moves with every table row."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime

from shared.commands import StreamChange
from shared.eventstore.envelope import NewEvent, StoredEvent
from shared.eventstore.port import Appended, AppendRequest, AppendResult, Conflict, StoredReply, StreamAppend, TableWrite

MOMENT = datetime(2026, 11, 30, tzinfo=UTC)


class ListStore:
    """Implements `EventStore` for one stream at a time."""

    def __init__(self, *, pause: bool = False) -> None:
        """With `pause` every read lets others run before it answers."""
        self.events: list[StoredEvent] = []
        self.reads = 0
        self._epoch = 0
        self._pause = pause

    async def epoch(self) -> int:
        """How often a row was written."""
        return self._epoch

    async def append(self, request: AppendRequest) -> AppendResult:
        """Record the request, or say that the version is another."""
        first = len(self.events) + 1
        for appended in request.appends:
            version = len([event for event in self.events if event.stream == appended.stream])
            if version != appended.expected_version:
                return Conflict(stream=appended.stream, expected_version=appended.expected_version, actual_version=version)
            for number, new in enumerate(appended.events, 1):
                self.events.append(self._stored(request.command_id, appended.stream, version + number, new))
        self._epoch += bool(request.writes)
        return Appended(first_position=first, last_position=len(self.events), recorded_at=MOMENT)

    def _stored(self, command_id: str, stream: str, version: int, new: NewEvent) -> StoredEvent:
        return StoredEvent(
            position=len(self.events) + 1,
            stream=stream,
            version=version,
            type=new.type,
            recorded_at=MOMENT,
            command_id=command_id,
            meta=new.meta,
            payload=new.payload,
            leaf_hash=b"",
        )

    async def record(self, change: StreamChange, encoded: Sequence[tuple[str, bytes]], meta: bytes, writes: tuple[TableWrite, ...]) -> None:
        """Append what an attempt came to."""
        events = tuple(NewEvent(type=name, payload=payload, meta=meta) for name, payload in encoded)
        appended = StreamAppend(stream=change.stream, expected_version=change.expected_version, events=events)
        result = await self.append(AppendRequest(command_id="c", appends=(appended,), writes=writes))
        assert isinstance(result, Appended)

    async def read(self, stream: str, *, after: int = 0) -> list[StoredEvent]:
        """The stream's events."""
        self.reads += 1
        found = [event for event in self.events if event.stream == stream and event.version > after]
        if self._pause:
            await asyncio.sleep(0)
        return found

    async def read_page(self, stream: str, *, after: int, limit: int) -> list[StoredEvent]:
        """Some of the stream's events."""
        return (await self.read(stream, after=after))[:limit]

    async def read_many(self, streams: Sequence[str]) -> dict[str, list[StoredEvent]]:
        """Each stream's events."""
        return {stream: await self.read(stream) for stream in streams}

    async def read_log(self, *, after: int = 0, limit: int = 1000) -> list[StoredEvent]:
        """The log."""
        return self.events[after : after + limit]

    async def head(self) -> int:
        """The last position."""
        return len(self.events)

    async def find_reply(self, principal: str, key: str) -> StoredReply | None:  # noqa: ARG002  nobody asks twice here
        """No answer is kept."""
        return None

    async def data_keys(self, subjects: Sequence[str]) -> dict[str, bytes]:  # noqa: ARG002  a policy holds no personal data
        """No subject has a key."""
        return {}
