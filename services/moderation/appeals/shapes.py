"""The shapes of replies about appeals, for the API description and the typed client."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

import msgspec

from services.moderation.record.shapes import StandingShape

State = Literal["open", "decided", "withdrawn"]


class AppealItem(msgspec.Struct, frozen=True, kw_only=True):
    """An appeal without its words."""

    appeal_id: str
    player_id: str
    state: State
    incident_id: str | None
    adjustment_id: str | None
    network_ban_id: str | None
    opened_at: datetime
    outcome: Literal["upheld", "overturned", "modified"] | None
    decided_by: str | None
    decided_at: datetime | None


class AppealReply(AppealItem, frozen=True, kw_only=True):
    """An appeal just filed or withdrawn."""

    version: int
    position: int | None


class KeptShape(msgspec.Struct, frozen=True, kw_only=True):
    """A later incident that stays as it is, and why."""

    incident_id: str
    why: str


class AppealShape(AppealItem, frozen=True, kw_only=True):
    """An appeal with its words: `reply` is for the player; `reason`, `kept` and who decided only for staff. `former_staff` have left."""

    grounds: str | None
    reply: str | None
    cascade: bool | None
    kept: list[KeptShape]
    reason: str | None = None
    former_staff: list[str] | None = None


class AppealPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of appeals, oldest first."""

    items: list[AppealItem]
    next_cursor: str | None


class ChangeShape(msgspec.Struct, frozen=True, kw_only=True):
    """A member of the standing that changes."""

    path: str
    before: Any
    after: Any


class SanctionBrief(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A sanction by its kind and dates."""

    kind: str
    starts_at: datetime
    ends_at: datetime | None
    days: int | None = None


class ReassessedShape(msgspec.Struct, frozen=True, kw_only=True):
    """A later incident read again at its new column."""

    incident_id: str
    column_before: int
    column_after: int
    strike_before: int | None
    strike_after: int | None
    sanctions_before: list[SanctionBrief]
    sanctions_after: list[SanctionBrief]


class LinkedShape(msgspec.Struct, frozen=True, kw_only=True):
    """An evasion of the ban that falls: the accounts it banned stay banned."""

    incident_id: str
    player_ids: list[str]


class IrreversibleShape(msgspec.Struct, frozen=True, kw_only=True):
    """Something carried out already."""

    incident_id: str
    sanction_id: str
    kind: str


class PreviewReply(msgspec.Struct, frozen=True, kw_only=True):
    """What the decision would do, on the version `player_version` of the record. `freed` are accounts on which the incident falls too."""

    before: StandingShape
    after: StandingShape
    changes: list[ChangeShape]
    reassessed: list[ReassessedShape]
    kept: list[KeptShape]
    linked: list[LinkedShape]
    irreversible: list[IrreversibleShape]
    freed: list[str]
    player_version: int


class DecisionReply(AppealItem, frozen=True, kw_only=True):
    """What the decision did: what its preview said."""

    before: StandingShape
    after: StandingShape
    changes: list[ChangeShape]
    reassessed: list[ReassessedShape]
    kept: list[KeptShape]
    linked: list[LinkedShape]
    irreversible: list[IrreversibleShape]
    freed: list[str]
    player_version: int
    version: int
    position: int | None
