"""What comes back. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from shared.client.api.common.replies import Change, Kept, Standing


class AppealItem(Struct, frozen=True, kw_only=True):
    """An appeal without its words."""

    appeal_id: str
    player_id: str
    state: str
    incident_id: str | None
    adjustment_id: str | None
    network_ban_id: str | None
    opened_at: datetime
    outcome: str | None
    decided_by: str | None
    decided_at: datetime | None


class Appeal(AppealItem, frozen=True, kw_only=True):
    """An appeal with its words: `reply` is for the player; `reason`, `kept` and who decided only for staff. `former_staff` have left."""

    grounds: str | None
    reply: str | None
    cascade: bool | None
    kept: list[Kept]
    reason: str | None = None
    former_staff: list[str] | None = None


class AppealPage(Struct, frozen=True, kw_only=True):
    """A page of appeals, oldest first."""

    items: list[AppealItem]
    next_cursor: str | None


class AppealReply(AppealItem, frozen=True, kw_only=True):
    """An appeal just filed or withdrawn."""

    version: int
    position: int | None


class DecisionReply(AppealItem, frozen=True, kw_only=True):
    """What the decision did: what its preview said."""

    before: Standing
    after: Standing
    changes: list[Change]
    reassessed: list[Reassessed]
    kept: list[Kept]
    linked: list[Linked]
    irreversible: list[Irreversible]
    freed: list[str]
    player_version: int
    version: int
    position: int | None


class Irreversible(Struct, frozen=True, kw_only=True):
    """Something carried out already."""

    incident_id: str
    sanction_id: str
    kind: str


class Linked(Struct, frozen=True, kw_only=True):
    """An evasion of the ban that falls: the accounts it banned stay banned."""

    incident_id: str
    player_ids: list[str]


class PreviewReply(Struct, frozen=True, kw_only=True):
    """What the decision would do, on the version `player_version` of the record. `freed` are accounts on which the incident falls too."""

    before: Standing
    after: Standing
    changes: list[Change]
    reassessed: list[Reassessed]
    kept: list[Kept]
    linked: list[Linked]
    irreversible: list[Irreversible]
    freed: list[str]
    player_version: int


class Reassessed(Struct, frozen=True, kw_only=True):
    """A later incident read again at its new column."""

    incident_id: str
    column_before: int
    column_after: int
    strike_before: int | None
    strike_after: int | None
    sanctions_before: list[SanctionBrief]
    sanctions_after: list[SanctionBrief]


class SanctionBrief(Struct, frozen=True, kw_only=True):
    """A sanction by its kind and dates."""

    kind: str
    starts_at: datetime
    ends_at: datetime | None
    days: int | None = None
