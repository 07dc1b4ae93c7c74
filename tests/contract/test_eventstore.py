"""The promises of `EventStore`, kept by the twin in memory and by PostgreSQL alike."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from shared.eventstore.envelope import StoredEvent
from shared.eventstore.memory import MemoryEventStore
from shared.eventstore.port import Answered, Appended, AppendResult, Conflict, DataKeyRow, OutboxItem, Slot, StreamAppend, TableWrite
from shared.eventstore.postgres import PostgresEventStore
from tests.support.requests import ask, event, part, reply

Store = MemoryEventStore | PostgresEventStore
Rows = Callable[[str], Coroutine[Any, Any, list[tuple[Any, ...]]]]


@pytest.fixture(params=["memory", "postgres"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    """Each kind of store, empty."""
    if request.param == "memory":
        yield MemoryEventStore()
        return
    database = request.getfixturevalue("database")
    async with PostgresEventStore(database.app) as postgres:
        yield postgres


@pytest.fixture
def rows(store: Store) -> Rows:
    """The rows of a projection table, sorted; of the outbox without its data."""

    async def read(table: str) -> list[tuple[Any, ...]]:
        if isinstance(store, MemoryEventStore):
            if table == "outbox":
                return [(row.position, row.ordinal, row.item.type, row.item.player_id, row.item.data) for row in store.outbox]
            return sorted(store.tables[table].values())
        return sorted(tuple(row) for row in await store.fetch(f"SELECT * FROM {table}"))  # noqa: S608  names of this file

    return read


def took(result: AppendResult) -> Appended:
    """The result, which is a success."""
    assert isinstance(result, Appended), result
    return result


async def test_events_come_back_as_they_were_given_with_positions_and_versions_from_one(store: Store) -> None:
    """Positions count the log, versions the stream, both without a gap."""
    request = ask(part("record-p1", count=2), part("staff-s1"))
    done = took(await store.append(request))
    assert (done.first_position, done.last_position) == (1, 3)
    log = await store.read_log()
    assert [(e.position, e.stream, e.version) for e in log] == [(1, "record-p1", 1), (2, "record-p1", 2), (3, "staff-s1", 1)]
    assert {e.command_id for e in log} == {request.command_id}
    assert {e.recorded_at for e in log} == {done.recorded_at}
    assert [e.payload for e in log] == [b'{"n":0}', b'{"n":1}', b'{"n":0}']
    assert await store.read("record-p1") == log[:2]
    assert await store.read("record-p1", after=1) == log[1:2]
    assert await store.read_page("record-p1", after=0, limit=1) == log[:1]
    assert await store.read_page("record-p1", after=1, limit=9) == log[1:2]
    assert await store.read_log(after=1, limit=1) == log[1:2]
    assert await store.head() == 3


async def test_a_stream_that_does_not_exist_is_empty(store: Store) -> None:
    """Every stream asked for is in the answer."""
    took(await store.append(ask(part("record-p1"))))
    assert await store.read("record-nobody") == []
    found = await store.read_many(["record-nobody", "record-p1"])
    assert [len(found[name]) for name in ("record-nobody", "record-p1")] == [0, 1]


async def test_another_version_than_expected_is_a_conflict_and_nothing_is_recorded(store: Store, rows: Rows) -> None:
    """C01: the guard is the stream's version, not a look beforehand."""
    took(await store.append(ask(part("record-p1"))))
    key = DataKeyRow(subject="p1", wrapped=b"w")
    stale = ask(part("record-p2"), part("record-p1", 0), writes=(_standing("p1", 9),), idempotency=reply("k"), data_keys=(key,))
    assert await store.append(stale) == Conflict(stream="record-p1", expected_version=0, actual_version=1)
    assert await store.append(ask(part("record-p1", 2))) == Conflict(stream="record-p1", expected_version=2, actual_version=1)
    assert await store.head() == 1
    assert await rows("standing") == []
    assert await store.find_reply("admin-1", "k") is None
    assert await store.data_keys(["p1"]) == {}


async def test_a_guard_without_events_refuses_what_was_decided_on_a_stale_stream(store: Store) -> None:
    """A decision may depend on a stream that it does not change."""
    took(await store.append(ask(part("network-ban-1"))))
    guard = StreamAppend(stream="network-ban-1", expected_version=1)
    took(await store.append(ask(guard, part("record-p1"))))
    took(await store.append(ask(part("network-ban-1", 1))))
    assert isinstance(await store.append(ask(guard, part("record-p1", 1))), Conflict)


async def test_a_key_that_has_an_answer_wins_over_a_conflict(store: Store) -> None:
    """C03, C05: a retry gets the first answer, even when the version moved on; another principal's key is another key."""
    done = took(await store.append(ask(part("record-p1", count=2), idempotency=reply("k"))))
    again = await store.append(ask(part("record-p1", 0), idempotency=reply("k", b"other")))
    assert isinstance(again, Answered)
    assert (again.stored.reply, again.stored.status, again.stored.position) == (b'{"ok":true}', 201, done.last_position)
    assert await store.find_reply("admin-1", "k") == again.stored
    assert await store.find_reply("admin-2", "k") is None
    took(await store.append(ask(part("record-p1", 2), idempotency=reply("k", principal="admin-2"))))
    assert await store.head() == 3


async def test_one_key_fifty_times_at_once_is_recorded_once(store: Store) -> None:
    """C04: parallel repeats all get the one answer."""
    results = await asyncio.gather(*(store.append(ask(part(f"record-p{n}"), idempotency=reply("k"))) for n in range(50)))
    assert sum(isinstance(result, Appended) for result in results) == 1
    assert sum(isinstance(result, Answered) for result in results) == 49
    assert await store.head() == 1


async def test_a_request_without_events_keeps_its_answer_without_a_position(store: Store) -> None:
    """A command that changed nothing is answered the same way again."""
    done = took(await store.append(ask(idempotency=reply("k"), writes=(_standing("p1", 1),))))
    assert (done.first_position, done.last_position) == (0, 0)
    found = await store.find_reply("admin-1", "k")
    assert found is not None
    assert found.position is None
    assert await store.head() == 0


async def test_rows_are_written_with_their_slots_and_only_replace_older_ones(store: Store, rows: Rows) -> None:
    """E04: a projection row that comes late or twice changes nothing."""
    took(await store.append(ask(part("record-p1", count=2), writes=(_standing("p1", 2, Slot.LAST_POSITION),))))
    assert await rows("standing") == [("p1", 2, 2, b"{}")]
    took(await store.append(ask(part("record-p1", 2), writes=(_standing("p1", 1), _standing("p2", 5), _standing("p2", 4)))))
    assert await rows("standing") == [("p1", 2, 2, b"{}"), ("p2", 5, 0, b"{}")]


async def test_rows_are_deleted_by_key_and_the_last_write_of_a_request_counts(store: Store, rows: Rows) -> None:
    """The exemptions' table has nothing but its key."""
    free = TableWrite(table="network_exemptions", row=("nb1", "p1"))
    gone = TableWrite(table="network_exemptions", row=("nb1", "p1"), delete=True)
    took(await store.append(ask(writes=(free, TableWrite(table="network_exemptions", row=("nb1", "p2"))))))
    took(await store.append(ask(writes=(free,))))
    took(await store.append(ask(writes=(gone,))))
    assert await rows("network_exemptions") == [("nb1", "p2")]
    took(await store.append(ask(writes=(gone, free))))
    assert await rows("network_exemptions") == [("nb1", "p1"), ("nb1", "p2")]
    took(await store.append(ask(writes=(free, gone))))
    assert await rows("network_exemptions") == [("nb1", "p2")]


async def test_a_write_to_staff_moves_the_epoch_and_one_to_standing_does_not(store: Store) -> None:
    """What is kept in memory is keyed by the epoch, so a revocation counts at once."""
    before = await store.epoch()
    took(await store.append(ask(writes=(_standing("p1", 1),))))
    assert await store.epoch() == before
    took(await store.append(ask(writes=(TableWrite(table="staff", row=("s1", 1, "admin", None, True)),))))
    assert await store.epoch() == before + 1


async def test_outbox_items_carry_the_position_of_the_event_that_caused_them(store: Store, rows: Rows) -> None:
    """Several items of one event are numbered."""
    items = (
        OutboxItem(type="incident.decided", player_id="p1", data=b"1", event=0),
        OutboxItem(type="standing.changed", player_id="p1", data=b"2", event=1),
        OutboxItem(type="effect.ordered", player_id=None, data=b"3", event=1),
    )
    took(await store.append(ask(part("other-1"))))
    took(await store.append(ask(part("record-p1", count=2), outbox=items)))
    assert await rows("outbox") == [
        (2, 1, "incident.decided", "p1", b"1"),
        (3, 1, "standing.changed", "p1", b"2"),
        (3, 2, "effect.ordered", None, b"3"),
    ]


async def test_a_second_data_key_for_a_subject_is_a_conflict(store: Store) -> None:
    """What was encrypted under a key that is not kept could never be read: the command has to be decided again with the kept one."""
    took(await store.append(ask(part("record-p1"), data_keys=(DataKeyRow(subject="p1", wrapped=b"one"),))))
    late = await store.append(ask(part("network-ban-1"), data_keys=(DataKeyRow(subject="p1", wrapped=b"two"),)))
    assert late == Conflict(stream="data-key-p1", expected_version=0, actual_version=1)
    took(await store.append(ask(part("record-p1", 1), data_keys=(DataKeyRow(subject="p1", wrapped=b"one"),))))
    assert await store.data_keys(["p1", "p2"]) == {"p1": b"one"}


async def test_a_destroyed_data_key_is_gone_and_makes_room_for_a_new_one(store: Store) -> None:
    """Erasure: deleted in the transaction of an event; a conflict on that event leaves the key."""
    await store.append(ask(part("record-p1"), data_keys=(DataKeyRow(subject="p1", wrapped=b"old"), DataKeyRow(subject="p2", wrapped=b"other"))))
    destroy = (TableWrite(table="data_keys", row=("p1",), delete=True), TableWrite(table="data_keys", row=("nobody",), delete=True))
    assert isinstance(await store.append(ask(part("record-p1"), writes=destroy)), Conflict)
    assert await store.data_keys(["p1"]) == {"p1": b"old"}
    took(await store.append(ask(part("record-p1", expected=1), writes=destroy)))
    assert await store.data_keys(["p1", "p2"]) == {"p2": b"other"}
    took(await store.append(ask(part("record-p1", expected=2), data_keys=(DataKeyRow(subject="p1", wrapped=b"new"),))))
    assert await store.data_keys(["p1"]) == {"p1": b"new"}


async def test_the_leaf_hash_commits_to_every_field_of_the_envelope(store: Store) -> None:
    """SHA-256(0x00 || tag, then each field with its length), computed here a second time."""
    took(await store.append(ask(part("record-é1", count=2))))
    took(await store.append(ask(StreamAppend(stream="record-x", expected_version=0, events=(event(bytes(range(256))),)))))
    for stored in await store.read_log():
        assert stored.leaf_hash == _leaf(stored)


def _leaf(stored: StoredEvent) -> bytes:
    micros = (stored.recorded_at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    numbers = {"position": stored.position, "version": stored.version, "recorded_at": micros}
    canonical = b"simorg-leaf-v1\n"
    for name in ("position", "stream", "version", "type", "recorded_at", "command_id", "meta", "payload"):
        value = numbers[name].to_bytes(8, "big") if name in numbers else getattr(stored, name)
        raw = value if isinstance(value, bytes) else value.encode()
        canonical += len(raw).to_bytes(4, "big") + raw
    return hashlib.sha256(b"\x00" + canonical).digest()


async def test_what_no_store_can_record_is_refused_before_it_is_queued(store: Store) -> None:
    """Faults of the program are ValueErrors of the caller alone."""
    bad = (
        ask(part("record-p1"), part("record-p1")),
        ask(part("record-p1"), outbox=(OutboxItem(type="x", player_id=None, data=b"", event=1),)),
        ask(writes=(TableWrite(table="nowhere", row=()),)),
        ask(writes=(TableWrite(table="standing", row=("p1",)),)),
    )
    for request in bad:
        with pytest.raises(ValueError, match=r".+"):
            await store.append(request)
    assert await store.head() == 0


async def test_two_writers_for_one_version_have_one_winner_for_two_hundred_rounds(store: Store) -> None:
    """C01: never both; the loser is told the version that beat it."""
    for version in range(200):
        results = await asyncio.gather(*(store.append(ask(part("record-p1", version))) for _ in range(2)))
        assert sorted(type(result).__name__ for result in results) == ["Appended", "Conflict"]
    assert [e.version for e in await store.read("record-p1")] == list(range(1, 201))


def _standing(player_id: str, version: int, position: int | Slot = 0) -> TableWrite:
    return TableWrite(table="standing", row=(player_id, version, position, b"{}"))
