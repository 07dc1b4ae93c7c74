"""What comes back. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct, field

from shared.client.api.common.replies import AppealsChange, Irreversible, Linked, Reassessed, Standing


class Counts(Struct, frozen=True, kw_only=True):
    """How much the rollback did; `players` are those whose record changed."""

    players: int
    overturned: int
    reverted: int
    reimposed: int
    reassessed: int
    kept: int
    listed: int


class KeptDecision(Struct, frozen=True, kw_only=True):
    """A decision that stays as it is, and why."""

    kind: str
    player_id: str | None
    incident_id: str | None
    decision_id: str | None
    why: str


class Listed(Struct, frozen=True, kw_only=True):
    """A decision of the member that a rollback does not cover, such as that of an appeal (I-20)."""

    kind: str
    at: datetime
    player_id: str | None
    decision_id: str | None


class PlayerEntry(Struct, frozen=True, kw_only=True):
    """What is recorded of one player: the events of their record after `version_before`, up to `version_after`."""

    player_id: str
    version_before: int
    version_after: int
    overturned: list[str]
    reverted: list[str]
    reimposed: list[Reimposed]
    reassessed: list[str]


class PlayerReinstated(Struct, frozen=True, kw_only=True):
    """What the reversal does to one player."""

    player_id: str
    before: Standing
    after: Standing
    changes: list[AppealsChange]
    reinstated: list[str]
    proxy_lift: bool
    kept: list[KeptDecision]
    version: int


class PlayerUndone(Struct, frozen=True, kw_only=True):
    """What it does to one player. `overturned` are incidents, also those of a main account that fall on this one; `reverted` are adjustments."""

    player_id: str
    before: Standing
    after: Standing
    changes: list[AppealsChange]
    overturned: list[str]
    reverted: list[str]
    reimposed: list[Reimposed]
    reassessed: list[Reassessed]
    kept: list[KeptDecision]
    linked: list[Linked]
    irreversible: list[Irreversible]
    version: int


class Reimposed(Struct, frozen=True, kw_only=True):
    """A lift taken back."""

    kind: str
    incident_id: str | None


class ReinstatedEntry(Struct, frozen=True, kw_only=True):
    """What is recorded of one player about the reversal."""

    player_id: str
    version_before: int
    version_after: int
    incidents: list[str]
    proxy_lift: bool


class Reversal(Struct, frozen=True, kw_only=True):
    """How the rollback was reversed."""

    at: datetime
    by: str
    reason: str | None
    players: list[ReinstatedEntry]
    network_bans: list[str]
    kept: list[KeptDecision]


class RollbackHead(Struct, frozen=True, kw_only=True):
    """Whose decisions of which time were rolled back, when and by whom."""

    rollback_id: str
    staff_id: str
    since: datetime = field(name="from")
    until: datetime = field(name="to")
    at: datetime
    by: str
    state: str


class ReversalReply(RollbackHead, frozen=True, kw_only=True):
    """What the reversal does."""

    reversed_at: datetime
    reversed_by: str
    players: list[PlayerReinstated]
    network_bans: list[str]
    kept: list[KeptDecision]
    version: int
    position: int | None


class RollbackItem(RollbackHead, frozen=True, kw_only=True):
    """A rollback in the list."""

    reversed_at: datetime | None
    reversed_by: str | None
    counts: Counts


class Rollback(RollbackItem, frozen=True, kw_only=True):
    """A rollback as it is recorded."""

    reason: str | None
    players: list[PlayerEntry]
    network_bans: list[str]
    kept: list[KeptDecision]
    listed: list[Listed]
    reversal: Reversal | None
    version: int


class RollbackPage(Struct, frozen=True, kw_only=True):
    """A page of rollbacks, newest first."""

    items: list[RollbackItem]
    next_cursor: str | None


class RollbackReply(RollbackHead, frozen=True, kw_only=True):
    """What the rollback does: what its preview said, apart from ids and times."""

    counts: Counts
    players: list[PlayerUndone]
    network_bans: list[str]
    kept: list[KeptDecision]
    listed: list[Listed]
    version: int
    position: int | None
