"""Bar 22: the standing over HTTP beside a bare Starlette route with 200 bytes, same server and settings, one worker, 32 connections."""

from __future__ import annotations

import os
import sys

from tests.bench.harness.load import Compared, Load, alternately
from tests.bench.harness.players import imported, players
from tests.bench.harness.sides import seeded, started
from tests.support.database import Server, server

RATIO, SPREAD = 0.6, 5.0
PLAYERS = 1000


def measure(dsn: str, *, rounds: int, seconds: float) -> Compared:
    """On a database of its own, with a thousand players, half of whom have a ban."""
    prepared = Server.prepare(dsn, "mod_template_bench")
    database = prepared.create("mod_bench")
    try:
        tokens = seeded(database)
        names = players(PLAYERS)
        load = Load(lines=[f"GET /v1/players/{name}/standing" for name in names], headers={"Authorization": f"Bearer {tokens.game_server}"})
        with started("service", database) as service, started("bare", database) as bare:
            imported(service, tokens.staff["head-1"], names[::2])
            return alternately(lambda: load.run(service, seconds), lambda: load.run(bare, seconds), rounds)
    finally:
        prepared.drop(database.name)
        prepared.drop(prepared.template)


def main() -> int:
    """Print the figures; 0 when the bar is reached. BENCH_ROUNDS and BENCH_SECONDS make it longer."""
    with server() as dsn:
        figures = measure(dsn, rounds=int(os.environ.get("BENCH_ROUNDS", "3")), seconds=float(os.environ.get("BENCH_SECONDS", "3")))
    spread = figures.ours.p99 / figures.ours.p50
    reached = figures.ratio >= RATIO and spread < SPREAD
    print("\n".join(figures.lines("standing", "bare Starlette route, 200 bytes")))
    print(f"standing / bare      {figures.ratio:6.2f}   wanted {RATIO}   (by CPU a request {figures.cpu_ratio:.2f})")
    print(f"p99 / p50            {spread:6.2f}   wanted under {SPREAD:.0f}")
    print(f"bar 22: {'reached' if reached else 'NOT reached'}")
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
