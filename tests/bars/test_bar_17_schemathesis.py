"""Bar 17: schemathesis, all phases, finds nothing in the API; no 5xx; every non-2xx is a problem document."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from services.gateway.routes import ENDPOINTS
from tests.bars.harness.gateway import ROOT, Gateway
from tests.bars.harness.scale import SCALE, SEED, chance, figure
from tests.bars.harness.world import World

pytestmark = [pytest.mark.bar(17), pytest.mark.timeout(3600)]

CASES = 20_000
REPLACED = "positive_data_acceptance,negative_data_rejection,not_a_server_error"  # by checks of our own, see harness/fuzzing.py


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What schemathesis said: its exit code (0: no finding), its words, the replies by status, and refusals that are no problem documents."""

    code: int
    words: str
    counts: dict[str, int]
    bad: list[str]

    @property
    def cases(self) -> int:
        """How many replies there were."""
        return sum(self.counts.values())


def command(port: int, examples: int, seed: int, *more: str) -> list[str]:
    """The command line of schemathesis."""
    run = Path(sys.executable).with_name("schemathesis")
    url = f"http://127.0.0.1:{port}"
    options = ["--url", url, "--phases", "examples,coverage,fuzzing,stateful", "--max-examples", str(examples), "--checks", "all"]
    quiet = ["--exclude-checks", REPLACED, "--no-color", "--continue-on-failure", "--seed", str(seed)]
    return [str(run), "run", f"{url}/openapi.json", *options, *quiet, *more]


def parts(share: float) -> Iterator[list[str]]:
    """Options that name a part of the API's paths, part after part in a random order and over again; at full size all of them each time."""
    paths = sorted({endpoint.path for endpoint in ENDPOINTS})
    chance(17).shuffle(paths)
    size = max(12, round(len(paths) * share))
    while True:
        for begin in range(0, len(paths), size):
            yield [option for path in paths[begin : begin + size] for option in ("--include-path", path)]


async def explore(world: World, gateway: Gateway, examples: int, *more: str, seed: int = SEED) -> Findings:
    """Let schemathesis loose on the gateway."""
    counts = world.folder / "counts.json"
    environment = {
        **os.environ, "PYTHONPATH": str(ROOT), "SCHEMATHESIS_HOOKS": "tests.bars.harness.fuzzing", "BARS_TOKENS": json.dumps(world.tokens),
        "BARS_COUNTS": str(counts),
    }  # fmt: skip
    done = await asyncio.to_thread(
        subprocess.run, command(gateway.port, examples, seed, *more), cwd=world.folder, env=environment, capture_output=True, text=True, check=False
    )
    found: dict[str, Any] = json.loads(counts.read_text()) if counts.exists() else {"counts": {}, "bad": [done.stderr]}
    return Findings(code=done.returncode, words=done.stdout, counts=found["counts"], bad=found["bad"])


async def test_schemathesis_finds_nothing(world: World, request: pytest.FixtureRequest) -> None:
    examples = 300 if SCALE >= 1 else 20
    counts: Counter[str] = Counter()
    async with world.gateway() as gateway:
        for seed, part in enumerate(parts(min(1.0, SCALE * 3)), SEED):
            found = await explore(world, gateway, examples, *part, seed=seed)
            counts.update(found.counts)
            failed = sum(count for status, count in found.counts.items() if status.startswith("5") and len(status) == 3)
            if found.code or found.bad or failed or counts.total() >= CASES * SCALE:
                break
    seen = f"exit code {found.code}, {failed} times 5xx, {len(found.bad)} refusals that are no problem document; {dict(counts)}"
    figure(request, f"17: {counts.total()} cases of schemathesis: {seen}")
    assert found.bad == []
    assert failed == 0
    assert found.code == 0, found.words[-6000:]
    assert counts.total() >= CASES * SCALE


@pytest.mark.parametrize("lie", ["other-shape", "plain-refusal", "division"])
async def test_control_a_wrong_description_is_found(world: World, lie: str) -> None:
    async with world.gateway(broken="lie-in-description") as gateway:
        found = await explore(world, gateway, 20, "--include-path", f"/v1/lying/{lie}")
    assert found.code != 0
    assert found.cases > 0
