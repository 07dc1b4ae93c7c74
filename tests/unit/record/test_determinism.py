"""Deciding and folding give the same under every hash seed, time zone and clock, and ask for neither socket nor time (bar 7)."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def lines(seed: str) -> list[str]:
    """What a process with this hash seed prints: a line for each of three zones and three clocks, and a last one that depends on the seed."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.record_walk"],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        check=True,
        text=True,
    )
    return done.stdout.splitlines()


@pytest.mark.bar(7)
def test_the_same_commands_make_the_same_events_everywhere() -> None:
    """Four hash seeds, three zones, the clock ten years early, right and ten years late; the control line must differ between seeds."""
    with ThreadPoolExecutor(2) as pool:
        printed = list(pool.map(lines, ("0", "1", "2", "3")))
    assert [len(found) for found in printed] == [10] * 4
    assert len({line for found in printed for line in found[:-1]}) == 1
    assert int(printed[0][0].split()[0]) > 25, "the walk was refused too often to mean anything"
    assert len({found[-1] for found in printed}) == 4
