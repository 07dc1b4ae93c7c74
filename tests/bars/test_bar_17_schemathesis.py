"""Bar 17: schemathesis, all phases, finds nothing in the API; no 5xx; every non-2xx is a problem document with a code that the operation declares."""

from __future__ import annotations

import asyncio

import pytest

from services.gateway.routes import ENDPOINTS
from tests.bars.harness.exploring import Findings, explore, shares
from tests.bars.harness.lying import HANDLERS, LIES
from tests.bars.harness.scale import SCALE, SEED, figure
from tests.bars.harness.world import World

pytestmark = [pytest.mark.bar(17), pytest.mark.timeout(3600)]

CASES = 20_000
EXAMPLES = 130 if SCALE >= 1 else 4
COVERED = min(1.0, SCALE * 2)
"""The share of the operations that go through the phase of coverage, which has 8,000 cases at whatever size: a fifth of them at a tenth."""
REACHED = 0.5
"""The share of the operations of which a request must have succeeded: a run that is refused everywhere has tested nothing."""
PROCESSES = 2


async def test_schemathesis_finds_nothing(world: World, request: pytest.FixtureRequest) -> None:
    found, seed = Findings(), SEED
    async with world.gateway() as gateway:
        while not found.cases or (found.cases < CASES * SCALE and not (found.failed or found.bad)):
            runs = [
                explore(world, gateway, share, examples=EXAMPLES, seed=seed + number, covered=COVERED)
                for number, share in enumerate(shares(ENDPOINTS, PROCESSES))
            ]
            for one in await asyncio.gather(*runs):
                found.add(one)
            seed += PROCESSES
    operations = {f"{endpoint.method} {endpoint.path}" for endpoint in ENDPOINTS}
    reached = f"{len(found.asked)} of {len(operations)} operations asked, {len(found.succeeded)} with success"
    seen = f"{len(found.failed)} runs with findings, {found.server_errors} times 5xx, {len(found.bad)} answers undeclared or no problem document"
    figure(request, f"17: {found.cases} cases of schemathesis, {reached}: {seen}; {dict(found.counts)}")
    assert sorted(set(found.bad)) == []
    assert found.server_errors == 0
    assert found.failed == [], found.words[-12000:]
    assert found.asked == operations
    assert len(found.succeeded) >= len(operations) * REACHED, sorted(operations - found.succeeded)
    assert found.cases >= CASES * SCALE


async def test_control_every_wrong_description_is_found(world: World) -> None:
    async with world.gateway(broken="lie-in-description") as gateway:
        found = await explore(world, gateway, LIES, examples=5, seed=SEED)
    assert found.failed
    missed = [name for name in HANDLERS if f"_ GET /v1/lying/{name} _" not in found.words]
    assert missed == [], found.words
    undeclared = {one.split(":")[0].rsplit("/", 1)[1] for one in found.bad}
    assert undeclared == {"plain-refusal", "other-code", "other-header"}
