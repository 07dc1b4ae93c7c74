"""The `eventsourcing` library's recorder over our log, for tools and tests (psycopg comes with the `dev` extra only).

The service itself appends through `postgres.py`; this one appends with the owner's `log_insert`, which takes any version and any bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Lock, Thread
from typing import Any, Final
from uuid import UUID

import psycopg
from eventsourcing import persistence
from psycopg import sql

from shared.ids import new_id

_POLL_SECONDS: Final = 0.5
_COLUMNS: Final = sql.SQL("position, stream, version, type, payload")


class LogRecorder(persistence.ApplicationRecorder):
    """Reads and appends to the `events` table; originator ids are stream names, notification ids are positions.

    Thread-safe: each call takes a connection of its own, kept for later ones. `close` when done.
    """

    def __init__(self, dsn: str) -> None:
        self.dsn: Final = dsn
        self._lock = Lock()
        self._closed = False
        self._idle: list[psycopg.Connection] = []

    def close(self) -> None:
        """Close the idle connections; one that is in use is closed when its call ends."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def insert_events(self, stored_events: Sequence[persistence.StoredEvent], **kwargs: Any) -> Sequence[int] | None:  # noqa: ARG002  the library's signature
        """Append all of the events or none, and return their positions; raises `IntegrityError` when a version is taken."""
        if not stored_events:
            return None
        command_id = new_id()
        arguments = (
            [str(event.originator_id) for event in stored_events],
            [event.originator_version for event in stored_events],
            [event.topic for event in stored_events],
            [command_id] * len(stored_events),
            [b"{}"] * len(stored_events),
            [event.state for event in stored_events],
        )
        call = sql.SQL("SELECT log_insert(%s::text[], %s::integer[], %s::text[], %s::text[], %s::bytea[], %s::bytea[])")
        first = self._rows(call, arguments)[0][0]
        return list(range(first, first + len(stored_events)))

    def select_events(
        self, originator_id: UUID | str, *, gt: int | None = None, lte: int | None = None, desc: bool = False, limit: int | None = None
    ) -> Sequence[persistence.StoredEvent]:
        """The stream's events with versions above `gt` and up to `lte`."""
        query = sql.SQL("SELECT {} FROM events WHERE stream = %s AND version > %s AND version <= %s ORDER BY version {} LIMIT %s").format(
            _COLUMNS, sql.SQL("DESC" if desc else "ASC")
        )
        bounds = (-1 if gt is None else gt, 2**31 - 1 if lte is None else lte, limit)
        rows = self._rows(query, (str(originator_id), *bounds))
        return [
            persistence.StoredEvent(originator_id=stream, originator_version=version, topic=type_, state=payload)
            for _, stream, version, type_, payload in rows
        ]

    def select_notifications(
        self, start: int | None, limit: int, stop: int | None = None, topics: Sequence[str] = (), *, inclusive_of_start: bool = True
    ) -> Sequence[persistence.Notification]:
        """The log's events from `start` (inclusive unless said otherwise) up to `stop`, of these stored names only when any are given."""
        after = 0 if start is None else start - 1 if inclusive_of_start else start
        query = sql.SQL(
            "SELECT {} FROM events WHERE position > %s AND position <= %s AND (%s::text[] IS NULL OR type = ANY(%s)) ORDER BY position LIMIT %s"
        ).format(_COLUMNS)
        names = list(topics) or None
        rows = self._rows(query, (after, 2**63 - 1 if stop is None else stop, names, names, limit))
        return [
            persistence.Notification(id=position, originator_id=stream, originator_version=version, topic=type_, state=payload)
            for position, stream, version, type_, payload in rows
        ]

    def max_notification_id(self) -> int | None:
        """The position of the log's last event, None when it is empty."""
        rows = self._rows(sql.SQL("SELECT max(position) FROM events"), ())
        position: int | None = rows[0][0]
        return position

    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> LogSubscription:
        """The log's events above `gt`, then new ones as they are recorded."""
        return LogSubscription(self, gt=gt, topics=topics)

    def _rows(self, query: sql.SQL | sql.Composed, arguments: Sequence[object]) -> list[tuple[Any, ...]]:
        with _translated(), self._connection() as connection:
            return connection.execute(query, arguments, binary=True).fetchall()

    @contextmanager
    def _connection(self) -> Iterator[psycopg.Connection]:
        with self._lock:
            connection = self._idle.pop() if self._idle else None
        connection = connection or psycopg.connect(self.dsn, autocommit=True)
        try:
            yield connection
        finally:
            with self._lock:
                kept = not (connection.broken or self._closed)
                if kept:
                    self._idle.append(connection)
            if not kept:
                connection.close()


class LogSubscription(persistence.ListenNotifySubscription[LogRecorder]):
    """Follows the log: woken by its notifications, and by a slow poll in case one is lost."""

    def __init__(self, recorder: LogRecorder, gt: int | None = None, topics: Sequence[str] = ()) -> None:
        super().__init__(recorder, gt=gt, topics=topics)
        self._listener = Thread(target=self._listen, daemon=True)
        self._listener.start()

    def __exit__(self, *args: object, **kwargs: Any) -> None:
        """Stop, and wait for both threads."""
        try:
            super().__exit__(*args, **kwargs)
        finally:
            self._listener.join()

    def _listen(self) -> None:
        try:
            with _translated(), psycopg.connect(self._recorder.dsn, autocommit=True) as connection:
                connection.execute("LISTEN moderation_log")
                while not self._has_been_stopped:
                    self._has_been_notified.set()
                    for _ in connection.notifies(timeout=_POLL_SECONDS, stop_after=1):
                        pass
        except persistence.PersistenceError as error:
            self._thread_error = error
            self.stop()


@contextmanager
def _translated() -> Iterator[None]:
    """The database's errors as the library's."""
    try:
        yield
    except psycopg.IntegrityError as error:
        raise persistence.IntegrityError(str(error)) from error
    except psycopg.OperationalError as error:
        raise persistence.OperationalError(str(error)) from error
    except psycopg.Error as error:
        raise persistence.DatabaseError(str(error)) from error
