"""The shapes of replies about rollbacks, for the API description and the typed client."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

from services.moderation.appeals.shapes import ChangeShape, IrreversibleShape, LinkedShape, ReassessedShape
from services.moderation.record.shapes import StandingShape


class KeptDecisionShape(msgspec.Struct, frozen=True, kw_only=True):
    """A decision that stays as it is, and why."""

    kind: str
    player_id: str | None
    incident_id: str | None
    decision_id: str | None
    why: str


class ListedShape(msgspec.Struct, frozen=True, kw_only=True):
    """A decision of the member that a rollback does not cover, such as that of an appeal (I-20)."""

    kind: str
    at: datetime
    player_id: str | None
    decision_id: str | None


class ReimposedShape(msgspec.Struct, frozen=True, kw_only=True):
    """A lift taken back."""

    kind: Literal["ip_ban", "proxy_ban"]
    incident_id: str | None


class CountsShape(msgspec.Struct, frozen=True, kw_only=True):
    """How much the rollback did; `players` are those whose record changed."""

    players: int
    overturned: int
    reverted: int
    reimposed: int
    reassessed: int
    kept: int
    listed: int


class RollbackHead(msgspec.Struct, frozen=True, kw_only=True, rename={"since": "from", "until": "to"}):
    """Whose decisions of which time were rolled back, when and by whom."""

    rollback_id: str
    staff_id: str
    since: datetime
    until: datetime
    at: datetime
    by: str
    state: Literal["in_force", "reversed"]


class PlayerUndoneShape(msgspec.Struct, frozen=True, kw_only=True):
    """What it does to one player. `overturned` are incidents, also those of a main account that fall on this one; `reverted` are adjustments."""

    player_id: str
    before: StandingShape
    after: StandingShape
    changes: list[ChangeShape]
    overturned: list[str]
    reverted: list[str]
    reimposed: list[ReimposedShape]
    reassessed: list[ReassessedShape]
    kept: list[KeptDecisionShape]
    linked: list[LinkedShape]
    irreversible: list[IrreversibleShape]
    version: int


class RollbackReply(RollbackHead, frozen=True, kw_only=True):
    """What the rollback does: what its preview said, apart from ids and times."""

    counts: CountsShape
    players: list[PlayerUndoneShape]
    network_bans: list[str]
    kept: list[KeptDecisionShape]
    listed: list[ListedShape]
    version: int
    position: int | None


class PlayerReinstatedShape(msgspec.Struct, frozen=True, kw_only=True):
    """What the reversal does to one player."""

    player_id: str
    before: StandingShape
    after: StandingShape
    changes: list[ChangeShape]
    reinstated: list[str]
    proxy_lift: bool
    kept: list[KeptDecisionShape]
    version: int


class ReversalReply(RollbackHead, frozen=True, kw_only=True):
    """What the reversal does."""

    reversed_at: datetime
    reversed_by: str
    players: list[PlayerReinstatedShape]
    network_bans: list[str]
    kept: list[KeptDecisionShape]
    version: int
    position: int | None


class RollbackItem(RollbackHead, frozen=True, kw_only=True):
    """A rollback in the list."""

    reversed_at: datetime | None
    reversed_by: str | None
    counts: CountsShape


class RollbackPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of rollbacks, newest first."""

    items: list[RollbackItem]
    next_cursor: str | None


class PlayerEntry(msgspec.Struct, frozen=True, kw_only=True):
    """What is recorded of one player: the events of their record after `version_before`, up to `version_after`."""

    player_id: str
    version_before: int
    version_after: int
    overturned: list[str]
    reverted: list[str]
    reimposed: list[ReimposedShape]
    reassessed: list[str]


class ReinstatedEntry(msgspec.Struct, frozen=True, kw_only=True):
    """What is recorded of one player about the reversal."""

    player_id: str
    version_before: int
    version_after: int
    incidents: list[str]
    proxy_lift: bool


class ReversalShape(msgspec.Struct, frozen=True, kw_only=True):
    """How the rollback was reversed."""

    at: datetime
    by: str
    reason: str | None
    players: list[ReinstatedEntry]
    network_bans: list[str]
    kept: list[KeptDecisionShape]


class RollbackShape(RollbackItem, frozen=True, kw_only=True):
    """A rollback as it is recorded."""

    reason: str | None
    players: list[PlayerEntry]
    network_bans: list[str]
    kept: list[KeptDecisionShape]
    listed: list[ListedShape]
    reversal: ReversalShape | None
    version: int
