"""What comes back. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from shared.client.api.common.replies import AppealsChange, Irreversible, Kept, Linked, Reassessed, Standing


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
    changes: list[AppealsChange]
    reassessed: list[Reassessed]
    kept: list[Kept]
    linked: list[Linked]
    irreversible: list[Irreversible]
    freed: list[str]
    player_version: int
    version: int
    position: int | None


class PreviewReply(Struct, frozen=True, kw_only=True):
    """What the decision would do, on the version `player_version` of the record. `freed` are accounts on which the incident falls too."""

    before: Standing
    after: Standing
    changes: list[AppealsChange]
    reassessed: list[Reassessed]
    kept: list[Kept]
    linked: list[Linked]
    irreversible: list[Irreversible]
    freed: list[str]
    player_version: int
