"""Which events of a record count when one asks for a moment, a version, or what was known (contract, Standing)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from services.moderation.record.events import (
    AdjustmentReverted,
    IncidentReinstated,
    IpBanReimposed,
    ProxyBanReimposed,
    ProxyLiftReinstated,
    RecordEvent,
)
from services.moderation.record.state import INITIAL, RecordState, evolve
from shared.unreadable import UnreadableEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
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
    state, version = INITIAL, 0
    for recorded in events:
        if asked.at_version is not None and recorded.version > asked.at_version:
            break
        if asked.known_at is not None and recorded.recorded_at > asked.known_at:
            continue
        if asked.as_of is not None and recorded.event.at > asked.as_of:
            continue
        state, version = step(state, recorded), recorded.version
    return Folded(state=state, version=version)


def step(state: RecordState, recorded: Recorded) -> RecordState:
    """The state after a stored event. Raises `UnreadableEvent` for one that fits nothing before it: the record is unknown then, never clean (E06)."""
    try:
        return evolve(state, recorded.event)
    except LookupError as error:
        raise UnreadableEvent(recorded.position, type(recorded.event).__name__, "it is about something that the record does not hold") from error


def fold_all(events: Iterable[Recorded]) -> RecordState:
    """The state after all of the record."""
    state = INITIAL
    for recorded in events:
        state = step(state, recorded)
    return state


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
