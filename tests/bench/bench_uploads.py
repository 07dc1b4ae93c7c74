"""Standings while a hundred pictures of 20 MB are uploaded at once, and one more among them.

In turn the read alone, and beside the uploads until the last of them is answered. The uploads together come as fast as a line of 1 Gbit/s brings them
(`BENCH_RATE` bytes a second; `BENCH_UPLOADS` how many). A machine that others use has bad moments of its own, so the halves of what was read alone
are set against each other, too: no ratio can be told more exactly than theirs.
"""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.bench.harness.players import imported, players
from tests.bench.harness.sides import ROOT, Side, seeded, started
from tests.support.database import Server, server
from tests.support.images import photo

LENGTH = 20_000_000
RATIO = 1.2
READS_A_SECOND = 100.0
FIRST_SECONDS = 50.0
LONGEST_SECONDS = 600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """Milliseconds that each read took alone and beside the uploads, and what the uploader says."""

    alone: list[float]
    beside: list[float]
    uploads: dict[str, Any]

    @property
    def ratio(self) -> float:
        """By how much the p95 grew."""
        return p95(self.beside) / p95(self.alone)

    @property
    def noise(self) -> float:
        """By how much it differs without any upload: the worse half of the time alone over the better."""
        middle = len(self.alone) // 2
        first, second = p95(self.alone[:middle]), p95(self.alone[middle:])
        return max(first, second) / min(first, second)


def p95(took: list[float]) -> float:
    """The time that 95 of 100 stay under."""
    return sorted(took)[len(took) * 95 // 100]


def run(module: str, *words: str) -> subprocess.Popen[bytes]:
    """A process of the harness."""
    command = [sys.executable, "-m", f"tests.bench.harness.{module}", *words]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)})


def reading(side: Side, token: str, seconds: float) -> subprocess.Popen[bytes]:
    """The reader, started."""
    return run("reader", str(side.port), token, str(READS_A_SECOND), str(seconds))


def said(process: subprocess.Popen[bytes]) -> Any:
    """What a process printed."""
    return json.loads(process.communicate()[0])


def one_round(side: Side, token: str, picture: Path, name: str, *, seconds: float, count: int, rate: float) -> Round:
    """Alone for so many seconds, then beside the uploads until they are answered."""
    alone = said(reading(side, token, seconds))
    reader = reading(side, token, LONGEST_SECONDS)
    uploads = said(run("uploader", str(side.port), token, str(picture), name, str(count), str(rate)))
    reader.send_signal(signal.SIGTERM)
    return Round(alone=alone, beside=said(reader), uploads=uploads)


def measure(dsn: str, *, rounds: int, count: int, rate: float) -> list[Round]:
    """On a database of its own, with five hundred players; each time alone is as long as the uploads before it took."""
    prepared = Server.prepare(dsn, "mod_template_bench")
    database = prepared.create("mod_bench")
    seen, seconds = list[Round](), FIRST_SECONDS
    try:
        tokens = seeded(database)
        with tempfile.TemporaryDirectory() as folder:
            os.environ["BENCH_MEDIA"] = str(Path(folder) / "media")
            picture = Path(folder) / "picture.jpg"
            picture.write_bytes(photo(LENGTH))
            with started("service", database) as service:
                imported(service, tokens.staff["head-1"], players(500))
                said(reading(service, tokens.game_server, 2))
                for number in range(rounds):
                    seen.append(one_round(service, tokens.game_server, picture, f"round-{number}", seconds=seconds, count=count, rate=rate))
                    told(seen[-1], count)
                    seconds = seen[-1].uploads["seconds"]
                return seen
    finally:
        prepared.drop(database.name)
        prepared.drop(prepared.template)


def told(seen: Round, count: int) -> None:
    """A round's figures."""
    print(
        f"standing alone p50 {statistics.median(seen.alone):5.2f} ms p95 {p95(seen.alone):5.2f} ms; beside {count} uploads of 20 MB p50 "
        f"{statistics.median(seen.beside):5.2f} ms p95 {p95(seen.beside):5.2f} ms: {seen.ratio:.2f} (halves alone: {seen.noise:.2f}); uploads took "
        f"{seen.uploads['seconds']:.0f} s, one more in their midst {seen.uploads['one_more']:.0f} s: {seen.uploads['statuses']}",
        flush=True,
    )


def main() -> int:
    """Print the figures; 0 when the p95 stays within a fifth. BENCH_ROUNDS, BENCH_UPLOADS and BENCH_RATE change the size."""
    count, rate = int(os.environ.get("BENCH_UPLOADS", "100")), float(os.environ.get("BENCH_RATE", "125e6"))
    with server() as dsn:
        rounds = measure(dsn, rounds=int(os.environ.get("BENCH_ROUNDS", "3")), count=count, rate=rate)
    statuses = Counter[str]()
    for seen in rounds:
        statuses.update(seen.uploads["statuses"])
    alone, beside = (p95([took for seen in rounds for took in getattr(seen, side)]) for side in ("alone", "beside"))
    ratio = statistics.median(seen.ratio for seen in rounds)
    print(f"p95 of all reads     {beside / alone:6.2f} = {beside:.2f} ms / {alone:.2f} ms")
    print(f"p95 beside / alone   {ratio:6.2f}   median of the rounds, wanted at most {RATIO}; load {os.getloadavg()[0]:.1f}")
    reached = ratio <= RATIO and statuses.keys() <= {"200", "201"}
    print(f"uploads: {'reached' if reached else 'NOT reached'}")
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
