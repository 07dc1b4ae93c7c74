"""The whole service in this process over a real database, with a clock that the test moves: what a fault test asks over HTTP."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any, TypeVar

import httpx

from services.commands.register import Register
from services.commands.seeding import STAFF, Tokens, seed_register
from services.gateway.app import create_app
from services.gateway.openers import OPENERS
from services.moderation.staff.operator import Operator
from shared.blobs.store import IN_MEMORY
from shared.clock import Clock
from shared.eventstore.codec import Codec
from shared.eventstore.postgres import PostgresEventStore
from shared.http.resources import Resources
from shared.ids import new_id
from shared.security.keys import Keys
from shared.settings import Settings
from tests.support.database import Database
from tests.support.declared import as_declared

MASTER = bytes(range(32))
T0 = datetime(2026, 11, 30, 10, tzinfo=UTC)
_numbers = count(1)
T = TypeVar("T")


class Hands:
    """A clock whose hands the test moves."""

    def __init__(self, moment: datetime = T0) -> None:
        self.moment = moment

    def now(self) -> datetime:
        return self.moment

    def turn(self, **by: float) -> datetime:
        """Let this much time go by."""
        self.moment += timedelta(**by)
        return self.moment


class PresetResources(Resources):
    """Resources some of which are given; whatever the service would open of the same type is passed over."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._given: dict[type, Any] = {Clock: clock}
        super().add(Clock, clock)  # type: ignore[type-abstract]  # a protocol is a key as good as any

    def add(self, kind: type[T], instance: T) -> T:
        return self._given[kind] if kind in self._given else super().add(kind, instance)


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply: its status, its JSON body, its headers."""

    status: int
    body: Any
    headers: httpx.Headers

    def __getitem__(self, name: str) -> Any:
        return self.body[name]


@dataclass(frozen=True, slots=True)
class Caller:
    """The service as one principal sees it."""

    http: httpx.AsyncClient
    token: str

    async def call(
        self, method: str, path: str, body: Any = None, *, expect: int | None = None, headers: dict[str, str] | None = None, **kw: Any
    ) -> Answer:
        """Send the request; a 5xx but 503 is a failure whatever was expected, and so is a refusal that is no problem document."""
        sent = {} if body is None else {"json": body}
        reply = await self.http.request(method, path, headers={"Authorization": f"Bearer {self.token}", **(headers or {})}, **sent, **kw)
        answer = Answer(reply.status_code, reply.json() if reply.content else None, reply.headers)
        assert reply.status_code < 500 or reply.status_code == 503, reply.text
        if reply.status_code >= 400:
            assert reply.headers["content-type"] == "application/problem+json", reply.text
        assert expect is None or reply.status_code == expect, reply.text
        return answer

    async def get(self, path: str, *, expect: int = 200, **params: Any) -> Answer:
        return await self.call("GET", path, expect=expect, params=params)

    async def post(self, path: str, body: Any = None, *, expect: int | None = None, headers: dict[str, str] | None = None, **params: Any) -> Answer:
        return await self.call("POST", path, {} if body is None else body, expect=expect, headers=headers, params=params)

    async def refused(self, code: str, path: str, body: Any = None, **kw: Any) -> Answer:
        answer = await self.post(path, body, **kw)
        assert (answer.status >= 400, answer["code"]) == (True, code), answer.body
        return answer


def offense(infraction: str, **fields: Any) -> dict[str, Any]:
    """One offense; what is a choice goes into its discretion."""
    names = ("days", "permanent", "outcome", "ip_ban", "upgrade", "warning_ignored")
    chosen = {name: fields.pop(name) for name in names if name in fields}
    return {"infraction": infraction, **({"discretion": chosen} if chosen else {}), **fields}


def incident(player_id: str, *offenses: str | dict[str, Any], **fields: Any) -> dict[str, Any]:
    """The body of POST /v1/incidents."""
    return {"player_id": player_id, "offenses": [offense(item) if isinstance(item, str) else item for item in offenses], **fields}


def fresh(prefix: str = "p") -> str:
    """An id that nothing else in this test uses."""
    return f"{prefix}-{next(_numbers)}"


class Service:
    """The application, everybody who calls it, and the clock."""

    def __init__(self, resources: Resources, http: httpx.AsyncClient, tokens: Tokens, clock: Hands) -> None:
        self.resources, self.http, self.tokens, self.clock = resources, http, tokens, clock
        self.store = resources.get(PostgresEventStore)
        self.game = Caller(http, tokens.game_server)
        self.staff = {key: Caller(http, tokens.staff[staff_id]) for key, (staff_id, _) in STAFF.items()}
        self.admin, self.admin_b, self.head = self.staff["admin"], self.staff["admin_b"], self.staff["head_admin"]
        self.senior, self.auditor = self.staff["senior_admin"], self.staff["auditor"]

    async def issue(self, player_id: str, *offenses: str | dict[str, Any], by: Caller | None = None, **fields: Any) -> Answer:
        """Charge these offenses."""
        return await (by or self.admin).post("/v1/incidents", incident(player_id, *offenses, **fields), expect=201)

    async def strikes(self, player_id: str, number: int) -> None:
        """Bring a new player to so many strikes, whose bans were served long ago."""
        rows = [
            {
                "player_id": player_id, "infraction": "spam-major", "decided_at": iso(self.clock.now() - timedelta(days=400 - n)),
                "decided_by": "former-admin", "strike": True, "sanctions": [{"kind": "ban", "days": 1}], "external_id": f"old-{n}",
            }
            for n in range(number)
        ]  # fmt: skip
        if rows:
            await self.head.post("/v1/incidents/import", {"incidents": rows}, expect=200)

    async def adjust(self, incident_id: str, *sanctions: dict[str, Any], strike: bool = True, **kw: Any) -> Answer:
        """Replace the incident's sanctions."""
        body = {"sanctions": list(sanctions), "strike": strike, "reason": "On review."}
        return await self.head.post(f"/v1/incidents/{incident_id}/adjustments", body, **{"expect": 201, **kw})

    async def standing(self, player_id: str, **params: Any) -> Answer:
        return await self.game.get(f"/v1/players/{player_id}/standing", **params)

    async def access(self, player_id: str, ip: str = "198.51.100.1") -> Answer:
        return await self.game.post("/v1/access-checks", {"player_id": player_id, "ip": ip}, expect=200)

    async def active(self, player_id: str) -> list[dict[str, Any]]:
        return list((await self.game.get(f"/v1/players/{player_id}/sanctions/active"))["items"])

    async def incidents(self, player_id: str) -> list[dict[str, Any]]:
        return list((await self.game.get(f"/v1/players/{player_id}/incidents", limit=200))["items"])

    async def history(self, player_id: str) -> list[dict[str, Any]]:
        return list((await self.auditor.get(f"/v1/players/{player_id}/history", limit=200))["items"])


def iso(moment: datetime) -> str:
    """The moment as the API writes it."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


@asynccontextmanager
async def serving(
    database: Database, clock: Hands | None = None, *, tokens: Tokens | None = None, media: str = IN_MEMORY
) -> AsyncIterator[Service]:
    """The service over this database, with its pictures at `media`. With `tokens` it is one more process beside the one that gave them out."""
    hands = clock or Hands()
    places = {"database_url": database.app, "owner_database_url": database.superuser, "media": media}
    settings = Settings(**places, master_key=MASTER, allow_dev_tokens=True)  # type: ignore[arg-type]
    resources = PresetResources(hands)
    async with AsyncExitStack() as opened:
        for opener in OPENERS:
            await opened.enter_async_context(opener(settings, resources))
        known = tokens or await _seed(resources, hands)
        app = create_app(settings, resources=resources)
        client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://service", event_hooks={"response": [as_declared]})
        http = await opened.enter_async_context(client)
        yield Service(resources, http, known, hands)


async def _seed(resources: Resources, clock: Hands) -> Tokens:
    store, codec, keys = resources.get(PostgresEventStore), resources.get(Codec), resources.get(Keys)
    operator = Operator(store=store, codec=codec, token_hash=keys.token_hash, clock=clock, new_id=new_id)
    return await seed_register(Register(operator=operator, store=store))
