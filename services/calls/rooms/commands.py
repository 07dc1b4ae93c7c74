"""What may be asked of a duel room. Time comes in with the command."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PutRoom:
    """The game server says what the room is."""

    duel_id: str
    format: str
    kind: str
    players: tuple[str, ...]
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleRoom:
    """Bring the room in line with a call: whether it is `live`, whether it asks for a pause, and which admin the duel is under.

    `because` says why play resumes, should it (see `DuelResumed`).
    """

    call_id: str
    live: bool
    pause: bool
    admin: str | None
    because: str
    at: datetime


RoomCommand = PutRoom | SettleRoom
