"""What the command line does to the staff register and to tokens; the rules are those of `services/moderation/staff`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from shared.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuedToken:
    """A new token. `token` is the secret: shown once, kept nowhere."""

    token_id: str
    token: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenLine:
    """A token as it can be listed. `kind` is `game_server` or `staff`, `principal` the game server's name or the staff id; times are UTC."""

    token_id: str
    kind: str
    principal: str
    label: str
    created_at: datetime
    revoked_at: datetime | None


class Register(Protocol):
    """The staff register and the tokens, for the operator at the command line."""

    async def put_staff(self, *, staff_id: str, level: str, player_id: str | None, active: bool) -> None:
        """Make the entry say this; nothing is recorded when it does already."""
        ...

    async def issue(self, *, kind: str, principal: str, label: str, dev: bool = False) -> IssuedToken:
        """A new token for a game server or a member of staff."""
        ...

    async def tokens(self) -> Sequence[TokenLine]:
        """All tokens, oldest first."""
        ...

    async def revoke(self, token_id: str) -> bool:
        """Let the token count no more, from now on; False when there is none with this id."""
        ...


@asynccontextmanager
async def open_register(settings: Settings) -> AsyncIterator[Register]:
    """The register in the database of these settings."""
    from services.moderation.staff.operator import operator_register

    async with operator_register(settings) as register:
        yield register
