"""What comes back. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from shared.client.api.common.replies import Ban, Standing


class AccessReason(Struct, frozen=True, kw_only=True):
    """Why an account may not enter; `ends_at` null: no end."""

    code: str
    ends_at: datetime | None
    incident_id: str | None


class AccessReply(Struct, frozen=True, kw_only=True):
    """Whether the account may enter, and the standing."""

    allowed: bool
    reasons: list[AccessReason]
    standing: Standing


class QueriedStanding(Struct, frozen=True, kw_only=True):
    """A standing, or `error` where the record can't be read now: never taken as clean. All other members but the id are then absent."""

    player_id: str
    error: str | None = None
    status: str | None = None
    strikes: int | None = None
    warnings: int | None = None
    ban: Ban | None = None
    ip_banned: bool | None = None
    proxy_banned: bool | None = None
    legal_review: bool | None = None
    version: int | None = None
    as_of: datetime | None = None


class StandingsReply(Struct, frozen=True, kw_only=True):
    """The standings in the order asked."""

    standings: list[QueriedStanding]
