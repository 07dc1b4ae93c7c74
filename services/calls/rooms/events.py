"""What is recorded about a duel room. All moments are aware and in UTC; along one room they never go backwards."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomOpened:
    """The game server opened a duel room: `format` names the card pool, `kind` is `single` or `match`."""

    duel_id: str
    format: str
    kind: str
    players: tuple[str, ...]
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomChanged:
    """What the game server said of the room from now on, whole."""

    duel_id: str
    format: str
    kind: str
    players: tuple[str, ...]
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CallAttached:
    """This is the room's live call from now on; there is one at a time (I-41)."""

    call_id: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CallDetached:
    """The call has ended; the room may have a new one (Q05)."""

    call_id: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelPaused:
    """Play stops until an admin comes or the call is withdrawn; chat stays on (I-43)."""

    call_id: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelResumed:
    """Play goes on; `because` is `taken`, `withdrawn` (by the last participant), `ended`, or `nobody_left` (I-44)."""

    call_id: str
    at: datetime
    because: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AdminEntered:
    """The duel is under this admin from now on (I-50)."""

    call_id: str
    staff_id: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AdminLeft:
    """The duel is under no admin any more: released, resolved, or play resumed by their word (I-50)."""

    call_id: str
    staff_id: str
    at: datetime


RoomEvent = RoomOpened | RoomChanged | CallAttached | CallDetached | DuelPaused | DuelResumed | AdminEntered | AdminLeft
