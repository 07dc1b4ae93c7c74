"""The operator's way to the staff register and the tokens: the same log and the same rules as over HTTP, without a principal."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from services.moderation.staff.commands import PutStaff
from services.moderation.staff.directory import TokenListing, list_tokens
from services.moderation.staff.operator import IssuedToken, Operator
from services.moderation.staff.registered import register
from shared.clock import SystemClock
from shared.eventstore.codec import Codec
from shared.eventstore.postgres import PostgresEventStore
from shared.eventstore.registry import EventRegistry
from shared.ids import new_id
from shared.security.keys import derive_keys
from shared.security.roles import Role, TokenKind
from shared.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Register:
    """The staff register and the tokens, for the command line. Every method raises `Refusal` or `Unavailable`."""

    operator: Operator
    store: PostgresEventStore

    async def put_staff(self, *, staff_id: str, level: str, player_id: str | None) -> None:
        """Make the entry say this, active; nothing is recorded when it does already."""
        await self.operator.put_staff(PutStaff(staff_id=staff_id, level=Role(level), player_id=player_id, active=True, by=None))

    async def issue(self, *, kind: str, principal: str, label: str, dev: bool = False) -> IssuedToken:
        """A new token for a game server (`kind` game_server) or a registered member of staff (`staff`)."""
        return await self.operator.issue_token(kind=TokenKind(kind), principal=principal, label=label, dev=dev)

    async def tokens(self) -> list[TokenListing]:
        """All tokens, oldest first, without their secrets."""
        return await list_tokens(self.store.fetch)

    async def revoke(self, token_id: str) -> bool:
        """Let the token count no more, from now on; False when it was revoked before."""
        return await self.operator.revoke_token(token_id)


@asynccontextmanager
async def open_register(settings: Settings) -> AsyncIterator[Register]:
    """The register in the database of these settings."""
    registry = EventRegistry()
    register(registry)
    async with PostgresEventStore(settings.database_url) as store:
        token_hash = derive_keys(settings.master_key).token_hash
        operator = Operator(store=store, codec=Codec(registry), token_hash=token_hash, clock=SystemClock(), new_id=new_id)
        yield Register(operator=operator, store=store)
