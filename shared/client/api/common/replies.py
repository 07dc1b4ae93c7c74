"""What comes back. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct


class Ban(Struct, frozen=True, kw_only=True):
    """The union of the running bans: earliest start, latest end (null: permanent), all incidents."""

    permanent: bool
    starts_at: datetime
    ends_at: datetime | None
    incident_ids: list[str]


class Standing(Struct, frozen=True, kw_only=True):
    """A player's standing at `as_of`; `version` counts the events of their record."""

    player_id: str
    status: str
    strikes: int
    warnings: int
    ban: Ban | None
    ip_banned: bool
    proxy_banned: bool
    legal_review: bool
    version: int
    as_of: datetime
