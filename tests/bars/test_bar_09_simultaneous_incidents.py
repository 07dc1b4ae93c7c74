"""Bar 9: eight incidents at once on each of 300 players end as if they had been decided one after another."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack, closing
from typing import Any

import pytest

from tests.bars.harness.audit import torn
from tests.bars.harness.http1 import Answer, Client
from tests.bars.harness.ladder import CELLS, PERMANENT, expected, moment, observed
from tests.bars.harness.scale import chance, figure, scaled
from tests.bars.harness.world import World

pytestmark = [pytest.mark.bar(9), pytest.mark.timeout(1200)]

AT_ONCE = 8
Plan = dict[str, list[str]]


def plans(count: int) -> Plan:
    """Eight infractions for each player."""
    rng = chance(9)
    return {f"p-{number}": rng.choices(sorted(CELLS), k=AT_ONCE) for number in range(count)}


class Staff:
    """Eight members of staff, each on one of the workers, who all act on one player at once."""

    def __init__(self, world: World, ports: Sequence[int]) -> None:
        self.token = world.tokens["admin"]
        self.clients = [Client(port=ports[number % len(ports)]) for number in range(AT_ONCE)]

    def close(self) -> None:
        """Everybody leaves."""
        for client in self.clients:
            client.close()

    async def charge(self, player_id: str, infractions: Sequence[str]) -> list[Answer]:
        """The answers, one for each infraction."""
        bodies = [{"player_id": player_id, "offenses": [{"infraction": infraction}]} for infraction in infractions]
        sent = [c.request("POST", "/v1/incidents", token=self.token, body=body) for c, body in zip(self.clients, bodies, strict=True)]
        return list(await asyncio.gather(*sent))

    async def read(self, path: str) -> Any:
        """What a path says."""
        answer = await self.clients[0].request("GET", path, token=self.token)
        assert answer.status == 200
        return answer.json


async def act(staff: Staff, plan: Plan) -> list[int]:
    """All players' incidents; the statuses."""
    return [answer.status for player_id, infractions in plan.items() for answer in await staff.charge(player_id, infractions)]


async def differences(staff: Staff, plan: Plan) -> list[str]:
    """Where a record is other than the oracle has it, in the order in which the incidents were recorded."""
    found = []
    for player_id, infractions in plan.items():
        incidents = list(reversed((await staff.read(f"/v1/players/{player_id}/incidents?limit=200"))["items"]))
        charged = [incident["assessment"][0]["infraction"] for incident in incidents]
        if sorted(charged) != sorted(infractions):
            found.append(f"{player_id}: charged {charged}, not {infractions}")
            continue
        moments = [moment(incident["decided_at"]) for incident in incidents]
        wanted = expected(list(zip(charged, moments, strict=True)))
        if [observed(incident) for incident in incidents] != wanted:
            found.append(f"{player_id}: {[observed(incident) for incident in incidents]}, not {wanted}")
        standing = await staff.read(f"/v1/players/{player_id}/standing")
        permanent = any(step.ends == PERMANENT for step in wanted)
        if (standing["strikes"], standing["ban"]["permanent"], standing["version"]) != (AT_ONCE, permanent, AT_ONCE):
            found.append(f"{player_id}: stands {standing}")
    return found


async def test_simultaneous_incidents_equal_sequential_ones(world: World, request: pytest.FixtureRequest) -> None:
    plan = plans(scaled(300))
    async with world.gateways(2) as both, AsyncExitStack() as stack:
        staff = stack.enter_context(closing(Staff(world, [gateway.port for gateway in both])))
        statuses = await act(staff, plan)
        found = await differences(staff, plan)
    figure(request, f"9: {len(plan)} players x {AT_ONCE} simultaneous incidents on 2 workers: {len(found)} records unlike the sequential oracle's")
    assert set(statuses) == {201}
    assert found == []
    assert await torn(world) == 0


async def test_control_read_modify_write_is_seen_to_lose_strikes(world: World) -> None:
    plan = plans(4)
    async with world.gateways(2, broken="force-appends") as both, AsyncExitStack() as stack:
        staff = stack.enter_context(closing(Staff(world, [gateway.port for gateway in both])))
        statuses = await act(staff, plan)
        found = await differences(staff, plan)
    assert set(statuses) == {201}
    assert found != []
