"""A small application over the real HTTP mechanism: two endpoints that answer what they were given, and a real directory of principals."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import msgspec
from fastapi import FastAPI

from services.gateway import operations
from services.gateway.app import create_app
from services.gateway.operations import Readiness
from shared.http.auth import Authenticator
from shared.http.call import Call, Reply
from shared.http.endpoint import EVERYONE, HEAD_ADMIN, HEAD_ADMIN_REQUIRED, STAFF, Endpoint
from shared.http.paging import Cursors, after, cut, next_cursor, page
from shared.http.resources import Resources
from shared.http.types import Days, GameId, PageQuery, Text4000, Utc
from shared.observability import Metrics
from shared.refusal import Refusal, Unavailable
from shared.security.keys import Keys, derive_keys
from shared.security.principals import Directory, DirectoryHolder, StaffMember, TokenEntry
from shared.security.roles import Role, TokenKind
from shared.settings import Settings

MASTER = bytes(range(32))
SETTINGS = Settings(database_url="", owner_database_url="", master_key=MASTER)
LEVELS = {"admin-1": Role.ADMIN, "senior-1": Role.SENIOR_ADMIN, "head-1": Role.HEAD_ADMIN, "auditor-1": Role.AUDITOR, "gone-1": Role.ADMIN}
ROWS = tuple(range(1, 8))


def token(name: str) -> str:
    """The token of this principal, of the shape that tokens have."""
    return "mod_" + name.ljust(43, "x")


def bearer(name: str, **headers: str) -> dict[str, str]:
    """The headers of a request by this principal."""
    return {"Authorization": f"Bearer {token(name)}", **headers}


class Choice(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A nested object of the body."""

    days: Days | None = None


class Body(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The body of the test command."""

    player_id: GameId
    note: Text4000 | None = None
    at: Utc | None = None
    choices: list[Choice] = []
    strike: bool = True


class ListQuery(PageQuery, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The query of the test list."""

    status: str | None = None
    since: Utc | None = None


class Raising:
    """What the handler of `/v1/raise` raises next."""

    def __init__(self) -> None:
        self.error: Exception | None = None


async def echo(call: Call) -> Reply:
    """Answer what arrived."""
    seen = {
        "principal": call.principal.id, "via": call.principal.via, "body": call.body, "key": call.idempotency_key, "if_match": call.if_match,
        "dry_run": call.dry_run, "route": call.route, "fingerprint": call.fingerprint.hex(), "path": dict(call.path),
    }  # fmt: skip
    assert call.context().route == call.route
    return Reply.json(seen, status=200 if call.dry_run else 201)


async def numbers(call: Call) -> Reply:
    """Seven numbers, in pages."""
    start = after(call, 1)
    rows, more = cut([n for n in ROWS if start is None or n > start[0]][: call.query.limit + 1], call.query.limit)
    return Reply.json(page(rows, next_cursor(call, (rows[-1],) if more else None)))


async def raising(call: Call) -> Reply:
    """Raise what the test wants."""
    error = call.get(Raising).error
    if error is not None:
        raise error
    return Reply(status=204)


EXAMPLE = {"player_id": "p1", "at": "2026-11-30T10:00:00Z", "choices": [{"days": 3}]}
ECHO = Endpoint(
    method="POST", path="/v1/players/{player_id}/echo", handler=echo, roles=STAFF, summary="Echo", command=True, dry_run=True, status=201, body=Body,
    body_example=EXAMPLE, reply=dict[str, Any], reply_example={"principal": "admin-1"}, codes=("incident_exists",), tags=("test",),
)  # fmt: skip
ENDPOINTS = (
    *operations.ENDPOINTS,
    ECHO,
    Endpoint(
        method="POST", path="/v1/things/{thing_id}/ack", handler=echo, roles=HEAD_ADMIN, role_code=HEAD_ADMIN_REQUIRED, summary="Acknowledge",
        command=True, if_match=False, tags=("test",),
    ),
    Endpoint(method="GET", path="/v1/numbers", handler=numbers, roles=EVERYONE, summary="Numbers", query=ListQuery, tags=("test",)),
    Endpoint(method="GET", path="/v1/raise", handler=raising, roles=EVERYONE, summary="Raise", tags=("test",)),
)  # fmt: skip


class Registers:
    """Tokens and staff in memory; a change moves the epoch, as the store's transaction does."""

    def __init__(self, keys: Keys) -> None:
        self.keys = keys
        self.epoch = 1
        self.away = False
        self.tokens = {name: TokenEntry(token_id=name, kind=TokenKind.STAFF, principal=name) for name in LEVELS}
        self.tokens["game-1"] = TokenEntry(token_id="t-game", kind=TokenKind.GAME_SERVER, principal="game-1")

    async def read_epoch(self) -> int:
        """The epoch of now."""
        if self.away:
            raise Unavailable("The database is away.")
        return self.epoch

    async def load(self) -> Directory:
        """The directory of now."""
        staff = {name: StaffMember(staff_id=name, level=level, player_id=f"own-{name}", active=name != "gone-1") for name, level in LEVELS.items()}
        tokens = {self.keys.token_hash.digest(token(name)): entry for name, entry in self.tokens.items()}
        return Directory(epoch=self.epoch, tokens=tokens, staff=staff, token_hash=self.keys.token_hash)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """The application under test and what it stands on."""

    app: FastAPI
    registers: Registers
    resources: Resources


def make_stand(endpoints: Sequence[Endpoint] = ENDPOINTS) -> Stand:
    """A new application with these endpoints."""
    resources = Resources()
    keys = resources.add(Keys, derive_keys(MASTER))
    registers = Registers(keys)

    async def database() -> bool:
        return await registers.read_epoch() > 0

    resources.add(Authenticator, Authenticator(registers.read_epoch, DirectoryHolder(registers.load)))
    resources.add(Cursors, Cursors(keys.cursor_mac))
    resources.add(Metrics, Metrics())
    resources.add(Readiness, Readiness([("database", database)]))
    resources.add(Raising, Raising())
    return Stand(app=create_app(SETTINGS, resources=resources, endpoints=endpoints), registers=registers, resources=resources)


def make_app(endpoints: Sequence[Endpoint] = ENDPOINTS) -> tuple[FastAPI, Registers, Resources]:
    """The same as a tuple."""
    stand = make_stand(endpoints)
    return stand.app, stand.registers, stand.resources


@asynccontextmanager
async def client(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the application, in this process; the application's exceptions would surface in the test."""
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://service") as made:
        yield made


def refusal(code: str) -> Refusal:
    """A refusal with everything."""
    return Refusal(code, "Because.", allowed=["x"], current={"incident_id": "i"}, field="f")


def problem(reply: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """The problem document, checked."""
    assert reply.status_code == status, reply.text
    assert reply.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = reply.json()
    assert {"type", "title", "status", "detail", "code"} <= set(body)
    assert (body["status"], body["code"], body["type"]) == (status, code, f"/problems/{code}")
    assert "Traceback" not in reply.text
    assert reply.headers["x-request-id"]
    assert reply.headers["x-content-type-options"] == "nosniff"
    return body
