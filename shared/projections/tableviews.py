"""What streams write to which tables, and the rows held in memory, as a handler writes them with its events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter
from typing import Any, Generic, TypeVar

from msgspec import Struct

from shared.eventstore import batch as batches
from shared.eventstore.port import InlineTable, Slot, TableWrite

S = TypeVar("S")
Key = tuple[Any, ...]
Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Category(Generic[S]):
    """Streams of one kind: the beginning of their names, and how their events are folded."""

    prefix: str
    initial: S
    evolve: Callable[[S, Any], S]


class Step(Struct, Generic[S], frozen=True, kw_only=True):
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
    """What streams of a category write to a table; writes to other tables are passed over. `also` are categories whose states are asked for.

    `of` names the events without which a command writes nothing here (None: any may). `newest`: only the row of a stream's last state stays, which
    `writes` makes of the step's `key`, `after` and `version` alone; so it is made once, not after each command.
    """

    table: str
    category: Category[S]
    writes: Callable[[Step[S]], Iterable[TableWrite]]
    also: tuple[Category[Any], ...] = ()
    of: frozenset[type] | None = None
    newest: bool = False


class HeldTable:
    """A table's rows in memory."""

    __slots__ = ("_key", "_table", "changed", "rows")

    def __init__(self, table: InlineTable) -> None:
        self._table = table
        places = [table.order.index(name) for name in table.key]
        self._key: Callable[[Row], Key] = itemgetter(*places) if len(places) > 1 else itemgetter(slice(places[0], places[0] + 1))
        self.rows: dict[Key, Row] = {}
        self.changed: set[Key] = set()

    def write(self, write: TableWrite, position: int, recorded_at: datetime) -> None:
        """As the writer does it: upserted by key, an older version never over a newer one."""
        row = write.row
        for value in row:
            if value.__class__ is Slot:
                row = _filled(row, position, recorded_at)
                break
        if write.delete:
            self.rows.pop(row, None)
            self.changed.add(row)
            return
        key = self._key(row)
        held = self.rows.get(key)
        if held is None or batches.replaces(self._table, held, row, same_batch=False):
            self.rows[key] = row
            self.changed.add(key)


class _Views:
    """The views of one function: it is called once for all of them."""

    __slots__ = ("of", "tables", "writes")

    def __init__(self, views: Sequence[TableView[Any]], held: Mapping[str, HeldTable]) -> None:
        self.writes = views[0].writes
        self.tables = {view.table: held[view.table] for view in views}
        kinds = [view.of for view in views]
        self.of = None if None in kinds else frozenset().union(*[kind for kind in kinds if kind is not None])


class Kind:
    """A category with its views."""

    __slots__ = ("_by_type", "category", "each", "newest")

    def __init__(self, category: Category[Any], views: Iterable[TableView[Any]], held: Mapping[str, HeldTable]) -> None:
        self.category = category
        grouped: dict[tuple[Any, bool], list[TableView[Any]]] = {}
        for view in views:
            grouped.setdefault((view.writes, view.newest), []).append(view)
        self.newest = tuple(_Views(group, held) for (_, newest), group in grouped.items() if newest)
        self.each = tuple(_Views(group, held) for (_, newest), group in grouped.items() if not newest)
        self._by_type: dict[type, tuple[_Views, ...]] = {}

    def concerned(self, events: Sequence[Any]) -> tuple[_Views, ...]:
        """The views to which a command with these events may write, but for those of the newest state."""
        if len(events) > 1:
            types = {type(event) for event in events}
            return tuple(views for views in self.each if views.of is None or not types.isdisjoint(views.of))
        kind = type(events[0])
        found = self._by_type.get(kind)
        if found is None:
            found = self._by_type[kind] = tuple(views for views in self.each if views.of is None or kind in views.of)
        return found

    @staticmethod
    def write(several: Sequence[_Views], step: Step[Any], position: int, recorded_at: datetime) -> None:
        """What these views write after the step, a command that ended at `position`: all of it, or nothing when one of them raises."""
        found = []
        for views in several:
            for write in views.writes(step):
                table = views.tables.get(write.table)
                if table is not None:
                    found.append((table, write))
        for table, write in found:
            table.write(write, position, recorded_at)


def _filled(row: Row, position: int, recorded_at: datetime) -> Row:
    known = {Slot.LAST_POSITION: position, Slot.RECORDED_AT: recorded_at}
    return tuple([known[value] if isinstance(value, Slot) else value for value in row])


def kinds(views: Sequence[TableView[Any]], held: Mapping[str, HeldTable]) -> dict[str, Kind]:
    """The categories that these views fold, by the beginning of their streams' names."""
    categories = {category.prefix: category for view in views for category in (view.category, *view.also)}
    return {prefix: Kind(category, [view for view in views if view.category.prefix == prefix], held) for prefix, category in categories.items()}
