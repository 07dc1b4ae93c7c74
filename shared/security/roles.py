"""What principals may be: plain names, so that rules can speak of levels without importing how anybody is authenticated."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Role(StrEnum):
    """What a principal may do (contract, General)."""

    GAME_SERVER = "game_server"
    ADMIN = "admin"
    SENIOR_ADMIN = "senior_admin"
    HEAD_ADMIN = "head_admin"
    AUDITOR = "auditor"


STAFF: Final = frozenset({Role.ADMIN, Role.SENIOR_ADMIN, Role.HEAD_ADMIN})
"""The levels that decide on players: what the contract calls staff."""

ANY_ROLE: Final = frozenset(Role)


class TokenKind(StrEnum):
    """Whom a token belongs to."""

    GAME_SERVER = "game_server"
    STAFF = "staff"
