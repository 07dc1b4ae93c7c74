"""What is sent. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct


class ExemptionBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Which account the ban shall not bar, and why."""

    player_id: str
    reason: str


class NetworkBanBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Which network to ban, why, and until when (null: no end)."""

    network: str
    reason: str
    ends_at: datetime | None = None
