"""The whole service in this process, over PostgreSQL, with the example staff and a clock that tests move."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import httpx

from services.commands.register import open_register
from services.commands.seeding import GAME_SERVER, seed_register
from services.gateway.app import create_app
from services.gateway.openers import open_principals, open_store
from services.moderation.composition import open_moderation
from shared.clock import Clock, SystemClock
from shared.http.paging import Cursors
from shared.http.resources import Resources
from shared.observability import METRICS, Metrics
from shared.security.keys import Keys, derive_keys
from shared.settings import Settings
from tests.support.database import Database

MASTER = bytes(range(32))


class MovedClock:
    """The machine's clock, moved by `by`."""

    def __init__(self) -> None:
        self.by = timedelta(0)

    def now(self) -> datetime:
        """The present moment, moved."""
        return SystemClock().now() + self.by


@dataclass(frozen=True, slots=True)
class Live:
    """The service as its callers see it; `as_` names a member of the example staff or the game server."""

    client: httpx.AsyncClient
    tokens: Mapping[str, str]
    clock: MovedClock
    resources: Resources

    async def ask(self, method: str, path: str, body: Any = None, *, as_: str = "head-1", expect: int = 200, **headers: str) -> Any:
        """The JSON answer to a request, which MUST have this status; underscores in a header's name stand for hyphens."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {"Authorization": f"Bearer {self.tokens[as_]}", **named}
        reply = await self.client.request(method, path, json=body, headers=sent)
        assert reply.status_code == expect, f"{method} {path}: {reply.status_code}: {reply.text[:500]}"
        return reply.json() if reply.content else None

    async def get(self, path: str, **more: Any) -> Any:
        return await self.ask("GET", path, **more)

    async def post(self, path: str, body: Any = None, **more: Any) -> Any:
        return await self.ask("POST", path, {} if body is None else body, **more)

    async def access(self, player_id: str, ip: str, **headers: str) -> Any:
        """The access check of this account from this address."""
        return await self.post("/v1/access-checks", {"player_id": player_id, "ip": ip}, as_=GAME_SERVER, **headers)

    async def allowed(self, player_id: str, ip: str) -> bool:
        """Whether the account may come in from this address."""
        return bool((await self.access(player_id, ip))["allowed"])

    async def issue(self, player_id: str, infraction: str, **offense: Any) -> Any:
        """A decided incident with one offense."""
        body = {"player_id": player_id, "offenses": [{"infraction": infraction, **offense}]}
        return await self.post("/v1/incidents", body, as_="admin-1", expect=201)

    async def standing(self, player_id: str) -> Any:
        return await self.get(f"/v1/players/{player_id}/standing", as_=GAME_SERVER)


@asynccontextmanager
async def live(database: Database) -> AsyncIterator[Live]:
    """The running service over this database."""
    settings = Settings(database_url=database.app, owner_database_url=database.superuser, master_key=MASTER, allow_dev_tokens=True)
    async with open_register(settings) as register:
        seeded = await seed_register(register)
    resources, clock = Resources(), MovedClock()
    keys = resources.add(Keys, derive_keys(MASTER))
    resources.add(Cursors, Cursors(keys.cursor_mac))
    resources.add(Clock, clock)  # type: ignore[type-abstract]  # a protocol is a key as good as any
    resources.add(Metrics, METRICS)
    async with AsyncExitStack() as opened:
        for opener in (open_store, open_principals, open_moderation):
            await opened.enter_async_context(opener(settings, resources))
        transport = httpx.ASGITransport(create_app(settings, resources=resources))
        client = await opened.enter_async_context(httpx.AsyncClient(transport=transport, base_url="http://service"))
        yield Live(client, {GAME_SERVER: seeded.game_server, **seeded.staff}, clock, resources)
