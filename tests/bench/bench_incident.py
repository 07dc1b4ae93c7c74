"""Bar 23: an incident decided over HTTP (decide, append, project, idempotency, durable commit) beside a FastAPI POST that validates the same body."""

from __future__ import annotations

import json
import os
import sys

from tests.bench.harness.load import Compared, Load, alternately
from tests.bench.harness.players import players
from tests.bench.harness.sides import seeded, started
from tests.support.database import Server, server

RATIO = 0.5
PLAYERS = 100_000


def lines() -> list[str]:
    """Incidents of many players, one each: with so many a record stays short however long it runs."""
    body = {"offenses": [{"infraction": "spam-major", "description": "Advertised another site in the lobby, four times."}], "duel_id": "d-7"}
    return [f"POST /v1/incidents {json.dumps({'player_id': name, **body})}" for name in players(PLAYERS)]


def measure(dsn: str, *, rounds: int, seconds: float) -> Compared:
    """On a database of its own."""
    prepared = Server.prepare(dsn, "mod_template_bench")
    database = prepared.create("mod_bench")
    try:
        headers = {"Authorization": f"Bearer {seeded(database).staff['admin-1']}", "Content-Type": "application/json"}
        load = Load(lines=lines(), headers=headers, keyed=True)
        with started("service", database) as service, started("empty", database) as empty:
            return alternately(lambda: load.run(service, seconds), lambda: load.run(empty, seconds), rounds)
    finally:
        prepared.drop(database.name)
        prepared.drop(prepared.template)


def main() -> int:
    """Print the figures; 0 when the bar is reached. BENCH_ROUNDS and BENCH_SECONDS make it longer."""
    with server() as dsn:
        figures = measure(dsn, rounds=int(os.environ.get("BENCH_ROUNDS", "3")), seconds=float(os.environ.get("BENCH_SECONDS", "3")))
    print("\n".join(figures.lines("incident decided", "empty FastAPI POST")))
    print(f"incident / empty     {figures.ratio:6.2f}   wanted {RATIO}   (by CPU a request {figures.cpu_ratio:.2f})")
    print(f"bar 23: {'reached' if figures.ratio >= RATIO else 'NOT reached'}")
    return 0 if figures.ratio >= RATIO else 1


if __name__ == "__main__":
    sys.exit(main())
