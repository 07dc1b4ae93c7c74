"""What is sent. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from msgspec import Struct

from shared.client.api.common.bodies import DiscretionBody, IncidentBody, NamedSanction


class AppealBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A participant appeals this decision."""

    player_id: str
    decision_id: str


class CancelBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Who takes their own problems back."""

    caller_id: str


class CategoryBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The right category."""

    category: str


class ContextBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where the game keeps what the admin reads on joining."""

    history_ref: str | None = None
    chat_ref: str | None = None


class DecisionBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A decision on the call. A penalty has an `incident`; a repair says that it is `possible_in_paper` (I-49)."""

    kind: Literal["no_action", "penalty", "repair", "ruling"]
    text: str
    sources: list[SourceBody] = []
    incident: IncidentBody | None = None
    possible_in_paper: bool | None = None
    from_history: bool | None = None


class IdleBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """At `at` (default now) the player had done nothing since `idle_since`."""

    player_id: str
    idle_since: datetime
    at: datetime | None = None


class MomentBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A prompt to a player, or their reply, at `at` (default now)."""

    player_id: str
    at: datetime | None = None


class PresenceBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Who left or came back."""

    player_id: str
    event: Literal["conceded", "disconnected", "quit", "returned"]


class PressBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A player presses the button, in a duel or in the lobby (then `duel_id` may be null)."""

    caller_id: str
    category: str
    message: str
    origin: Literal["duel", "lobby"]
    duel_id: str | None = None
    context: ContextBody | None = None


class ResolveBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The end of the call; `misuse` charges Call Admin Button Misuse on the caller (I-46)."""

    summary: str
    misuse: bool = False


class SourceBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a decision rests on. AI rulings are no source (I-19)."""

    kind: Literal["ai_ruling", "chat_log", "duel_history", "image", "official_ruling", "other", "screenshot", "statement"]
    ref: str | None = None


class TakeNextBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """From which queue; null: whichever call has been waiting for its turn longest."""

    category: str | None = None


class VerdictBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The last word on the decision under appeal. The further fields are for a penalty's incident, as in an appeal's decision (I-34, I-47)."""

    outcome: Literal["modified", "overturned", "upheld"]
    text: str
    sanctions: list[NamedSanction] | None = None
    strike: bool | None = None
    cascade: bool = True
    reassess: dict[str, DiscretionBody] | None = None
    player_version: int | None = None
