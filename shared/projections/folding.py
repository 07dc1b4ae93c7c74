"""Read models from the log alone: what handlers write with their events, folded again command by command. Pure: no clock, no I/O, no effect (E03).

A handler writes a row from the states before and after its command. The log holds the same: the events of a command stand together, and their streams
folded up to there are those states. So each table is declared by the very function that writes it live.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from shared.eventstore import batch as batches
from shared.eventstore.codec import Codec, UnreadableEvent
from shared.eventstore.envelope import StoredEvent
from shared.eventstore.port import Appended, InlineTable, TableWrite

S = TypeVar("S")
Key = tuple[Any, ...]
Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Category(Generic[S]):
    """Streams of one kind: the beginning of their names, and how their events are folded."""

    prefix: str
    initial: S
    evolve: Callable[[S, Any], S]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step(Generic[S]):
    """What one command did to one stream: `key` is the stream's name behind the prefix, `version` that of its last event now.

    `state` gives any other stream's state after the same command, by category and key; `beside` are all the command's events, of folded streams.
    """

    key: str
    before: S
    after: S
    events: tuple[Any, ...]
    version: int
    state: Callable[[Category[Any], str], Any]
    beside: tuple[Any, ...] = ()

    def versioned(self) -> Iterator[tuple[int, Any]]:
        """The events with their versions."""
        return enumerate(self.events, self.version - len(self.events) + 1)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TableView(Generic[S]):
    """What streams of a category write to a table; writes to other tables are passed over. `also` are categories whose states are asked for."""

    table: str
    category: Category[S]
    writes: Callable[[Step[S]], Iterable[TableWrite]]
    also: tuple[Category[Any], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """An event that can't be read or folded; its stream's rows stay as they were before it, which readers take for "not known" (E06)."""

    position: int
    type: str
    why: str


@dataclass(slots=True)
class _Stream:
    state: Any
    version: int = 0


@dataclass(slots=True)
class Folding:
    """Folds a log into the rows of tables, held in memory: `rows[table][key]`. `changed` are the keys touched since it was last emptied."""

    codec: Codec
    views: Sequence[TableView[Any]]
    tables: Mapping[str, InlineTable]
    rows: dict[str, dict[Key, Row]] = field(init=False)
    changed: dict[str, set[Key]] = field(init=False)
    unread: list[Unread] = field(default_factory=list)
    position: int = 0
    _streams: dict[str, _Stream] = field(default_factory=dict)
    _broken: set[str] = field(default_factory=set)
    _categories: dict[str, Category[Any]] = field(init=False)
    _by_category: dict[str, list[TableView[Any]]] = field(init=False)
    _open: list[StoredEvent] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rows = {view.table: {} for view in self.views}
        self.changed = {view.table: set() for view in self.views}
        self._categories = {category.prefix: category for view in self.views for category in (view.category, *view.also)}
        self._by_category = {prefix: [view for view in self.views if view.category.prefix == prefix] for prefix in self._categories}

    def add(self, events: Iterable[StoredEvent]) -> None:
        """Take the next events of the log; the last command is folded when it is known to be whole: with the next one, or by `end`."""
        for event in events:
            if event.position != self.position + 1:
                raise ValueError(f"the log goes on at {event.position} behind {self.position}")
            self.position = event.position
            if self._open and self._open[-1].command_id != event.command_id:
                self._fold(self._open)
                self._open = []
            self._open.append(event)

    def end(self) -> None:
        """The log ends here for now: commands are appended whole, so the last one is."""
        if self._open:
            self._fold(self._open)
            self._open = []

    def _fold(self, command: Sequence[StoredEvent]) -> None:
        touched: dict[str, tuple[Any, list[Any], Category[Any]]] = {}
        for stored in command:
            category = self._category(stored.stream)
            if category is None or stored.stream in self._broken:
                continue
            stream = self._streams.setdefault(stored.stream, _Stream(category.initial))
            try:
                event = self.codec.decode(stored)
                after = category.evolve(stream.state, event)
            except Exception as error:  # noqa: BLE001  one bad event stops nothing behind it (E06)
                self._break(stored, error)
                touched.pop(stored.stream, None)
                continue
            touched.setdefault(stored.stream, (stream.state, [], category))[1].append(event)
            stream.state, stream.version = after, stored.version
        if touched:
            self._project(command, touched)

    def _project(self, command: Sequence[StoredEvent], touched: Mapping[str, tuple[Any, list[Any], Category[Any]]]) -> None:
        last = command[-1]
        outcome = Appended(first_position=command[0].position, last_position=last.position, recorded_at=last.recorded_at)
        beside = tuple(event for _, events, _ in touched.values() for event in events)
        for name, (before, events, category) in touched.items():
            views = self._by_category[category.prefix]
            if not views:
                continue
            stream = self._streams[name]
            step = Step(
                key=name.removeprefix(category.prefix),
                before=before,
                after=stream.state,
                events=tuple(events),
                version=stream.version,
                state=self._state,
                beside=beside,
            )
            try:
                writes = [write for view in views for write in view.writes(step) if write.table == view.table]
            except Exception as error:  # noqa: BLE001  as above
                self._break(next(item for item in reversed(command) if item.stream == name), error)
                continue
            for write in writes:
                self._write(self.tables[write.table], write, outcome)

    def _write(self, table: InlineTable, write: TableWrite, outcome: Appended) -> None:
        """As the writer does it: upserted by key, an older version never over a newer one."""
        held, row = self.rows[table.name], batches.fill(write.row, outcome)
        if write.delete:
            held.pop(row, None)
            self.changed[table.name].add(row)
            return
        key = key_of(table, row)
        if key not in held or batches.replaces(table, held[key], row, same_batch=False):
            held[key] = row
            self.changed[table.name].add(key)

    def _state(self, category: Category[S], key: str) -> S:
        stream = self._streams.get(category.prefix + key)
        return category.initial if stream is None else stream.state

    def _category(self, stream: str) -> Category[Any] | None:
        found = self._categories.get(stream[: stream.find("-") + 1])
        if found is not None:
            return found
        return next((category for prefix, category in self._categories.items() if stream.startswith(prefix)), None)

    def _break(self, stored: StoredEvent, error: Exception) -> None:
        self._broken.add(stored.stream)
        why = error.why if isinstance(error, UnreadableEvent) else type(error).__name__
        self.unread.append(Unread(position=stored.position, type=stored.type, why=why))


def key_of(table: InlineTable, row: Row) -> Key:
    """The row's key."""
    return tuple(row[table.order.index(name)] for name in table.key)
