"""What comes back. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct


class Penalty(Struct, frozen=True, kw_only=True):
    """An incident in this room: who, for what (after upgrades), and what was imposed."""

    incident_id: str
    player_id: str
    decided_at: datetime
    call_id: str | None
    infractions: list[str]
    sanctions: list[PenaltySanction]
    status: str


class PenaltySanction(Struct, frozen=True, kw_only=True):
    """A sanction of a penalty as it stands now."""

    sanction_id: str
    kind: str
    state: str
    starts_at: datetime
    ends_at: datetime | None
    days: int | None = None
    extended_days: int | None = None
    networks: int | None = None


class Room(Struct, frozen=True, kw_only=True):
    """A duel room: `paused` while an open call of a participant stands, `under_admin` while an admin sees to it; `call_id` is the live call."""

    duel_id: str
    format: str
    kind: str
    ruling_authority: str
    players: list[str]
    paused: bool
    under_admin: bool
    chat_open: bool
    call_id: str | None
    penalties: list[Penalty]
    version: int


class RoomReply(Room, frozen=True, kw_only=True):
    """The room after a command; `position` is null when nothing changed."""

    position: int | None
