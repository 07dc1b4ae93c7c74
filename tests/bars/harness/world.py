"""A database with staff and tokens, and gateways over it: what a bar runs in."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg

from services.commands.register import Register, open_register
from shared.settings import Settings
from tests.bars.harness import cluster as clusters
from tests.bars.harness.gateway import Gateway

LEVELS = ("admin", "senior_admin", "head_admin", "auditor")


@dataclass(slots=True, kw_only=True)
class World:
    """One database and who may call. `tokens` by role; `game_server` among them."""

    cluster: clusters.Cluster
    database: str
    folder: Path
    master_key: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    tokens: dict[str, str] = field(default_factory=dict)
    revoked: str = ""

    @property
    def dsn(self) -> str:
        """The database for the application's role."""
        return self.cluster.app(self.database)

    @property
    def owner_dsn(self) -> str:
        """The database for whoever may do everything."""
        return self.cluster.superuser(self.database)

    @property
    def settings(self) -> Settings:
        """The settings of a service over it."""
        return Settings(database_url=self.dsn, owner_database_url=self.owner_dsn, master_key=self.master_key)

    async def rows(self, sql: str, *arguments: Any) -> list[asyncpg.Record]:
        """The rows of one query, as a superuser."""
        return await clusters.rows(self.owner_dsn, sql, *arguments)

    async def value(self, sql: str, *arguments: Any) -> Any:
        """The first value of one query, as a superuser."""
        return (await self.rows(sql, *arguments))[0][0]

    @asynccontextmanager
    async def gateway(self, **more: Any) -> AsyncIterator[Gateway]:
        """A running gateway over this database, killed at the end of the block; `more` are fields of `Gateway`."""
        given = {"dsn": self.dsn, "master_key": self.master_key, "log": self.folder / f"gateway-{secrets.token_hex(4)}.log", **more}
        made = Gateway(**given)
        try:
            await made.start()
            yield made
        finally:
            made.kill()

    @asynccontextmanager
    async def gateways(self, count: int, **more: Any) -> AsyncIterator[list[Gateway]]:
        """Several, each a process with a port of its own."""
        async with AsyncExitStack() as stack:
            yield [await stack.enter_async_context(self.gateway(**more)) for _ in range(count)]

    async def populate(self) -> None:
        """A game server, a member of staff of every level with a player account of their own, and a token that was revoked."""
        async with open_register(self.settings) as register:
            self.tokens["game_server"] = (await register.issue(kind="game_server", principal="game-1", label="bars")).token
            for level in LEVELS:
                self.tokens[level] = await self._staff(register, level)
            issued = await register.issue(kind="staff", principal="head_admin-1", label="bars, revoked")
            await register.revoke(issued.token_id)
            self.revoked = issued.token

    async def _staff(self, register: Register, level: str) -> str:
        await register.put_staff(staff_id=f"{level}-1", level=level, player_id=f"{level}-1-player")
        return (await register.issue(kind="staff", principal=f"{level}-1", label="bars")).token
