"""What may be asked of a call. Time, ids and looked-up facts come in with the command."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from services.calls.calls.events import ProblemWords, Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Staff:
    """Who acts: staff id, level, and their own player account, None without one."""

    staff_id: str
    role: str
    player_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PressButton:
    """A player calls an admin: opens `call_id`, or adds a problem to the call that it is decided on.

    `players` are those of the duel `duel_id`, none from the lobby; `banned` whether a ban of the caller runs.
    """

    call_id: str
    caller_id: str
    category: str
    origin: str
    at: datetime
    words: ProblemWords
    duel_id: str | None = None
    players: tuple[str, ...] = ()
    ruling_authority: str | None = None
    banned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdraw:
    """A caller takes their own problems back."""

    caller_id: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Take:
    """An admin takes the call for as long as `lease`, longer by signs of life."""

    by: Staff
    at: datetime
    lease: timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class Heartbeat:
    """The taker is there."""

    by: Staff
    at: datetime
    lease: timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """The taker puts the call back."""

    by: Staff
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class NotePresence:
    """A player left or came back."""

    player_id: str
    presence: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteIdle:
    """A player was seen idle; `seen_at` None: now."""

    player_id: str
    idle_since: datetime
    at: datetime
    seen_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NotePrompt:
    """The taker asked a player whether they are there; `prompted_at` None: now."""

    player_id: str
    by: Staff
    at: datetime
    prompted_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteReply:
    """A player answered; `replied_at` None: now."""

    player_id: str
    at: datetime
    replied_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectCategory:
    """The taker corrects the category."""

    category: str
    by: Staff
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Decide:
    """The taker decides. A penalty comes with its incident, which is decided in the same transaction, and the player it is against."""

    decision_id: str
    kind: str
    by: Staff
    at: datetime
    words: Words
    sources: tuple[str, ...] = ()
    incident_id: str | None = None
    player_id: str | None = None
    possible_in_paper: bool | None = None
    from_history: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AppealDecision:
    """A participant appeals a decision."""

    decision_id: str
    player_id: str
    at: datetime
    record_appeal_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DecideCallAppeal:
    """Another Senior or Head Admin has the last word."""

    outcome: str
    by: Staff
    at: datetime
    lease: timedelta
    words: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class ResumePlay:
    """The taker lets the players go on."""

    by: Staff
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolve:
    """The taker closes the call; with `incident_id` the misuse of the button is charged as that incident."""

    by: Staff
    at: datetime
    words: Words
    misuse: bool = False
    incident_id: str | None = None


CallCommand = (
    PressButton
    | Withdraw
    | Take
    | Heartbeat
    | Release
    | NotePresence
    | NoteIdle
    | NotePrompt
    | NoteReply
    | CorrectCategory
    | Decide
    | AppealDecision
    | DecideCallAppeal
    | ResumePlay
    | Resolve
)
