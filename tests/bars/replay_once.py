"""Folds the log in a file into all tables and prints their hashes: run by bar 7 under other hash seeds, time zones and clocks.

Arguments: the file, and by how many years the clock is wrong. A socket, or a look at the clock, ends it.
"""

from __future__ import annotations

import sys
import time
from datetime import timedelta
from pathlib import Path

import msgspec

from shared import clock
from shared.eventstore.envelope import StoredEvent
from shared.eventstore.schema import INLINE_TABLES
from shared.projections.canonical import TableHash
from shared.projections.folding import Folding
from tests.support.rebuilding import VIEWS, codec

LOOKS: list[str] = []


def no_sockets(event: str, _arguments: object) -> None:
    """An audit hook."""
    if event.startswith("socket."):
        raise RuntimeError(event)


class WrongClock(clock.SystemClock):
    """Years off; who asks is found out."""

    years = 0.0

    def now(self) -> object:  # type: ignore[override]
        LOOKS.append("now")
        return super().now() + timedelta(days=365 * self.years)


def main() -> int:
    events = msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=list[StoredEvent])
    WrongClock.years = float(sys.argv[2])
    clock.SystemClock = WrongClock  # type: ignore[misc]
    real, shift = time.time, 365 * 86400 * WrongClock.years

    def wrong() -> float:
        LOOKS.append("time")
        return real() + shift

    time.time = wrong
    folding = Folding(codec=codec(), views=VIEWS, tables=INLINE_TABLES)
    sys.addaudithook(no_sockets)
    for start in range(0, len(events), 500):
        folding.add(events[start : start + 500])
    folding.end()
    for name, rows in folding.rows.items():
        table = TableHash.of(name, rows)
        print(table.table, table.rows, table.sha256)
    print("unread", len(folding.unread), "looks at the clock", len(LOOKS))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
