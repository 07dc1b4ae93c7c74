"""What can be asked of the staff register and of tokens."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from shared.security.roles import Role, TokenKind


@dataclass(frozen=True, slots=True, kw_only=True)
class PutStaff:
    """Make the entry of `staff_id` say this; `by` is who asks (None: the operator at the command line)."""

    staff_id: str
    level: Role
    player_id: str | None
    active: bool
    by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class IssueToken:
    """Let the bearer of the token with this keyed hash (hex) be `principal`."""

    token_id: str
    token_hash: str
    kind: TokenKind
    principal: str
    label: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RevokeToken:
    """Let the token count no more."""

    token_id: str
    at: datetime
