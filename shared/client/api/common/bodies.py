"""What is sent. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from msgspec import Struct


class DiscretionBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The decider's choice where the table leaves one (I-6, I-8)."""

    days: int | None = None
    permanent: bool | None = None
    outcome: Literal["game_loss", "match_loss"] | None = None
    ip_ban: bool | None = None
    upgrade: bool | None = None
    warning_ignored: bool | None = None


class EvidenceBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One piece of evidence. AI rulings are none (I-19)."""

    kind: Literal["ai_ruling", "chat_log", "duel_history", "image", "official_ruling", "other", "screenshot", "statement"]
    ref: str | None = None
    text: str | None = None
    sha256: str | None = None


class IncidentBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One or more offenses of a player handled together (I-4)."""

    player_id: str
    offenses: list[OffenseBody]
    occurred_at: datetime | None = None
    duel_id: str | None = None
    call_id: str | None = None
    external_id: str | None = None
    notify: bool = True
    evidence: list[EvidenceBody] = []
    internal_note: str | None = None


class NamedSanction(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A sanction named in a command; `days` (of 24 hours) for a `ban` only."""

    kind: Literal["ban", "cosmetic_removal", "game_loss", "in_duel_warning", "ip_ban", "match_loss", "permanent_ban", "stats_reset", "warning"]
    days: int | None = None


class OffenseBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One offense: a row of the policy, or `unlisted` with its sanctions and strike (I-21, Head Admin)."""

    infraction: str
    description: str | None = None
    variant: str | None = None
    discretion: DiscretionBody | None = None
    alts: list[str] | None = None
    evasion: bool | None = None
    networks: list[str] | None = None
    sanctions: list[NamedSanction] | None = None
    strike: bool | None = None


class ReasonBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why."""

    reason: str
