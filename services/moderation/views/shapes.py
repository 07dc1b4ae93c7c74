"""The shapes of what is read, for the API description and the typed client. Handlers build plain JSON; a test compares the two."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

import msgspec

from services.moderation.record.shapes import ActiveSanctionShape, BanShape, IncidentShape, SanctionShape, StandingShape, Status, StrikeShape


class IncidentPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of incidents."""

    items: list[IncidentShape]
    next_cursor: str | None


class ActiveSanctions(msgspec.Struct, frozen=True, kw_only=True):
    """The sanctions in force."""

    items: list[ActiveSanctionShape]
    next_cursor: str | None


class QueriedStanding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A standing, or `error` where the record can't be read now: never taken as clean. All other members but the id are then absent."""

    player_id: str
    error: Literal["unavailable"] | None = None
    status: Status | None = None
    strikes: int | None = None
    warnings: int | None = None
    ban: BanShape | None = None
    ip_banned: bool | None = None
    proxy_banned: bool | None = None
    legal_review: bool | None = None
    version: int | None = None
    as_of: datetime | None = None


class StandingsReply(msgspec.Struct, frozen=True, kw_only=True):
    """The standings in the order asked."""

    standings: list[QueriedStanding]


class AccessReason(msgspec.Struct, frozen=True, kw_only=True):
    """Why an account may not enter; `ends_at` null: no end."""

    code: Literal["banned", "ip_banned", "proxy_banned"]
    ends_at: datetime | None
    incident_id: str | None


class AccessReply(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the account may enter, and the standing."""

    allowed: bool
    reasons: list[AccessReason]
    standing: StandingShape


class HistoryItem(msgspec.Struct, frozen=True, kw_only=True):
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


class HistoryPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of events, oldest first."""

    items: list[HistoryItem]
    next_cursor: str | None


class StatementShape(msgspec.Struct, frozen=True, kw_only=True):
    """The player's statement of reasons: facts, rules, sanctions with dates, and how to appeal."""

    incident_id: str
    player_id: str
    decided_at: datetime
    facts: dict[str, Any] | None
    rules: list[dict[str, Any]]
    sanctions: list[SanctionShape]
    strike: StrikeShape | None
    appeal: dict[str, str]
    status: Literal["in_force", "overturned"] | None = None
