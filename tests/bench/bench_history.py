"""Bar 26: a player of 1,000 events folded and returned in under 10 ms of CPU, and a standing that costs the same however long the history is.

Also the memory of the service under this load.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

from tests.bench.harness.load import CONNECTIONS, Load, Round, alternately
from tests.bench.harness.long_records import recorded
from tests.bench.harness.sides import Side, seeded, started
from tests.support.database import Server, server

FOLDED_MS, EVEN, MEMORY_MB = 10.0, 0.8, 200.0
SHORT, MIDDLE, LONG = "short", "middle", "long"
EVENTS = {SHORT: 1, MIDDLE: 1_000, LONG: 10_000}


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Milliseconds of CPU per request; `even` is what a standing of one event costs by one of ten thousand; megabytes."""

    as_of: float
    history: float
    even: float
    rates: tuple[float, float]
    idle_mb: float
    peak_mb: float

    @property
    def reached(self) -> bool:
        """Whether every figure is as wanted."""
        return max(self.as_of, self.history) < FOLDED_MS and self.even >= EVEN and self.peak_mb < MEMORY_MB

    def lines(self) -> list[str]:
        """For people."""
        return [
            f"standing as_of, 1,000 events   {self.as_of:8.2f} ms of CPU   wanted under {FOLDED_MS:.0f}",
            f"history, 200 of 1,000 events   {self.history:8.2f} ms of CPU   wanted under {FOLDED_MS:.0f}",
            f"standing, 1 event              {self.rates[0]:8,.0f}/s",
            f"standing, 10,000 events        {self.rates[1]:8,.0f}/s   {self.even:.2f} of the cost, wanted {EVEN} at least",
            f"memory of the service          {self.peak_mb:8.0f} MB at most ({self.idle_mb:.0f} MB before the load), wanted under {MEMORY_MB:.0f}",
            f"bar 26: {'reached' if self.reached else 'NOT reached'}",
        ]


def measure(dsn: str, *, rounds: int, seconds: float) -> Figures:
    """On a database of its own."""
    prepared = Server.prepare(dsn, "mod_template_bench")
    database = prepared.create("mod_bench")
    try:
        tokens = seeded(database)
        auditor, game = ({"Authorization": f"Bearer {token}"} for token in (tokens.staff["auditor-1"], tokens.game_server))
        recorded(database, EVENTS)
        with started("service", database) as service:
            idle = service.resident_bytes()

            def ask(path: str, headers: dict[str, str], connections: int = CONNECTIONS) -> Round:
                return Load(lines=[f"GET {path}"], headers=headers, connections=connections).run(service, seconds)

            compared = alternately(lambda: ask(_standing(LONG), game), lambda: ask(_standing(SHORT), game), rounds)
            as_of = ask(_standing(MIDDLE) + "?as_of=2026-06-01T00:00:00Z", game, 2)
            history = ask(f"/v1/players/{MIDDLE}/history?limit=200", auditor, 2)
            return Figures(
                as_of=as_of.cpu / 1000,
                history=history.cpu / 1000,
                even=compared.cpu_ratio,
                rates=(compared.other.rate, compared.ours.rate),
                idle_mb=idle / 2**20,
                peak_mb=_peak(service) / 2**20,
            )
    finally:
        prepared.drop(database.name)
        prepared.drop(prepared.template)


def _standing(name: str) -> str:
    return f"/v1/players/{name}/standing"


def _peak(service: Side) -> int:
    return service.resident_bytes("VmHWM")


def main() -> int:
    """Print the figures; 0 when the bar is reached. BENCH_ROUNDS and BENCH_SECONDS make it longer."""
    with server() as dsn:
        figures = measure(dsn, rounds=int(os.environ.get("BENCH_ROUNDS", "3")), seconds=float(os.environ.get("BENCH_SECONDS", "2")))
    print("\n".join(figures.lines()))
    return 0 if figures.reached else 1


if __name__ == "__main__":
    sys.exit(main())
