"""What comes in and goes out over HTTP about duel rooms."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from shared.http.types import GameId, Slug


class RoomBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A duel room, whole."""

    format: Slug
    players: Annotated[list[GameId], Meta(min_length=2, max_length=2, description="The two who play.")]
    kind: Literal["single", "match"]


class PenaltySanction(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A sanction of a penalty as it stands now."""

    sanction_id: str
    kind: str
    state: str
    starts_at: datetime
    ends_at: datetime | None
    days: int | None = None
    extended_days: int | None = None
    networks: int | None = None


class Penalty(msgspec.Struct, frozen=True, kw_only=True):
    """An incident in this room: who, for what (after upgrades), and what was imposed."""

    incident_id: str
    player_id: str
    decided_at: datetime
    call_id: str | None
    infractions: list[str]
    sanctions: list[PenaltySanction]
    status: Literal["in_force", "overturned"]


class RoomShape(msgspec.Struct, frozen=True, kw_only=True):
    """A duel room: `paused` while an open call of a participant stands, `under_admin` while an admin sees to it; `call_id` is the live call."""

    duel_id: str
    format: str
    kind: Literal["single", "match"]
    ruling_authority: Literal["TCG", "OCG"]
    players: list[str]
    paused: bool
    under_admin: bool
    chat_open: bool
    call_id: str | None
    penalties: list[Penalty]
    version: int


class RoomReply(RoomShape, frozen=True, kw_only=True):
    """The room after a command; `position` is null when nothing changed."""

    position: int | None
