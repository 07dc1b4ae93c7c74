"""Our log in the words of the `eventsourcing` library: its domain event, its mapper, its errors.

The library is synchronous and does no I/O for us; `library_recorder.py` lets its applications, notification logs and projection runners
read our log.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from eventsourcing import persistence
from eventsourcing.domain import DomainEventProtocol

from shared.eventstore.codec import Codec, UnreadableEvent
from shared.eventstore.envelope import StoredEvent
from shared.eventstore.port import Conflict


@dataclass(frozen=True)
class LoggedEvent:
    """One of our events as the library's `DomainEventProtocol`: `originator_id` is the stream, `originator_version` its version in it."""

    originator_id: str
    originator_version: int
    event: object


class LogMapper(persistence.Mapper[str]):
    """Maps with our codec: topics are our stored names (`moderation.incident_decided.v1`), states our payloads, never class paths.

    `data_key_of` gives a stream's data key; without one personal fields read as None.
    """

    def __init__(self, codec: Codec, data_key_of: Callable[[str], bytes | None] = lambda _stream: None) -> None:
        super().__init__(persistence.JSONTranscoder())
        self._codec = codec
        self._data_key_of = data_key_of

    def to_stored_event(self, domain_event: DomainEventProtocol[str]) -> persistence.StoredEvent:
        """The event under its stored name; `TypeError` for anything but a `LoggedEvent`."""
        if not isinstance(domain_event, LoggedEvent):
            msg = f"{type(domain_event).__name__} is no event of this log"
            raise TypeError(msg)
        stream, version = domain_event.originator_id, domain_event.originator_version
        topic, state = self._codec.encode(domain_event.event, stream=stream, version=version, data_key=self._data_key_of(stream))
        return persistence.StoredEvent(originator_id=stream, originator_version=version, topic=topic, state=state)

    def to_domain_event(self, stored_event: persistence.StoredEvent) -> DomainEventProtocol[str]:
        """The event, lifted to its current version; raises the library's `MapperDeserialisationError` for one that cannot be read."""
        stored = envelope_of(stored_event)
        try:
            event = self._codec.decode(stored, data_key=self._data_key_of(stored.stream))
        except UnreadableEvent as error:
            raise persistence.MapperDeserialisationError(str(error)) from error
        return LoggedEvent(stored.stream, stored.version, event)


def library_event(stored: StoredEvent) -> persistence.Notification:
    """An event of our log as the library's notification; command, meta data, moment and leaf have no place in it."""
    return persistence.Notification(
        id=stored.position, originator_id=stored.stream, originator_version=stored.version, topic=stored.type, state=stored.payload
    )


def envelope_of(event: persistence.StoredEvent) -> StoredEvent:
    """What the library's event tells of ours: without position (0) unless it is a notification, and without what it has no place for."""
    position: Any = getattr(event, "id", 0)
    return StoredEvent(
        position=position,
        stream=str(event.originator_id),
        version=event.originator_version,
        type=event.topic,
        recorded_at=datetime.fromtimestamp(0, UTC),
        command_id="",
        meta=b"{}",
        payload=event.state,
        leaf_hash=b"",
    )


def conflict_error(conflict: Conflict) -> persistence.IntegrityError:
    """Our conflict as the error that the library's applications know."""
    return persistence.IntegrityError(f"{conflict.stream} is at version {conflict.actual_version}, not {conflict.expected_version}")
