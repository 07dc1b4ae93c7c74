"""Bar 25: read models rebuilt at half the rate, at least, at which the same rows can be COPYed out and decoded; and how that grows with the log.

BENCH_EVENTS is the log's size. BENCH_GROWTH=1 measures logs of 10^4, 10^5 and 10^6 events too (BENCH_SIZES="10000 100000" other ones).
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from tests.bench.harness.incidents import fill
from tests.bench.harness.rebuilds import Cost, cost
from tests.support.database import Server, run, server

WANTED, LINEAR = 0.5, 1.2
EVENTS, SIZES = "200000", "10000 100000 1000000"
NAMES = {
    "copy": "COPY out",
    "plain": "COPY, msgspec to dicts",
    "typed": "COPY, msgspec to events",
    "standing": "rebuild of standing",
    "all": "rebuild of all tables",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """The passes over one log, and its size on disk in bytes, indexes included."""

    passes: dict[str, Cost]
    stored: int
    filled: float

    @property
    def events(self) -> int:
        """How many."""
        return self.passes["standing"].events

    @property
    def ceiling(self) -> Cost:
        """COPY and decode, in the faster of the two ways."""
        return max(self.passes["plain"], self.passes["typed"], key=lambda one: one.rate)

    def ratio(self, name: str) -> float:
        """By the clock."""
        return self.passes[name].rate / self.ceiling.rate

    @property
    def reached(self) -> bool:
        """Whether `standing` and all tables are rebuilt fast enough."""
        return min(self.ratio("standing"), self.ratio("all")) >= WANTED

    def lines(self) -> list[str]:
        """For people."""
        bytes_each = self.stored / self.events
        lines = [f"{self.events:,} events, {self.stored / 2**20:,.0f} MB stored ({bytes_each:,.0f} bytes each), filled in {self.filled:.0f} s"]
        for name, one in self.passes.items():
            text = f"{NAMES[name]:24} {one.rate:9,.0f}/s  {1e6 * one.cpu / one.events:6.1f} us of CPU each  {one.peak / 2**20:6,.0f} MB at most"
            if name in ("standing", "all"):
                by_cpu = one.cpu_rate / self.ceiling.cpu_rate
                text += f"  {self.ratio(name):.2f} of the ceiling (by CPU {by_cpu:.2f}), wanted {WANTED}"
            lines.append(text)
        return lines


def measure(dsn: str, events: int, modes: Sequence[str] = tuple(NAMES)) -> Figures:
    """On a database of its own with a log of so many events."""
    databases = Server.prepare(dsn, "mod_template_bench")
    database = databases.create("mod_bench")
    try:
        began = time.perf_counter()
        fill(database, events)
        filled = time.perf_counter() - began
        stored = run(database.superuser, "SELECT pg_total_relation_size('events') AS size")[0]["size"]
        passes = {mode: cost(mode, database) for mode in modes}
    finally:
        databases.drop(database.name)
        databases.drop(databases.template)
    return Figures(passes=passes, stored=stored, filled=filled)


def growth(figures: Sequence[Figures], name: str) -> tuple[float, list[str]]:
    """How many times the CPU of the cheapest log's event the dearest log's one takes (1: linear), and lines for people."""
    lines = []
    for one in figures:
        did = one.passes[name]
        each, peak = 1e6 * did.cpu / did.events, did.peak / 2**20
        lines.append(f"{NAMES[name]:24} {one.events:>10,} events  {did.seconds:8.1f} s  {each:6.1f} us of CPU each  {peak:7,.0f} MB at most")
    costs = [one.passes[name].cpu / one.events for one in figures]
    return max(costs) / min(costs), lines


def main() -> int:
    """Print the figures; 0 when the bar is reached."""
    with server() as dsn:
        figures = measure(dsn, int(os.environ.get("BENCH_EVENTS", EVENTS)))
        print("\n".join(figures.lines()), flush=True)
        reached = figures.reached
        if os.environ.get("BENCH_GROWTH") == "1":
            sizes = [int(size) for size in os.environ.get("BENCH_SIZES", SIZES).split()]
            grown = [measure(dsn, size, ("standing", "all")) for size in sizes]
            for name in ("standing", "all"):
                worst, lines = growth(grown, name)
                print("\n".join([*lines, f"{NAMES[name]:24} {worst:.2f} between the cheapest and the dearest event, wanted {LINEAR} at most"]))
                reached = reached and worst <= LINEAR
    print(f"bar 25: {'reached' if reached else 'NOT reached'}; load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
