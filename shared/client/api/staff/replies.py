"""What comes back. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from msgspec import Struct


class StaffEntry(Struct, frozen=True, kw_only=True):
    """An entry of the register at version `version` of its stream."""

    staff_id: str
    level: str
    player_id: str | None
    active: bool
    version: int


class StaffReply(Struct, frozen=True, kw_only=True):
    """An entry of the register after a command; `position` is null when nothing changed."""

    staff_id: str
    level: str
    player_id: str | None
    active: bool
    version: int
    position: int | None
