"""The body of an incident as an ordinary FastAPI application would declare it, for the side that validates and does nothing."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints

from shared.http.types import GAME_ID_PATTERN, MAX_TEXT, UUID_PATTERN

_END = r"\Z", r"\z"  # pydantic's patterns are those of Rust

GameId = Annotated[str, StringConstraints(pattern=GAME_ID_PATTERN.replace(*_END))]
Short = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Text = Annotated[str, StringConstraints(max_length=MAX_TEXT)]
Kind = Literal["in_duel_warning", "game_loss", "match_loss", "warning", "ban", "permanent_ban", "ip_ban", "stats_reset", "cosmetic_removal"]
EvidenceKind = Literal["chat_log", "duel_history", "screenshot", "image", "statement", "official_ruling", "other", "ai_ruling"]
Days = Annotated[int, Field(strict=True, ge=1, le=3650)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Sanction(_Strict):
    """As `NamedSanction`."""

    kind: Kind
    days: Days | None = None


class Discretion(_Strict):
    """As `DiscretionBody`."""

    days: Days | None = None
    permanent: bool | None = None
    outcome: Literal["game_loss", "match_loss"] | None = None
    ip_ban: bool | None = None
    upgrade: bool | None = None
    warning_ignored: bool | None = None


class Offense(_Strict):
    """As `OffenseBody`."""

    infraction: Short
    description: Text | None = None
    variant: Short | None = None
    discretion: Discretion | None = None
    alts: Annotated[list[GameId], Field(max_length=50)] | None = None
    evasion: bool | None = None
    networks: Annotated[list[Short], Field(max_length=50)] | None = None
    sanctions: Annotated[list[Sanction], Field(max_length=9)] | None = None
    strike: bool | None = None


class Evidence(_Strict):
    """As `EvidenceBody`."""

    kind: EvidenceKind
    ref: Short | None = None
    text: Text | None = None
    sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")] | None = None


class Incident(_Strict):
    """As `IncidentBody`."""

    player_id: GameId
    offenses: Annotated[list[Offense], Field(min_length=1, max_length=20)]
    occurred_at: AwareDatetime | None = None
    duel_id: GameId | None = None
    call_id: Annotated[str, StringConstraints(pattern=UUID_PATTERN.replace(*_END))] | None = None
    external_id: Short | None = None
    notify: bool = True
    evidence: Annotated[list[Evidence], Field(max_length=50)] = []
    internal_note: Text | None = None
