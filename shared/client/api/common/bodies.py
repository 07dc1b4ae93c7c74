"""What is sent. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

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


class NamedSanction(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A sanction named in a command; `days` (of 24 hours) for a `ban` only."""

    kind: Literal["ban", "cosmetic_removal", "game_loss", "in_duel_warning", "ip_ban", "match_loss", "permanent_ban", "stats_reset", "warning"]
    days: int | None = None


class ReasonBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why."""

    reason: str
