"""What the rules of the register and of tokens ask for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from services.moderation.staff.events import TokenIssued
from shared.security.roles import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffState:
    """An entry of the register; before `registered` the rest means nothing."""

    registered: bool = False
    level: Role = Role.AUDITOR
    player_id: str | None = None
    active: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenState:
    """A token's life: `issued` None before it, `revoked_at` set after it."""

    issued: TokenIssued | None = None
    revoked_at: datetime | None = None
