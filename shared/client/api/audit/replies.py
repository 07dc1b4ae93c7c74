"""What comes back. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import Struct


class HistoryItem(Struct, frozen=True, kw_only=True):
    """One event of a record. `hash` is the leaf hash of the log, `data` the event, with personal parts null once erased."""

    position: int
    version: int
    type: str
    recorded_at: datetime
    occurred_at: datetime | None
    actor: str
    role: str
    via: str | None
    policy_version: str | None
    data: dict[str, Any]
    hash: str


class HistoryPage(Struct, frozen=True, kw_only=True):
    """A page of events, oldest first."""

    items: list[HistoryItem]
    next_cursor: str | None
