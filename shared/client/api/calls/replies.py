"""What comes back. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import Struct

from shared.client.api.common.replies import Incident, Standing


class Afk(Struct, frozen=True, kw_only=True):
    """What the record of idleness suggests (I-50); the finding is the admin's."""

    suggests: str | None
    players: list[Idle]


class Call(Struct, frozen=True, kw_only=True):
    """A call. `queue_position` counts from 1 while it is open; `stale`: it has waited long; `version` counts its events."""

    call_id: str
    state: str
    category: str
    duel_id: str | None
    origin: str
    caller_id: str
    players: list[str]
    ruling_authority: str | None
    opened_at: datetime
    pauses: bool
    problems: list[Problem]
    withdrawn_problems: list[Problem]
    taken_by: str | None
    lease_until: datetime | None
    takes: list[Take]
    presence: list[Presence]
    afk: Afk
    decisions: list[Decision]
    closed_at: datetime | None
    summary: str | None
    misuse: bool | None
    misuse_incident_id: str | None
    queue_position: int | None
    estimated_wait_seconds: int | None
    stale: bool
    version: int


class CallAppeal(Struct, frozen=True, kw_only=True):
    """The appeal of a decision; without an outcome it is open. `incident_appeal_id` is that of a penalty's incident, which can be previewed."""

    player_id: str
    at: datetime
    outcome: str | None
    decided_by: str | None
    decided_at: datetime | None
    text: str | None
    incident_appeal_id: str | None


class CallPage(Struct, frozen=True, kw_only=True):
    """Calls, oldest first."""

    items: list[Call]
    next_cursor: str | None


class CallReply(Call, frozen=True, kw_only=True):
    """The call after a command; `position` is null when nothing changed."""

    position: int | None


class AppealDecidedReply(CallReply, frozen=True, kw_only=True):
    """The call after the last word; `incident_appeal` is what it did to a penalty's incident."""

    incident_appeal: dict[str, Any] | None = None


class ChargedIncident(Incident, frozen=True, kw_only=True):
    """The incident that was decided with the call, and its player's standing after it; `version` is that player's."""

    standing: Standing
    version: int


class Context(Struct, frozen=True, kw_only=True):
    """Where the game keeps the duel's history and chat."""

    history_ref: str | None
    chat_ref: str | None


class DecidedReply(CallReply, frozen=True, kw_only=True):
    """The call after a decision; `incident` is that of a penalty."""

    decision_id: str
    incident: ChargedIncident | None


class Decision(Struct, frozen=True, kw_only=True):
    """A decision on the call; `ruling_authority` with rulings (I-48)."""

    decision_id: str
    kind: str
    decided_by: str
    at: datetime
    text: str | None
    ruling_authority: str | None
    sources: list[Source]
    possible_in_paper: bool | None
    from_history: bool | None
    incident_id: str | None
    player_id: str | None
    appeal: CallAppeal | None


class Idle(Struct, frozen=True, kw_only=True):
    """How long a player was idle at most, without pauses, and what that suggests."""

    player_id: str
    idle_seconds: float
    suggests: str | None


class Presence(Struct, frozen=True, kw_only=True):
    """Who left or came back."""

    player_id: str
    event: str
    at: datetime


class PressedReply(CallReply, frozen=True, kw_only=True):
    """The call that the button opened, or that the problem was added to."""

    joined_existing: bool


class Problem(Struct, frozen=True, kw_only=True):
    """A caller's problem. What they wrote is null in the replies of commands and once it was erased."""

    caller_id: str
    category: str
    origin: str
    participant: bool
    at: datetime
    withdrawn_at: datetime | None
    message: str | None
    context: Context | None


class Queue(Struct, frozen=True, kw_only=True):
    """One queue. `stale` calls have waited for five minutes or longer; `lapsed` ones are taken by somebody who fell silent."""

    category: str
    open: int
    oldest_opened_at: datetime | None
    median_wait_seconds: int | None
    stale: int
    lapsed: int


class Queues(Struct, frozen=True, kw_only=True):
    """All six queues."""

    items: list[Queue]


class ResolvedReply(CallReply, frozen=True, kw_only=True):
    """The call when it is over; `incident` is that of the misuse."""

    incident: ChargedIncident | None


class Source(Struct, frozen=True, kw_only=True):
    """What a decision rests on."""

    kind: str
    ref: str | None


class Take(Struct, frozen=True, kw_only=True):
    """Who took the call, and from whom they took it over."""

    staff_id: str
    at: datetime
    taken_over_from: str | None
