"""What can be recorded about a rollback, in its own stream; what it did to each record stands in that record. Moments are aware and in UTC."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from services.moderation.record.outcomes import Words


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptDecision:
    """A decision that stays as it is, and why. `kind` as in the list of the member's decisions, or `later_incident` for one read again in vain."""

    kind: str
    player_id: str | None
    incident_id: str | None
    decision_id: str | None
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reimposed:
    """A lift taken back: of an incident's `ip_ban`, or of the account's `proxy_ban`."""

    kind: str
    incident_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRolledBack:
    """What the rollback did on one record: its events are those after `version_before`, up to `version_after`."""

    player_id: str
    version_before: int
    version_after: int
    overturned: tuple[str, ...] = ()
    reverted: tuple[str, ...] = ()
    reimposed: tuple[Reimposed, ...] = ()
    reassessed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedDecision:
    """A decision of the member that a rollback does not cover (I-20): shown, for a decision of its own."""

    kind: str
    at: datetime
    player_id: str | None
    decision_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffRolledBack:
    """A Head Admin took back what the member decided from `since` to `until`, bounds included."""

    rollback_id: str
    staff_id: str
    at: datetime
    by: str
    role: str
    since: datetime
    until: datetime
    players: tuple[PlayerRolledBack, ...]
    network_bans: tuple[str, ...]
    kept: tuple[KeptDecision, ...]
    listed: tuple[ListedDecision, ...]
    words: Words | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerReinstated:
    """What the reversal put back on one record."""

    player_id: str
    version_before: int
    version_after: int
    incidents: tuple[str, ...]
    proxy_lift: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RollbackReversed:
    """A Head Admin reversed the rollback: what had not changed since is as it was before it; the rest is `kept`."""

    rollback_id: str
    at: datetime
    by: str
    role: str
    players: tuple[PlayerReinstated, ...]
    network_bans: tuple[str, ...]
    kept: tuple[KeptDecision, ...]
    words: Words | None = None


RollbackStreamEvent = StaffRolledBack | RollbackReversed
