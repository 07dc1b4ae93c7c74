"""What is sent. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from msgspec import Struct

from shared.client.api.common.bodies import DiscretionBody, NamedSanction


class AdjustmentBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The sanctions that replace the incident's, whether it stays a strike, and why (I-20)."""

    sanctions: list[NamedSanction]
    strike: bool
    reason: str


class EvidenceBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One piece of evidence. AI rulings are none (I-19)."""

    kind: Literal["ai_ruling", "chat_log", "duel_history", "image", "official_ruling", "other", "screenshot", "statement"]
    ref: str | None = None
    text: str | None = None
    sha256: str | None = None


class ImportBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Up to 500 incidents."""

    incidents: list[ImportRow]


class ImportRow(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An incident decided before this service existed (I-22); `external_id` makes the import repeatable."""

    player_id: str
    infraction: str
    decided_at: datetime
    decided_by: str
    strike: bool
    sanctions: list[NamedSanction]
    external_id: str


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
