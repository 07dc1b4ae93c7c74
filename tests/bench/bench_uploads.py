"""Standings while a hundred pictures of 20 MB are uploaded at once: the p95 of the read alone, then beside the uploads, in turn.

The uploads together come as fast as a line of 1 Gbit/s brings them (`BENCH_RATE` bytes a second; `BENCH_UPLOADS` how many), from a process that gives
way to the service and to the reader: in life it is on other machines.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tests.bars.harness.uploads import whole
from tests.bench.harness.players import imported, players
from tests.bench.harness.sides import ROOT, Side, seeded, started
from tests.support.database import Server, server
from tests.support.images import photo

LENGTH = 20_000_000
RATIO = 1.2
READS_A_SECOND = 100.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One round: the read's p50 and p95 in milliseconds alone and beside the uploads, how long these took, and their statuses."""

    alone: tuple[float, float]
    beside: tuple[float, float]
    seconds: float
    statuses: Counter[int]

    @property
    def ratio(self) -> float:
        """By how much the p95 grew."""
        return self.beside[1] / self.alone[1]


def reading(side: Side, token: str, seconds: float) -> subprocess.Popen[bytes]:
    """The reader, started."""
    words = [sys.executable, "-m", "tests.bench.harness.reader", str(side.port), token, str(READS_A_SECOND), str(seconds)]
    return subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)})


def percentiles(reader: subprocess.Popen[bytes]) -> tuple[float, float]:
    """What it saw: p50 and p95."""
    said, _ = reader.communicate()
    took = sorted(json.loads(said))
    return took[len(took) // 2], took[len(took) * 95 // 100]


async def uploading(side: Side, token: str, picture: bytes, count: int, rate: float, name: str) -> Counter[int]:
    """All at once, each with its share of the rate."""
    paths = [f"/v1/players/{name}-{number}/cosmetics/playmat" for number in range(count)]
    return Counter(await asyncio.gather(*(whole(side.port, path, token, picture, rate=rate / count) for path in paths)))


def one_round(side: Side, token: str, picture: bytes, number: int, *, count: int, rate: float) -> Round:
    """Alone for as long as the uploads take on the line, then beside them."""
    line = count * LENGTH / rate
    alone = percentiles(reading(side, token, line))
    reader = reading(side, token, line)
    began = time.monotonic()
    statuses = asyncio.run(uploading(side, token, picture, count, rate, f"round-{number}"))
    seconds = time.monotonic() - began
    return Round(alone=alone, beside=percentiles(reader), seconds=seconds, statuses=statuses)


def measure(dsn: str, *, rounds: int, count: int, rate: float) -> list[Round]:
    """On a database of its own, with five hundred players."""
    prepared = Server.prepare(dsn, "mod_template_bench")
    database = prepared.create("mod_bench")
    picture = photo(LENGTH)
    try:
        tokens = seeded(database)
        with tempfile.TemporaryDirectory() as folder:
            os.environ["BENCH_MEDIA"] = str(Path(folder) / "media")
            with started("service", database) as service:
                imported(service, tokens.staff["head-1"], players(500))
                percentiles(reading(service, tokens.game_server, 2))
                os.nice(10)  # from here on only the uploads run in this process
                return [one_round(service, tokens.game_server, picture, number, count=count, rate=rate) for number in range(rounds)]
    finally:
        prepared.drop(database.name)
        prepared.drop(prepared.template)


def main() -> int:
    """Print the figures; 0 when the p95 stays within a fifth. BENCH_ROUNDS, BENCH_UPLOADS and BENCH_RATE change the size."""
    count, rate = int(os.environ.get("BENCH_UPLOADS", "100")), float(os.environ.get("BENCH_RATE", "125e6"))
    with server() as dsn:
        rounds = measure(dsn, rounds=int(os.environ.get("BENCH_ROUNDS", "3")), count=count, rate=rate)
    for seen in rounds:
        print(
            f"standing alone p50 {seen.alone[0]:6.2f} ms p95 {seen.alone[1]:6.2f} ms; beside {count} uploads of 20 MB p50 {seen.beside[0]:6.2f} ms "
            f"p95 {seen.beside[1]:6.2f} ms; these took {seen.seconds:.0f} s: {dict(seen.statuses)}"
        )
    ratio = statistics.median(seen.ratio for seen in rounds)
    reached = ratio <= RATIO and all(seen.statuses.keys() <= {200, 201} for seen in rounds)
    print(f"p95 beside / alone   {ratio:6.2f}   wanted at most {RATIO}; load {os.getloadavg()[0]:.1f}")
    print(f"uploads: {'reached' if reached else 'NOT reached'}")
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
