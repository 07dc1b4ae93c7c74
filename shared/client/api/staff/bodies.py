"""What is sent. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class StaffBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An entry of the register, whole; `player_id` is the member's own player account, null when there is none."""

    level: Literal["admin", "auditor", "head_admin", "senior_admin"]
    player_id: str | None
    active: bool
