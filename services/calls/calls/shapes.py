"""The shapes of replies, for the API description and the typed client. Handlers build plain JSON; a test compares the two."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

import msgspec

from services.calls.calls.bodies import CallStateName, Presence
from services.moderation.api import IncidentShape, StandingShape

Suggestion = Literal["slow-play-minor", "slow-play-major"]
Outcome = Literal["upheld", "overturned", "modified"]


class ContextShape(msgspec.Struct, frozen=True, kw_only=True):
    """Where the game keeps the duel's history and chat."""

    history_ref: str | None
    chat_ref: str | None


class ProblemShape(msgspec.Struct, frozen=True, kw_only=True):
    """A caller's problem. What they wrote is null in the replies of commands and once it was erased."""

    caller_id: str
    category: str
    origin: Literal["duel", "lobby"]
    participant: bool
    at: datetime
    withdrawn_at: datetime | None
    message: str | None
    context: ContextShape | None


class TakeShape(msgspec.Struct, frozen=True, kw_only=True):
    """Who took the call, and from whom they took it over."""

    staff_id: str
    at: datetime
    taken_over_from: str | None


class PresenceShape(msgspec.Struct, frozen=True, kw_only=True):
    """Who left or came back."""

    player_id: str
    event: Presence
    at: datetime


class IdleShape(msgspec.Struct, frozen=True, kw_only=True):
    """How long a player was idle at most, without pauses, and what that suggests."""

    player_id: str
    idle_seconds: float
    suggests: Suggestion | None


class AfkShape(msgspec.Struct, frozen=True, kw_only=True):
    """What the record of idleness suggests (I-50); the finding is the admin's."""

    suggests: Suggestion | None
    players: list[IdleShape]


class SourceShape(msgspec.Struct, frozen=True, kw_only=True):
    """What a decision rests on."""

    kind: str
    ref: str | None


class CallAppealShape(msgspec.Struct, frozen=True, kw_only=True):
    """The appeal of a decision; without an outcome it is open. `incident_appeal_id` is that of a penalty's incident, which can be previewed."""

    player_id: str
    at: datetime
    outcome: Outcome | None
    decided_by: str | None
    decided_at: datetime | None
    text: str | None
    incident_appeal_id: str | None


class DecisionShape(msgspec.Struct, frozen=True, kw_only=True):
    """A decision on the call; `ruling_authority` with rulings (I-48)."""

    decision_id: str
    kind: Literal["ruling", "penalty", "repair", "no_action"]
    decided_by: str
    at: datetime
    text: str | None
    ruling_authority: Literal["TCG", "OCG"] | None
    sources: list[SourceShape]
    possible_in_paper: bool | None
    from_history: bool | None
    incident_id: str | None
    player_id: str | None
    appeal: CallAppealShape | None


class CallShape(msgspec.Struct, frozen=True, kw_only=True):
    """A call. `queue_position` counts from 1 while it is open; `stale`: it has waited long; `version` counts its events."""

    call_id: str
    state: CallStateName
    category: str
    duel_id: str | None
    origin: Literal["duel", "lobby"]
    caller_id: str
    players: list[str]
    ruling_authority: Literal["TCG", "OCG"] | None
    opened_at: datetime
    pauses: bool
    problems: list[ProblemShape]
    withdrawn_problems: list[ProblemShape]
    taken_by: str | None
    lease_until: datetime | None
    takes: list[TakeShape]
    presence: list[PresenceShape]
    afk: AfkShape
    decisions: list[DecisionShape]
    closed_at: datetime | None
    summary: str | None
    misuse: bool | None
    misuse_incident_id: str | None
    queue_position: int | None
    estimated_wait_seconds: int | None
    stale: bool
    version: int


class CallReply(CallShape, frozen=True, kw_only=True):
    """The call after a command; `position` is null when nothing changed."""

    position: int | None


class PressedReply(CallReply, frozen=True, kw_only=True):
    """The call that the button opened, or that the problem was added to."""

    joined_existing: bool


class ChargedIncident(IncidentShape, frozen=True, kw_only=True):
    """The incident that was decided with the call, and its player's standing after it; `version` is that player's."""

    standing: StandingShape
    version: int


class DecidedReply(CallReply, frozen=True, kw_only=True):
    """The call after a decision; `incident` is that of a penalty."""

    decision_id: str
    incident: ChargedIncident | None


class AppealDecidedReply(CallReply, frozen=True, kw_only=True, omit_defaults=True):
    """The call after the last word; `incident_appeal` is what it did to a penalty's incident."""

    incident_appeal: dict[str, Any] | None = None


class ResolvedReply(CallReply, frozen=True, kw_only=True):
    """The call when it is over; `incident` is that of the misuse."""

    incident: ChargedIncident | None


class CallPage(msgspec.Struct, frozen=True, kw_only=True):
    """Calls, oldest first."""

    items: list[CallShape]
    next_cursor: str | None


class QueueShape(msgspec.Struct, frozen=True, kw_only=True):
    """One queue. `stale` calls have waited for five minutes or longer; `lapsed` ones are taken by somebody who fell silent."""

    category: str
    open: int
    oldest_opened_at: datetime | None
    median_wait_seconds: int | None
    stale: int
    lapsed: int


class QueuesShape(msgspec.Struct, frozen=True, kw_only=True):
    """All six queues."""

    items: list[QueueShape]
