"""HTTP load by wrk: 32 connections that are kept open, one thread, requests made beforehand."""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.bench.harness.sides import Side

CONNECTIONS: Final = 32
_LUA: Final = """
local lines, at, files = {}, 0, 0
function setup(thread) end
function init(args)
  for line in io.lines(args[1]) do
    local m, path, body = line:match("^(%S+) (%S+) ?(.*)$")
    lines[#lines + 1] = { m, path, body ~= "" and body or nil }
  end
end
function request()
  at = at % #lines + 1
  local line = lines[at]
  local headers = wrk.headers
  KEY
  return wrk.format(line[1], line[2], headers, line[3])
end
function done(summary, latency, requests)
  io.write(string.format("\\n{\\"requests\\": %d, \\"micros\\": %d, \\"p50\\": %d, \\"p99\\": %d, \\"bad\\": %d}\\n", summary.requests,
    summary.duration, latency:percentile(50), latency:percentile(99), summary.errors.status + summary.errors.timeout + summary.errors.read))
end
"""
_KEY: Final = 'headers["Idempotency-Key"] = wrk.prefix .. at .. "-" .. math.random(1000000000)'


class LoadError(Exception):
    """The load could not be made, or was not answered as it should be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One run against one side: requests per second, milliseconds, processor microseconds of the side's process per request."""

    rate: float
    p50: float
    p99: float
    cpu: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What is asked: lines of `METHOD PATH BODY`, each connection's thread going round them. With `keyed` each has its own Idempotency-Key."""

    lines: Sequence[str]
    headers: dict[str, str] = field(default_factory=dict)
    keyed: bool = False
    connections: int = CONNECTIONS

    def run(self, side: Side, seconds: float) -> Round:
        """Ask for so long. Raises `LoadError` when wrk is missing or an answer is none of 2xx."""
        wrk = shutil.which("wrk")
        if wrk is None:
            raise LoadError("wrk is not installed (Debian: apt install wrk)")
        with tempfile.TemporaryDirectory() as folder:
            script, lines = Path(folder) / "load.lua", Path(folder) / "lines"
            heads = "".join(f"wrk.headers[{json.dumps(name)}] = {json.dumps(value)}\n" for name, value in self.headers.items())
            prefix = f"math.randomseed({hash((side.pid, folder)) % 2**31})\nwrk.prefix = {json.dumps(Path(folder).name)}\n"
            script.write_text(heads + prefix + _LUA.replace("KEY", _KEY if self.keyed else ""))
            lines.write_text("\n".join(self.lines) + "\n")
            url = f"http://127.0.0.1:{side.port}/"
            began = side.cpu_seconds()
            command = [wrk, "-t1", f"-c{self.connections}", f"-d{max(1, round(seconds))}s", "-s", str(script), url, "--", str(lines)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            spent = side.cpu_seconds() - began
        if done.returncode != 0:
            raise LoadError(done.stderr or done.stdout)
        found = json.loads(done.stdout.strip().splitlines()[-1])
        if found["bad"] or not found["requests"]:
            raise LoadError(f"{side.name}: {found}")
        requests = found["requests"]
        return Round(rate=requests * 1e6 / found["micros"], p50=found["p50"] / 1000, p99=found["p99"] / 1000, cpu=spent * 1e6 / requests)


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """The medians of alternating rounds on both sides, and of the ratios of each pair."""

    ours: Round
    other: Round
    ratio: float
    cpu_ratio: float

    def lines(self, ours: str, other: str) -> list[str]:
        """For people."""
        text = "{:<34}{:10,.0f}/s   p50 {:6.2f} ms   p99 {:6.2f} ms   {:6.1f} us of CPU a request"
        return [text.format(name, side.rate, side.p50, side.p99, side.cpu) for name, side in ((ours, self.ours), (other, self.other))]


def alternately(ours: Callable[[], Round], other: Callable[[], Round], rounds: int) -> Compared:
    """Each side once to warm up, then in turn."""
    ours()
    other()
    pairs = [(ours(), other()) for _ in range(rounds)]
    return Compared(
        ours=_median([pair[0] for pair in pairs]),
        other=_median([pair[1] for pair in pairs]),
        ratio=statistics.median(mine.rate / theirs.rate for mine, theirs in pairs),
        cpu_ratio=statistics.median(theirs.cpu / mine.cpu for mine, theirs in pairs),
    )


def _median(rounds: Sequence[Round]) -> Round:
    names = ("rate", "p50", "p99", "cpu")
    return Round(**{name: statistics.median(getattr(each, name) for each in rounds) for name in names})
