"""What the log holds: the envelope around one event."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from msgspec import Struct


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEvent:
    """An event to append: its stored name, its payload and its meta data, both JSON objects in UTF-8."""

    type: str
    payload: bytes
    meta: bytes


class StoredEvent(Struct, frozen=True, kw_only=True, gc=False):
    """An event of the log.

    `position` counts the whole log from 1 without a gap, in commit order; `version` counts its stream from 1 without a gap.
    `recorded_at` is the database's clock, never going backwards along the log; it orders nothing, positions do.
    """

    position: int
    stream: str
    version: int
    type: str
    recorded_at: datetime
    command_id: str
    meta: bytes
    payload: bytes
    leaf_hash: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class EventMeta:
    """Who and under what: kept beside every event, shown in the history, never read by a rule.

    `actor` is a staff id, a player id, or the name of a game server; `role` the level it acted at; `via` the principal whose token was used when
    that is someone else (a game server acting for staff); `occurred_at` the moment of the act itself (RFC 3339), when there is one.
    """

    actor: str
    role: str
    via: str | None = None
    policy_version: str | None = None
    occurred_at: datetime | None = None
    request_id: str | None = None
