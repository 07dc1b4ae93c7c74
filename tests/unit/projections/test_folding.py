"""Rows folded from the log: command by command, last position and versions as the writer has them, and bad events hold up nobody."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import pytest
from msgspec.structs import replace

from shared.eventstore.codec import Codec
from shared.eventstore.envelope import NewEvent, StoredEvent
from shared.eventstore.memory import MemoryEventStore
from shared.eventstore.port import AppendRequest, InlineTable, Slot, StreamAppend, TableWrite
from shared.eventstore.registry import EventRegistry
from shared.projections.canonical import drift_of
from shared.projections.folding import Category, Folding, Step, TableView


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Emptied:
    pass


def total(state: int, event: Any) -> int:
    return 0 if isinstance(event, Emptied) else state + int(event.amount)


COLUMNS = {"key": "text", "version": "integer", "position": "bigint", "total": "integer"}
TOTALS = InlineTable(name="totals", columns=COLUMNS, key=("key",), version_column="version")
JARS = Category(prefix="jar-", initial=0, evolve=total)


def rows(step: Step[int]) -> list[TableWrite]:
    if step.after == 0:
        return [TableWrite(table="totals", row=(step.key,), delete=True)]
    return [TableWrite(table="totals", row=(step.key, step.version, Slot.LAST_POSITION, step.after)), TableWrite(table="other", row=())]


VIEWS = (TableView(table="totals", category=JARS, writes=rows),)


def codec() -> Codec:
    registry = EventRegistry()
    registry.register("jar.added", 1, Added)
    registry.register("jar.emptied", 1, Emptied)
    return Codec(registry)


async def log(*commands: dict[str, list[object]]) -> list[StoredEvent]:
    """The log after these commands, each with its events by stream."""
    store, encode = MemoryEventStore(), codec().encode
    versions: dict[str, int] = {}
    for number, command in enumerate(commands):
        appends = []
        for stream, events in command.items():
            version = versions.get(stream, 0)
            stored = [encode(event, stream=stream, version=version + n) for n, event in enumerate(events, 1)]
            new = tuple(NewEvent(type=name, payload=payload, meta=b"{}") for name, payload in stored)
            appends.append(StreamAppend(stream=stream, expected_version=version, events=new))
            versions[stream] = version + len(events)
        await store.append(AppendRequest(command_id=f"c{number}", appends=tuple(appends)))
    return await store.read_log(limit=1000)


def folded(events: list[StoredEvent], *, page: int = 1000) -> Folding:
    folding = Folding(codec=codec(), views=VIEWS, tables={"totals": TOTALS})
    for start in range(0, len(events), page):
        folding.add(events[start : start + page])
    folding.end()
    return folding


COMMANDS: tuple[dict[str, list[object]], ...] = (
    {"jar-a": [Added(amount=1), Added(amount=2)], "jar-b": [Added(amount=5)]},
    {"lid-a": [Added(amount=9)]},
    {"jar-a": [Added(amount=4)]},
    {"jar-c": [Added(amount=1)]},
    {"jar-c": [Emptied()]},
)


async def test_a_row_is_that_of_the_state_after_each_command() -> None:
    """The position is that of the command's last event, in whatever stream; a deleted row is gone."""
    folding = folded(await log(*COMMANDS))
    assert folding.rows == {"totals": {("a",): ("a", 3, 5, 7), ("b",): ("b", 1, 3, 5)}}
    assert folding.changed["totals"] == {("a",), ("b",), ("c",)}


@pytest.mark.parametrize("page", [1, 2, 3, 4])
async def test_pages_may_cut_a_command_in_two(page: int) -> None:
    events = await log(*COMMANDS)
    assert folded(events, page=page).rows == folded(events).rows


async def test_a_gap_in_the_log_is_noticed() -> None:
    events = await log(*COMMANDS)
    with pytest.raises(ValueError, match="goes on at 3"):
        folded([events[0], events[2]])


@pytest.mark.parametrize("bad", [{"type": "jar.cracked.v1"}, {"payload": b"{}"}, {"payload": b"broken"}])
async def test_e06_a_bad_event_stops_its_stream_alone_and_is_told_once(bad: dict[str, Any]) -> None:
    """E06: the rows of its stream stay as they were before it; everybody else's are built."""
    events = await log(*COMMANDS, {"jar-a": [Added(amount=1)]}, {"jar-b": [Added(amount=1)]})
    events[4] = replace(events[4], **bad)
    folding = folded(events)
    assert folding.rows["totals"] == {("a",): ("a", 2, 3, 3), ("b",): ("b", 2, 9, 6)}
    assert [(unread.position, unread.type) for unread in folding.unread] == [(5, events[4].type)]


@pytest.mark.parametrize("bad", [None, 4, 5, 6])
async def test_rows_of_the_newest_state_made_once_are_those_made_after_each_command(bad: int | None) -> None:
    """Also where a stream can't be read any more (E06): the row is that of its last good command, even when the bad event ended a longer one."""
    events = await log(*COMMANDS[:3], {"jar-a": [Added(amount=1), Added(amount=1)]}, {"jar-b": [Added(amount=1)], "jar-c": [Added(amount=2)]})
    if bad is not None:
        events[bad] = replace(events[bad], payload=b"broken")
    each, once = folded(events), Folding(codec=codec(), views=(dataclasses.replace(VIEWS[0], newest=True),), tables={"totals": TOTALS})
    for event in events:
        once.add([event])
        if event.position == 4:
            once.end()
    once.end()
    assert once.rows == each.rows
    assert once.unread == each.unread


async def test_a_row_that_can_not_be_made_stays_as_it_was() -> None:
    """E06, in the other place where it can show."""

    def picky(step: Step[int]) -> list[TableWrite]:
        if step.after == 7:
            raise ValueError
        return rows(step)

    events = await log(*COMMANDS, {"jar-a": [Added(amount=1)]})
    for newest in (False, True):
        folding = Folding(codec=codec(), views=(TableView(table="totals", category=JARS, writes=picky, newest=newest),), tables={"totals": TOTALS})
        for event in events:
            folding.add([event])
            if event.position >= 3:  # the first command has three events
                folding.end()
        assert folding.rows["totals"]["a",] == ("a", 2, 3, 3)
        assert [(unread.position, unread.type, unread.why) for unread in folding.unread] == [(5, "jar.added.v1", "ValueError")]


async def test_a_view_is_not_asked_about_events_that_it_does_not_name() -> None:
    asked: list[tuple[Any, ...]] = []

    def heard(step: Step[int]) -> list[TableWrite]:
        asked.append(step.events)
        return []

    view = TableView(table="totals", category=JARS, writes=heard, of=frozenset({Emptied}))
    folding = Folding(codec=codec(), views=(view,), tables={"totals": TOTALS})
    folding.add(await log(*COMMANDS, {"jar-a": [Added(amount=1), Emptied()]}))
    folding.end()
    assert asked == [(Emptied(),), (Added(amount=1), Emptied())]


async def test_e04_a_log_told_twice_is_refused_rather_than_counted_twice() -> None:
    """E04."""
    events = await log(*COMMANDS)
    with pytest.raises(ValueError, match="goes on at 1"):
        folded(events + events)


def test_a_drift_is_named_by_kind_and_key() -> None:
    log_rows = {("a",): ("a", 1, 1, 1), ("b",): ("b", 1, 2, 2)}
    assert drift_of(TOTALS, log_rows, dict(log_rows)) is None
    drift = drift_of(TOTALS, log_rows, {("a",): ("a", 1, 1, 7), ("c",): ("c", 1, 3, 3)})
    assert drift is not None
    assert (drift.missing, drift.extra, drift.different, drift.keys) == (1, 1, 1, ("a", "b", "c"))
    assert drift.log.sha256 != drift.live.sha256
