"""Runs of schemathesis: processes of its command line, each with a share of the operations, over one gateway."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from services.gateway.app import describe
from shared.http.endpoint import Endpoint
from tests.bars.harness.gateway import ROOT, Gateway
from tests.bars.harness.scale import chance
from tests.bars.harness.world import World

REPLACED = "positive_data_acceptance,negative_data_rejection,not_a_server_error"  # by checks of our own, see fuzzing.py
PHASES = "examples,coverage,fuzzing,stateful"


@dataclass(slots=True, kw_only=True)
class Findings:
    """What schemathesis said.

    Exit codes that are not 0 (a finding) and its words then, the replies by status, what our own checks found, and the operations that were asked and
    those of which a request succeeded.
    """

    failed: list[int] = field(default_factory=list)
    words: str = ""
    counts: Counter[str] = field(default_factory=Counter)
    bad: list[str] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    succeeded: set[str] = field(default_factory=set)

    @property
    def cases(self) -> int:
        """How many replies there were."""
        return self.counts.total()

    @property
    def server_errors(self) -> int:
        """How many of them were 5xx."""
        return sum(count for status, count in self.counts.items() if status.startswith("5") and len(status) == 3)

    def add(self, other: Findings) -> Self:
        """With those of another run."""
        self.failed += other.failed
        self.words += other.words
        self.counts += other.counts
        self.bad += other.bad
        self.asked |= other.asked
        self.succeeded |= other.succeeded
        return self


def shares(endpoints: Sequence[Endpoint], count: int) -> list[list[Endpoint]]:
    """The operations in so many shares: what has the first tag in common stays together, for one leads to the other."""
    by_tag: dict[str, list[Endpoint]] = {}
    for endpoint in endpoints:
        by_tag.setdefault(endpoint.tags[0], []).append(endpoint)
    made: list[list[Endpoint]] = [[] for _ in range(count)]
    for _, group in sorted(by_tag.items(), key=lambda entry: (-len(entry[1]), entry[0])):
        min(made, key=len).extend(group)
    return made


async def explore(
    world: World, gateway: Gateway, endpoints: Sequence[Endpoint], *, examples: int, seed: int, covered: float = 1.0, name: str = "run"
) -> Findings:
    """Let schemathesis loose on these operations of the gateway, a share of them (`covered`) in the phase of coverage, too."""
    folder = world.folder / f"{name}-{seed}"
    folder.mkdir()
    counts, document = folder / "counts.json", folder / "openapi.json"
    document.write_text(json.dumps(describe(endpoints)))
    (folder / "schemathesis.toml").write_text(_configuration(endpoints, covered, seed))
    run, url = Path(sys.executable).with_name("schemathesis"), f"http://127.0.0.1:{gateway.port}"
    options = ["--url", url, "--phases", PHASES, "--max-examples", str(examples), "--checks", "all", "--exclude-checks", REPLACED]
    environment = {
        **os.environ, "PYTHONPATH": str(ROOT), "SCHEMATHESIS_HOOKS": "tests.bars.harness.fuzzing", "BARS_TOKENS": json.dumps(world.tokens),
        "BARS_COUNTS": str(counts), "BARS_SEED": str(seed),
    }  # fmt: skip
    process = await asyncio.create_subprocess_exec(
        run, "run", document.name, *options, "--no-color", "--continue-on-failure", "--seed", str(seed),
        cwd=folder, env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        words, errors = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    if not counts.exists():
        return Findings(failed=[process.returncode or 1], words=words.decode(), bad=[errors.decode()[-2000:] or "no request at all"])
    told: dict[str, Any] = json.loads(counts.read_text())
    return Findings(
        failed=[process.returncode] if process.returncode else [], words=words.decode() if process.returncode else "", counts=Counter(told["counts"]),
        bad=told["bad"], asked=set(told["asked"]), succeeded=set(told["succeeded"]),
    )  # fmt: skip


def _configuration(endpoints: Sequence[Endpoint], covered: float, seed: int) -> str:
    """Schemathesis' own, which leaves a random part of the operations out of the phase of coverage."""
    names = sorted(endpoint.name for endpoint in endpoints)
    left_out = chance(1700 + seed).sample(names, k=len(names) - round(len(names) * covered))
    return "\n".join(f'[[operations]]\ninclude-operation-id = "{name}"\nphases.coverage.enabled = false\n' for name in left_out)
