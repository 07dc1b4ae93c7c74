"""What is recorded about a call. All moments are aware and in UTC; along one call `at`, the service's own time, never goes backwards.

What people wrote is personal: it is encrypted under the data key of `subject`, the player whom it is from or about.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemWords:
    """What a caller wrote, and where the game keeps the duel's history and chat for whoever joins."""

    message: str
    history_ref: str | None = None
    chat_ref: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What a member of staff wrote; `refs` are where the sources stand, in their order."""

    text: str
    refs: tuple[str | None, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CallOpened:
    """A player pressed the button. `duel_id` is None from the lobby; `participant`: the caller plays in the duel, whose `players` these are.

    `ruling_authority` is that of the duel's format (I-48). `subject` is the caller.
    """

    call_id: str
    duel_id: str | None
    players: tuple[str, ...]
    ruling_authority: str | None
    subject: str
    category: str
    origin: str
    participant: bool
    at: datetime
    words: ProblemWords | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemAdded:
    """Another problem was added to the live call (I-41). `subject` is its caller."""

    subject: str
    category: str
    origin: str
    participant: bool
    at: datetime
    words: ProblemWords | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemsWithdrawn:
    """A caller took all of their own problems back (I-41, I-42)."""

    caller_id: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CallCancelled:
    """No problem is left, and nobody had taken the call."""

    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTaken:
    """An admin has the call until `lease_until`, or longer by signs of life. `previous` is whom they took it over from, past that one's lease."""

    staff_id: str
    role: str
    lease_until: datetime
    at: datetime
    previous: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaseRenewed:
    """A sign of life of the taker."""

    staff_id: str
    lease_until: datetime
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CallReleased:
    """The taker put the call back, to the head of its queue (I-45)."""

    staff_id: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PresenceNoted:
    """A player quit, disconnected, conceded, or returned (I-44)."""

    player_id: str
    presence: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class IdleNoted:
    """The game server saw at `seen_at` that the player had done nothing since `idle_since` (I-50)."""

    player_id: str
    idle_since: datetime
    seen_at: datetime
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPrompted:
    """The taker asked the player at `prompted_at` whether they are there (I-50)."""

    player_id: str
    staff_id: str
    prompted_at: datetime
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerReplied:
    """The player answered at `replied_at` (I-50)."""

    player_id: str
    replied_at: datetime
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryCorrected:
    """The taker corrected the category; nothing else changes (I-46)."""

    staff_id: str
    before: str
    category: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionMade:
    """A decision of the taker: `ruling`, `penalty`, `repair` or `no_action` (I-47). `sources` are kinds.

    `ruling_authority` is recorded with rulings (I-48). A penalty names its incident and the `player_id` it is against. `subject` is the penalised
    player, else the first caller.
    """

    decision_id: str
    kind: str
    staff_id: str
    role: str
    subject: str
    at: datetime
    ruling_authority: str | None = None
    sources: tuple[str, ...] = ()
    incident_id: str | None = None
    player_id: str | None = None
    possible_in_paper: bool | None = None
    from_history: bool | None = None
    words: Words | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionAppealed:
    """A participant appealed a decision (I-47). `record_appeal_id` is the appeal of the incident behind a penalty."""

    decision_id: str
    player_id: str
    at: datetime
    record_appeal_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallAppealDecided:
    """Another Senior or Head Admin had the last word, and has the call from now on (I-47). `subject` is that of the decision."""

    decision_id: str
    outcome: str
    staff_id: str
    role: str
    subject: str
    lease_until: datetime
    at: datetime
    words: Words | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayResumed:
    """The taker let the players go on; the call stays taken (I-50)."""

    staff_id: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CallResolved:
    """The taker closed the call. With `misuse` the caller `charged` got this incident (I-46). `subject` is that caller, else the first."""

    staff_id: str
    subject: str
    misuse: bool
    at: datetime
    charged: str | None = None
    incident_id: str | None = None
    words: Words | None = None


CallEvent = (
    CallOpened
    | ProblemAdded
    | ProblemsWithdrawn
    | CallCancelled
    | CallTaken
    | LeaseRenewed
    | CallReleased
    | PresenceNoted
    | IdleNoted
    | PlayerPrompted
    | PlayerReplied
    | CategoryCorrected
    | DecisionMade
    | DecisionAppealed
    | CallAppealDecided
    | PlayResumed
    | CallResolved
)
PersonalEvent = CallOpened | ProblemAdded | DecisionMade | CallAppealDecided | CallResolved
"""Those with `words` of a `subject`."""
