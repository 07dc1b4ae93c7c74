"""One pass over a log, in a process of its own so that its memory is its own: reading, decoding, or rebuilding. Prints its cost as JSON."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec
import psycopg
import uvloop

from shared.projections.rebuild import Rebuilder
from tests.bench.harness.incidents import COLUMNS
from tests.support.database import Database, as_role
from tests.support.rebuilding import VIEWS, codec

_ROOT = Path(__file__).resolve().parents[3]
_TYPES = ("int8", "text", "int4", "text", "timestamptz", "text", "bytea", "bytea", "bytea")
_COPY = f"COPY (SELECT {', '.join(COLUMNS)} FROM events ORDER BY position) TO STDOUT (FORMAT BINARY)"  # noqa: S608  our own names


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Seconds of the clock, seconds of this process's CPU, the highest resident memory in bytes, and how many events there were."""

    events: int
    seconds: float
    cpu: float
    peak: int

    @property
    def rate(self) -> float:
        """Events a second."""
        return self.events / self.seconds

    @property
    def cpu_rate(self) -> float:
        """Events a second of the process's CPU, the steadier figure on a busy machine."""
        return self.events / self.cpu


def _copied(dsn: str, decoded: Callable[[str, bytes], object] | None) -> int:
    count = 0
    with psycopg.connect(dsn) as connection, connection.cursor() as cursor, cursor.copy(_COPY) as copy:
        copy.set_types(_TYPES)
        for row in copy.rows():
            count += 1
            if decoded is not None:
                decoded(row[3], row[7])
    return count


def _plain(_type: str, payload: bytes) -> object:
    return msgspec.json.decode(payload)


def _typed() -> Callable[[str, bytes], object]:
    """The decoders of the event classes; sealed fields stay sealed, as when a view is folded."""
    decoders = {form.type: form.decoder.decode for form in codec()._forms.values()}
    return lambda kind, payload: decoders[kind](payload)


def _rebuilt(dsn: str, tables: frozenset[str] | None) -> int:
    views = [view for view in VIEWS if tables is None or view.table in tables]
    done = uvloop.run(Rebuilder(dsn=as_role(dsn, "moderation_owner"), codec=codec(), views=views).rebuild())
    if done.unread:
        raise ValueError(done.unread[0])
    return done.position


MODES: dict[str, Callable[[str], int]] = {
    "copy": lambda dsn: _copied(dsn, None),
    "plain": lambda dsn: _copied(dsn, _plain),
    "typed": lambda dsn: _copied(dsn, _typed()),
    "standing": lambda dsn: _rebuilt(dsn, frozenset({"standing"})),
    "all": lambda dsn: _rebuilt(dsn, None),
}


def cost(mode: str, database: Database) -> Cost:
    """What one pass costs."""
    arguments = [sys.executable, "-m", "tests.bench.harness.rebuilds", mode, database.superuser]
    output = subprocess.run(arguments, cwd=_ROOT, check=True, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL).stdout
    return Cost(**json.loads(output))


def main(mode: str, dsn: str) -> None:
    """Run it here."""
    began, cpu = time.perf_counter(), time.process_time()
    events = MODES[mode](dsn)
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    lines = Path("/proc/self/status").read_text().splitlines()
    peak = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))
    print(json.dumps({"events": events, "seconds": seconds, "cpu": cpu, "peak": peak}))


if __name__ == "__main__":
    main(*sys.argv[1:3])
