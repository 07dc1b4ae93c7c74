"""What comes in over HTTP about calls."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from services.moderation.api import DiscretionBody, IncidentBody, NamedSanction
from shared.http.types import GameId, PageQuery, Reason, ShortText, Slug, Text4000, Utc, Uuid, Version

MAX_SOURCES = 20
Presence = Literal["quit", "disconnected", "conceded", "returned"]
SourceKind = Literal["chat_log", "duel_history", "screenshot", "image", "statement", "official_ruling", "other", "ai_ruling"]
CallStateName = Literal["open", "taken", "resolved", "cancelled", "appealed"]


class ContextBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Where the game keeps what the admin reads on joining."""

    history_ref: ShortText | None = None
    chat_ref: ShortText | None = None


class PressBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A player presses the button, in a duel or in the lobby (then `duel_id` may be null)."""

    caller_id: GameId
    category: Slug
    message: Text4000
    origin: Literal["duel", "lobby"]
    duel_id: GameId | None = None
    context: ContextBody | None = None


class CancelBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Who takes their own problems back."""

    caller_id: GameId


class CategoryBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The right category."""

    category: Slug


class TakeNextBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """From which queue; null: whichever call has been waiting for its turn longest."""

    category: Slug | None = None


class PresenceBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Who left or came back."""

    player_id: GameId
    event: Presence


class IdleBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """At `at` (default now) the player had done nothing since `idle_since`."""

    player_id: GameId
    idle_since: Utc
    at: Utc | None = None


class MomentBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A prompt to a player, or their reply, at `at` (default now)."""

    player_id: GameId
    at: Utc | None = None


class SourceBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """What a decision rests on. AI rulings are no source (I-19)."""

    kind: SourceKind
    ref: ShortText | None = None


class DecisionBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A decision on the call. A penalty has an `incident`; a repair says that it is `possible_in_paper` (I-49)."""

    kind: Literal["ruling", "penalty", "repair", "no_action"]
    text: Reason
    sources: Annotated[list[SourceBody], Meta(max_length=MAX_SOURCES)] = msgspec.field(default_factory=list)
    incident: IncidentBody | None = None
    possible_in_paper: bool | None = None
    from_history: bool | None = None


class AppealBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A participant appeals this decision."""

    player_id: GameId
    decision_id: Uuid


class VerdictBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The last word on the decision under appeal. The further fields are for a penalty's incident, as in an appeal's decision (I-34, I-47)."""

    outcome: Literal["upheld", "overturned", "modified"]
    text: Reason
    sanctions: Annotated[list[NamedSanction], Meta(max_length=9)] | None = None
    strike: bool | None = None
    cascade: bool = True
    reassess: Annotated[dict[str, DiscretionBody], Meta(max_length=200)] | None = None
    player_version: Version | None = None


class ResolveBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The end of the call; `misuse` charges Call Admin Button Misuse on the caller (I-46)."""

    summary: Text4000
    misuse: bool = False


class CallsQuery(PageQuery, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Which calls."""

    state: CallStateName | None = None
    category: Slug | None = None
