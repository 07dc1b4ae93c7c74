"""What happens to the staff register and to tokens, as it is stored."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from shared.security.roles import Role, TokenKind


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffRegistered:
    """A new member of staff; `player_id` is their own player account, on which they decide nothing."""

    staff_id: str
    level: Role
    player_id: str | None
    active: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffChanged:
    """A member's entry from now on, whole."""

    staff_id: str
    level: Role
    player_id: str | None
    active: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenIssued:
    """A token for a member of staff or a game server (`principal`); `token_hash` is the keyed hash in hex, the token itself is kept nowhere."""

    token_id: str
    token_hash: str
    kind: TokenKind
    principal: str
    label: str
    issued_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenRevoked:
    """The token counts no more, for good."""

    token_id: str
    revoked_at: datetime
