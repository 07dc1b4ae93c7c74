"""Read models from the log alone: what handlers write with their events, folded again command by command. Pure: no clock, no I/O, no effect (E03).

A handler writes a row from the states before and after its command. The log holds the same: the events of a command stand together, and their streams
folded up to there are those states. So each table is declared by the very function that writes it live.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeVar

from shared.eventstore.codec import Codec, UnreadableEvent
from shared.eventstore.envelope import StoredEvent
from shared.eventstore.port import InlineTable
from shared.projections.tableviews import Category, HeldTable, Key, Kind, Row, Step, TableView, kinds

__all__ = ["Category", "Folding", "Step", "TableView", "Unread"]

S = TypeVar("S")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """An event that can't be read or folded; its stream's rows stay as they were before it, which readers take for "not known" (E06)."""

    position: int
    type: str
    why: str


class _Stream:
    """Where a stream is: its state after the last command that was folded, and that command's end."""

    __slots__ = ("kind", "name", "position", "recorded_at", "state", "type", "version")

    def __init__(self, name: str, kind: Kind) -> None:
        self.name, self.kind, self.state, self.version = name, kind, kind.category.initial, 0
        self.position, self.recorded_at, self.type = 0, _EPOCH, ""


@dataclass(slots=True)
class Folding:
    """Folds a log into the rows of tables, held in memory: `rows[table][key]`. `changed` are the keys touched since it was last emptied.

    Both are complete after `end`.
    """

    codec: Codec
    views: Sequence[TableView[Any]]
    tables: Mapping[str, InlineTable]
    rows: dict[str, dict[Key, Row]] = field(init=False)
    changed: dict[str, set[Key]] = field(init=False)
    unread: list[Unread] = field(default_factory=list)
    position: int = 0
    _streams: dict[str, _Stream] = field(default_factory=dict)
    _broken: set[str] = field(default_factory=set)
    _kinds: dict[str, Kind] = field(init=False)
    _newest: dict[str, _Stream] = field(default_factory=dict)
    _open: list[StoredEvent] = field(default_factory=list)

    def __post_init__(self) -> None:
        held = {name: HeldTable(self.tables[name]) for name in dict.fromkeys(view.table for view in self.views)}
        self.rows = {name: table.rows for name, table in held.items()}
        self.changed = {name: table.changed for name, table in held.items()}
        self._kinds = kinds(self.views, held)

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
        for stream in self._newest.values():
            step = self._step(stream, stream.state, (), ())
            try:
                stream.kind.write(stream.kind.newest, step, stream.position, stream.recorded_at)
            except Exception as error:  # noqa: BLE001  as below
                self._break(stream.name, stream.position, stream.type, error)
        self._newest.clear()

    def _fold(self, command: Sequence[StoredEvent]) -> None:
        if len(command) == 1:
            self._fold_one(command[0])
            return
        touched: dict[str, tuple[_Stream, list[Any], Any, StoredEvent]] = {}
        for stored in command:
            stream = self._stream(stored.stream)
            if stream is None:
                continue
            _, events, state, _ = touched.get(stored.stream) or (None, [], stream.state, None)
            try:
                event = self.codec.decode(stored)
                state = stream.kind.category.evolve(state, event)
            except Exception as error:  # noqa: BLE001  one bad event stops nothing behind it (E06)
                self._break(stored.stream, stored.position, stored.type, error)
                touched.pop(stored.stream, None)
                continue
            events.append(event)
            touched[stored.stream] = stream, events, state, stored
        if touched:
            self._project(command[-1], touched)

    def _fold_one(self, stored: StoredEvent) -> None:
        """As for a command of several, which few are."""
        stream = self._streams.get(stored.stream) or self._stream(stored.stream)
        if stream is None or (self._broken and stored.stream in self._broken):
            return
        kind, before = stream.kind, (stream.state, stream.version)
        try:
            event = self.codec.decode(stored)
            stream.state, stream.version = kind.category.evolve(before[0], event), stored.version
            views = kind.concerned((event,))
            if views:
                kind.write(views, self._step(stream, before[0], (event,), (event,)), stored.position, stored.recorded_at)
        except Exception as error:  # noqa: BLE001  as above
            stream.state, stream.version = before
            self._break(stored.stream, stored.position, stored.type, error)
            return
        stream.position, stream.recorded_at, stream.type = stored.position, stored.recorded_at, stored.type
        if kind.newest:
            self._newest[stored.stream] = stream

    def _project(self, end: StoredEvent, touched: Mapping[str, tuple[_Stream, list[Any], Any, StoredEvent]]) -> None:
        """All streams of the command go on first: a view may ask for the state of any of them."""
        befores = []
        for stream, _, after, last in touched.values():
            befores.append((stream.state, stream.version, stream.position, stream.recorded_at, stream.type))
            stream.state, stream.version, stream.type = after, last.version, last.type
            stream.position, stream.recorded_at = end.position, end.recorded_at
        beside: tuple[Any, ...] = ()
        if len(touched) > 1:
            beside = tuple(event for _, events, _, _ in touched.values() for event in events)
        for before, (stream, events, _, last) in zip(befores, touched.values(), strict=True):
            kind = stream.kind
            views = kind.concerned(events)
            if views:
                step = self._step(stream, before[0], tuple(events), beside or tuple(events))
                try:
                    kind.write(views, step, end.position, end.recorded_at)
                except Exception as error:  # noqa: BLE001  as above
                    stream.state, stream.version, stream.position, stream.recorded_at, stream.type = before
                    self._break(stream.name, last.position, last.type, error)
                    continue
            if kind.newest:
                self._newest[stream.name] = stream

    def _step(self, stream: _Stream, before: Any, events: tuple[Any, ...], beside: tuple[Any, ...]) -> Step[Any]:
        return Step(
            key=stream.name[len(stream.kind.category.prefix) :],
            before=before,
            after=stream.state,
            events=events,
            version=stream.version,
            state=self._state,
            beside=beside,
        )

    def _state(self, category: Category[S], key: str) -> S:
        stream = self._streams.get(category.prefix + key)
        return category.initial if stream is None else stream.state

    def _stream(self, name: str) -> _Stream | None:
        """The stream, None when no view asks for it or it can't be read."""
        stream = self._streams.get(name)
        if stream is None:
            kind = self._kinds.get(name[: name.find("-") + 1])
            if kind is None:
                kind = next((kind for prefix, kind in self._kinds.items() if name.startswith(prefix)), None)
            if kind is None:
                return None
            stream = self._streams[name] = _Stream(name, kind)
        return None if name in self._broken else stream

    def _break(self, name: str, position: int, kind: str, error: Exception) -> None:
        self._broken.add(name)
        why = error.why if isinstance(error, UnreadableEvent) else type(error).__name__
        self.unread.append(Unread(position=position, type=kind, why=why))
