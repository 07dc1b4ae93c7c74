"""Bar 8: of sixteen who decide the same thing at once, over two worker processes, one wins and fifteen are told so.

The contenders here are members of staff with the same page open: on one version of a record (If-Match), and on one act (`external_id`).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack, closing
from typing import Any

import pytest

from tests.bars.harness.audit import torn
from tests.bars.harness.http1 import Answer, Client
from tests.bars.harness.scale import chance, figure, scaled
from tests.bars.harness.world import World

pytestmark = [pytest.mark.bar(8), pytest.mark.timeout(1200)]

CONTENDERS = 16


class Ring:
    """Sixteen contenders, half on each worker."""

    def __init__(self, world: World, ports: Sequence[int]) -> None:
        self.token = world.tokens["admin"]
        self.clients = [Client(port=ports[number % len(ports)]) for number in range(CONTENDERS)]

    def close(self) -> None:
        """Everybody leaves."""
        for client in self.clients:
            client.close()

    async def round(self, body: Mapping[str, Any], headers: Mapping[str, str]) -> Counter[str]:
        """All at once; how often each outcome occurred ("201", or a problem's code)."""
        answers: list[Answer] = list(
            await asyncio.gather(*(c.request("POST", "/v1/incidents", token=self.token, body=body, headers=headers) for c in self.clients))
        )
        return Counter(answer.code or str(answer.status) for answer in answers)


def bout(number: int, *, by_version: bool, version: int) -> tuple[dict[str, Any], dict[str, str]]:
    """The command of a round, and its headers."""
    if by_version:
        return {"player_id": "contended", "offenses": [{"infraction": "inexperience"}]}, {"If-Match": f'"{version}"'}
    return {"player_id": f"p-{number}", "offenses": [{"infraction": "spam-major"}], "external_id": f"report-{number}"}, {}


async def test_one_of_sixteen_wins_each_round(world: World, request: pytest.FixtureRequest) -> None:
    rounds, rng = scaled(500), chance(8)
    won: Counter[int] = Counter()
    lost: Counter[str] = Counter()
    version = 0
    async with world.gateways(2) as both, AsyncExitStack() as stack:
        ring = stack.enter_context(closing(Ring(world, [gateway.port for gateway in both])))
        for number in range(rounds):
            by_version = rng.random() < 0.5
            seen = await ring.round(*bout(number, by_version=by_version, version=version))
            won[seen.pop("201", 0)] += 1
            version += by_version
            lost.update(seen)
    figure(request, f"8: {rounds} rounds of {CONTENDERS}: winners per round {dict(won)}, the others {dict(lost)}")
    assert won == {1: rounds}
    assert lost.keys() <= {"stale_version", "incident_exists"}
    assert lost.total() == rounds * (CONTENDERS - 1)
    assert await torn(world) == 0


@pytest.mark.parametrize("by_version", [True, False])
async def test_control_appends_without_an_expected_version_are_seen_to_have_many_winners(world: World, *, by_version: bool) -> None:
    async with world.gateways(2, broken="force-appends") as both, AsyncExitStack() as stack:
        ring = stack.enter_context(closing(Ring(world, [gateway.port for gateway in both])))
        seen = [await ring.round(*bout(number, by_version=by_version, version=0)) for number in range(1 if by_version else 3)]
    assert max(counts["201"] for counts in seen) > 1
