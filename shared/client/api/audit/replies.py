"""What comes back. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import Struct

from shared.client.api.common.replies import AppealsChange, Kept, Standing


class DiffReply(Struct, frozen=True, kw_only=True):
    """The standings at two points, and every difference."""

    before: Standing
    after: Standing
    changes: list[AppealsChange]


class Explanation(Struct, frozen=True, kw_only=True):
    """Why an incident's sanctions are what they are: events, rule rows, column, choices, and what changed them since."""

    incident_id: str
    player_id: str
    policy_version: str | None
    column: dict[str, Any]
    strike: dict[str, Any]
    events: list[dict[str, Any]]
    offenses: list[dict[str, Any]]
    sanctions: list[dict[str, Any]]


class HistoryItem(Struct, frozen=True, kw_only=True):
    """One event of a record. `hash` is the leaf hash of the log, `data` the event, with personal parts null once erased.

    An event that can't be read says why in `unreadable`; its `data` is then what is stored, null when that is no JSON.
    """

    position: int
    version: int
    type: str
    recorded_at: datetime
    occurred_at: datetime | None
    actor: str | None
    role: str | None
    via: str | None
    policy_version: str | None
    data: Any
    hash: str
    unreadable: str | None = None


class HistoryPage(Struct, frozen=True, kw_only=True):
    """A page of events, oldest first."""

    items: list[HistoryItem]
    next_cursor: str | None


class Read(Struct, frozen=True, kw_only=True):
    """One read. `player_id` is null for a list that is about no one player, `subject` the incident or appeal that was named."""

    reader: str
    role: str
    what: str
    at: datetime
    player_id: str | None
    subject: str | None
    request_id: str | None


class ReadAgain(Struct, frozen=True, kw_only=True):
    """An incident that would be read at another column."""

    incident_id: str
    column_before: int
    column_after: int


class ReadsPage(Struct, frozen=True, kw_only=True):
    """A page of reads."""

    items: list[Read]
    next_cursor: str | None


class ReplayItem(HistoryItem, frozen=True, kw_only=True):
    """An event with the standing after it, and what it changed."""

    standing: Standing
    changes: list[AppealsChange]


class ReplayPage(Struct, frozen=True, kw_only=True):
    """A page of the replay."""

    items: list[ReplayItem]
    next_cursor: str | None


class WhatIfReply(Struct, frozen=True, kw_only=True):
    """The standing as it would be."""

    standing: Standing
    changes: list[AppealsChange]
    reassessed: list[ReadAgain]
    kept: list[Kept]
