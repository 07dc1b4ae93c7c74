"""Bar 15: every operation of the API x every role x {no token, a revoked one, a wrong one, someone else's}: as declared, and nothing undeclared."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pytest
from fastapi import FastAPI

from services.gateway.app import Gateway, create_app
from services.gateway.routes import ENDPOINTS
from shared.http.endpoint import EVERYONE, Endpoint
from shared.security.roles import Role
from tests.bars.harness.http1 import Answer, Client
from tests.bars.harness.scale import figure
from tests.bars.harness.world import World
from tests.support.http import SETTINGS

pytestmark = [pytest.mark.bar(15), pytest.mark.timeout(600)]

_EXAMPLES: Mapping[str, str] = {"game_id": "someone", "uuid": "01890a5d-ac96-774b-bcce-b302099a8057", "text": "none"}
OF_THE_CASE = {"head_judge_required", "not_a_judge", "conflict_of_interest", "not_the_taker", "not_the_caller", "not_the_subject", "not_in_duel"}
"""403 codes that are about the case and not the role: an operation that declares one may answer it to whoever may call it."""
WRONG = "mod_" + "A" * 43


def path_of(endpoint: Endpoint) -> str:
    """The endpoint's path with examples for its parameters."""
    path = endpoint.path
    for name, kind in endpoint.parameters().items():
        path = path.replace(f"{{{name}}}", _EXAMPLES[kind])
    return path + ("?dry_run=true" if endpoint.dry_run else "")


class Matrix:
    """Asks every question of the matrix, and notes each answer that is not as declared."""

    def __init__(self, world: World, client: Client) -> None:
        self.world = world
        self.client = client
        self.asked = 0
        self.statuses: Counter[int] = Counter()
        self.wrong: list[str] = []

    async def check(self, endpoints: Iterable[Endpoint]) -> None:
        """All operations."""
        for endpoint in endpoints:
            await self._strangers(endpoint)
            for role in Role:
                await self._role(endpoint, role, self.world.tokens[role.value], {})
                if role is not Role.GAME_SERVER:
                    await self._role(endpoint, role, self.world.tokens["game_server"], {"Acting-Staff": f"{role.value}-1"})

    async def _strangers(self, endpoint: Endpoint) -> None:
        """No token, a revoked one, a wrong one; and a valid one in someone else's name."""
        tokens = self.world.tokens
        cases: list[tuple[str, str | None, dict[str, str], str]] = [
            ("no token", None, {}, "unauthenticated"),
            ("a revoked token", self.world.revoked, {}, "unauthenticated"),
            ("a wrong token", WRONG, {}, "unauthenticated"),
            ("an admin as someone else", tokens["admin"], {"Acting-Staff": "head_admin-1"}, "acting_not_allowed"),
            ("the game server for an unknown member", tokens["game_server"], {"Acting-Staff": "nobody-1"}, "unknown_staff"),
        ]
        for who, token, headers, code in cases:
            answer = await self._ask(endpoint, token, headers)
            if endpoint.public:
                self._note(endpoint, who, answer, good=answer.status not in {401, 403})
            else:
                self._note(endpoint, who, answer, good=answer.code == code)

    async def _role(self, endpoint: Endpoint, role: Role, token: str, headers: Mapping[str, str]) -> None:
        answer = await self._ask(endpoint, token, headers)
        denial = (endpoint.role_code or {}).get(role, "forbidden")
        allowed = endpoint.public or role in endpoint.roles
        refused_for_the_case = answer.code in OF_THE_CASE.intersection(endpoint.codes)
        good = answer.status not in {401, 403} or refused_for_the_case if allowed else (answer.status, answer.code) == (403, denial)
        self._note(endpoint, f"{role.value}{' through the game server' if headers else ''}", answer, good=good)

    async def _ask(self, endpoint: Endpoint, token: str | None, headers: Mapping[str, str]) -> Answer:
        self.asked += 1
        body: Any = endpoint.body_example
        answer = await self.client.request(endpoint.method, path_of(endpoint), token=token, body=body, headers=headers)
        self.statuses[answer.status] += 1
        return answer

    def _note(self, endpoint: Endpoint, who: str, answer: Answer, *, good: bool) -> None:
        if not good or answer.status >= 500:
            self.wrong.append(f"{endpoint.method} {endpoint.path} by {who}: {answer.status} {answer.code}")


def undeclared(app: FastAPI) -> list[str]:
    """What answers without a declaration: any route of the framework's own, and more paths in the service's table than are declared."""
    assert isinstance(app, Gateway)
    table: Any = app._server.table
    declared = {(endpoint.method, re.sub("{[^}]*}", "{}", endpoint.path)) for endpoint in app.state.endpoints}
    served = set(_served(table._root, ""))
    return [*(str(route) for route in app.router.routes), *(f"{method} {path}" for method, path in sorted(served - declared))]


def _served(node: Any, path: str) -> Iterator[tuple[str, str]]:
    for method in node.leaf.runs if node.leaf is not None else ():
        if method != "HEAD":
            yield method, path
    for segment, following in node.fixed.items():
        yield from _served(following, f"{path}/{segment}")
    if node.any is not None:
        yield from _served(node.any, f"{path}/{{}}")


async def test_every_operation_answers_every_role_as_declared(world: World, request: pytest.FixtureRequest) -> None:
    async with world.gateway() as gateway, Client(port=gateway.port) as client:
        matrix = Matrix(world, client)
        await matrix.check(ENDPOINTS)
    print(*matrix.wrong, sep="\n")
    figure(request, f"15: {len(ENDPOINTS)} operations, {matrix.asked} questions, {len(matrix.wrong)} not as declared; {dict(matrix.statuses)}")
    assert matrix.wrong == []


async def test_control_a_declaration_that_the_service_does_not_keep_is_seen(world: World) -> None:
    endpoint = next(one for one in ENDPOINTS if one.path == "/v1/incidents")
    wider = dataclasses.replace(endpoint, roles=EVERYONE, role_code=None)
    narrower = dataclasses.replace(endpoint, roles=frozenset({Role.HEAD_ADMIN}))
    async with world.gateway() as gateway, Client(port=gateway.port) as client:
        for altered in (wider, narrower):
            matrix = Matrix(world, client)
            await matrix.check([altered])
            assert matrix.wrong != []


def test_no_route_exists_without_a_declaration() -> None:
    assert undeclared(create_app(SETTINGS)) == []


def test_control_a_route_beside_the_declarations_is_seen() -> None:
    app = create_app(SETTINGS)

    async def open_door() -> None:
        return None

    app.add_api_route("/v1/open-door", open_door, methods=["POST"])
    assert undeclared(app) != []
