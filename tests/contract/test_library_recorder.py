"""The `eventsourcing` library as referee: its own recorder test cases run against our log, and its tools read our events."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import pytest
from eventsourcing import persistence
from eventsourcing.application import LocalNotificationLog
from eventsourcing.tests.persistence import ApplicationRecorderTestCase, NonInterleavingNotificationIDsBaseCase

from services.moderation.staff.events import StaffChanged, StaffRegistered
from shared.eventstore.codec import Codec
from shared.eventstore.library import LoggedEvent, LogMapper, conflict_error, envelope_of, library_event
from shared.eventstore.library_recorder import LogRecorder
from shared.eventstore.port import AppendRequest, Conflict, StreamAppend
from shared.eventstore.postgres import PostgresEventStore
from shared.security.roles import Role
from tests.golden.files import registry
from tests.support.database import Database
from tests.support.requests import ask, event

ADMIN = StaffRegistered(staff_id="admin-1", level=Role.ADMIN, player_id=None, active=True)
SENIOR = StaffChanged(staff_id="admin-1", level=Role.SENIOR_ADMIN, player_id="p1", active=True)


class OverOurLog:
    """What the library's cases need: a recorder, and ids that are stream names."""

    recorder: LogRecorder

    @pytest.fixture(autouse=True)
    def _over_our_log(self, database: Database) -> Iterator[None]:
        self.recorder = LogRecorder(database.superuser)
        yield
        self.recorder.close()

    def create_recorder(self) -> LogRecorder:
        """The recorder under test."""
        return self.recorder

    def new_originator_id(self) -> str:
        """A stream of this case only."""
        return f"library-{uuid4()}"


class TestApplicationRecorder(OverOurLog, ApplicationRecorderTestCase[LogRecorder]):
    """The library's cases for an application recorder: order, atomicity, conflicts, limits, concurrency."""

    def test_insert_subscribe(self) -> None:
        """A subscription gives what is there and then what comes."""
        self.optional_test_insert_subscribe()


class TestNotificationIdsDoNotInterleave(OverOurLog, NonInterleavingNotificationIDsBaseCase):
    """Two appends at once: each keeps its positions together."""


@pytest.fixture
def recorder(database: Database) -> Iterator[LogRecorder]:
    made = LogRecorder(database.superuser)
    yield made
    made.close()


@pytest.fixture
def mapper() -> LogMapper:
    return LogMapper(Codec(registry()))


async def test_a_notification_log_of_the_library_reads_what_our_store_appended(
    postgres_store: PostgresEventStore, recorder: LogRecorder, mapper: LogMapper
) -> None:
    codec = Codec(registry())
    new = []
    for version, happened in enumerate((ADMIN, SENIOR), start=1):
        kind, payload = codec.encode(happened, stream="staff-admin-1", version=version)
        new.append(event(payload, kind))
    append = StreamAppend(stream="staff-admin-1", expected_version=0, events=tuple(new))
    await postgres_store.append(AppendRequest(command_id="c", appends=(append,)))
    notifications = LocalNotificationLog(recorder, section_size=10).select(start=1, limit=10)
    assert [mapper.to_domain_event(one) for one in notifications] == [
        LoggedEvent("staff-admin-1", 1, ADMIN),
        LoggedEvent("staff-admin-1", 2, SENIOR),
    ]
    assert notifications == [library_event(stored) for stored in await postgres_store.read_log()]


async def test_our_store_reads_what_the_library_appended(postgres_store: PostgresEventStore, recorder: LogRecorder, mapper: LogMapper) -> None:
    assert recorder.insert_events([mapper.to_stored_event(LoggedEvent("staff-admin-1", 1, ADMIN))]) == [1]
    await postgres_store.append(ask(StreamAppend(stream="staff-admin-1", expected_version=1, events=(event(),))))
    first, second = await postgres_store.read("staff-admin-1")
    assert Codec(registry()).decode(first) == ADMIN
    assert (first.position, second.position) == (1, 2)


def test_topics_are_our_stored_names(mapper: LogMapper) -> None:
    """E07: no class path gets into the log."""
    stored = mapper.to_stored_event(LoggedEvent("staff-admin-1", 1, ADMIN))
    assert stored.topic == "moderation.staff_registered.v1"
    assert mapper.to_domain_event(stored) == LoggedEvent("staff-admin-1", 1, ADMIN)
    assert envelope_of(stored).position == 0


def test_what_cannot_be_read_is_the_librarys_error(mapper: LogMapper) -> None:
    """E06."""
    stored = persistence.StoredEvent(originator_id="staff-1", originator_version=1, topic="moderation.nothing.v1", state=b"{}")
    with pytest.raises(persistence.MapperDeserialisationError):
        mapper.to_domain_event(stored)


def test_our_conflict_is_the_librarys_integrity_error() -> None:
    assert isinstance(conflict_error(Conflict(stream="s", expected_version=0, actual_version=1)), persistence.IntegrityError)
