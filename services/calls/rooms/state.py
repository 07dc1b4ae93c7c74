"""A duel room as its rules see it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import assert_never

from services.calls.rooms.events import (
    AdminEntered,
    AdminLeft,
    CallAttached,
    CallDetached,
    DuelPaused,
    DuelResumed,
    RoomChanged,
    RoomEvent,
    RoomOpened,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """A stretch of time in which play stood still; `until` is None while it does."""

    since: datetime
    until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomState:
    """`version` counts the room's events, 0: no such room. `call_id` is the live call, `admin` whom the duel is under. `pauses` are in order."""

    version: int = 0
    duel_id: str = ""
    format: str = ""
    kind: str = ""
    players: tuple[str, ...] = ()
    call_id: str | None = None
    admin: str | None = None
    pauses: tuple[Pause, ...] = ()
    last_at: datetime | None = None

    @property
    def exists(self) -> bool:
        """Whether the game server ever opened it."""
        return self.version > 0

    @property
    def paused(self) -> bool:
        """Whether play stands still now."""
        return bool(self.pauses) and self.pauses[-1].until is None

    def moment(self, at: datetime) -> datetime:
        """`at`, but never before what is recorded already."""
        return at if self.last_at is None else max(at, self.last_at)


INITIAL = RoomState()


def evolve(state: RoomState, event: RoomEvent) -> RoomState:
    """The room after the event."""
    state = replace(state, version=state.version + 1, last_at=event.at)
    match event:
        case RoomOpened() | RoomChanged():
            return replace(state, duel_id=event.duel_id, format=event.format, kind=event.kind, players=event.players)
        case CallAttached():
            return replace(state, call_id=event.call_id)
        case CallDetached():
            return replace(state, call_id=None)
        case DuelPaused():
            return replace(state, pauses=(*state.pauses, Pause(since=event.at)))
        case DuelResumed():
            return replace(state, pauses=(*state.pauses[:-1], replace(state.pauses[-1], until=event.at)))
        case AdminEntered():
            return replace(state, admin=event.staff_id)
        case AdminLeft():
            return replace(state, admin=None)
        case _:
            assert_never(event)
