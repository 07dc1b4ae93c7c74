"""Which events of a record count when one asks for a moment, a version, or what was known (contract, Standing)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from msgspec import Struct

from services.moderation.record.events import (
    AdjustmentReverted,
    IncidentReinstated,
    IpBanReimposed,
    ProxyBanReimposed,
    ProxyLiftReinstated,
    RecordEvent,
)
from services.moderation.record.state import RecordState, evolve, fold
from shared.unreadable import UnreadableEvent


class Recorded(Struct, frozen=True, kw_only=True, gc=False):
    """A decoded event with what the log says of it."""

    event: RecordEvent
    version: int
    position: int
    recorded_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """From which events a standing is wanted: decided by `as_of`, recorded by `known_at`, up to `at_version`; None: no limit."""

    as_of: datetime | None = None
    known_at: datetime | None = None
    at_version: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """The state of a part of a record, and the version of its last event in that part."""

    state: RecordState
    version: int


def fold_asked(events: Iterable[Recorded], asked: Asked) -> Folded:
    """Fold the events that count.

    A later lift or correction of something has not happened yet at an earlier `as_of`; an import counts from its own decision on.
    """
    counting = list(_counting(events, asked))
    return Folded(state=fold_all(counting), version=counting[-1].version if counting else 0)


def _counting(events: Iterable[Recorded], asked: Asked) -> Iterator[Recorded]:
    for recorded in events:
        if asked.at_version is not None and recorded.version > asked.at_version:
            return
        if asked.known_at is not None and recorded.recorded_at > asked.known_at:
            continue
        if asked.as_of is None or recorded.event.at <= asked.as_of:
            yield recorded


def step(state: RecordState, recorded: Recorded) -> RecordState:
    """The state after a stored event. Raises `UnreadableEvent` for one that fits nothing before it: the record is unknown then, never clean (E06)."""
    try:
        return evolve(state, recorded.event)
    except LookupError as error:
        raise _unfitting(recorded) from error


def fold_all(events: Iterable[Recorded]) -> RecordState:
    """The state after all of the record. Raises `UnreadableEvent` as `step` does."""
    last: Recorded | None = None

    def each() -> Iterator[RecordEvent]:
        nonlocal last
        for last in events:
            yield last.event

    try:
        return fold(each())
    except LookupError as error:
        if last is None:
            raise
        raise _unfitting(last) from error


def _unfitting(recorded: Recorded) -> UnreadableEvent:
    return UnreadableEvent(recorded.position, type(recorded.event).__name__, "it is about something that the record does not hold")


UNDOING = (AdjustmentReverted, IpBanReimposed, ProxyBanReimposed, IncidentReinstated, ProxyLiftReinstated)


def settled(events: Sequence[Recorded]) -> list[Recorded]:
    """The events without those that a rollback or its reversal undid, and without these themselves: what a record is told again from.

    Read from the end, so that what was undone is known not to undo anything.
    """
    gone: set[int] = set()
    left: list[Recorded] = []
    for recorded in reversed(events):
        if isinstance(recorded.event, UNDOING):
            if recorded.version not in gone:
                gone.update(recorded.event.undoes)
        elif recorded.version not in gone:
            left.append(recorded)
    left.reverse()
    return left
