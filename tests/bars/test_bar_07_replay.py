"""Bar 7: the log is folded to the same tables under any hash seed, time zone and clock; it opens no socket and looks at no clock."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from tests.bars.harness.scale import chance, figure
from tests.support.app import serving
from tests.support.busy import Busy
from tests.support.database import Database
from tests.support.rebuilding import rebuilder

pytestmark = [pytest.mark.bar(7), pytest.mark.timeout(900)]

SEEDS, ZONES, YEARS = ("0", "1", "4711", "random"), ("UTC", "Pacific/Kiritimati", "America/St_Johns"), ("-10", "0", "10")
WORLDS = [(seed, ZONES[n % 3], YEARS[n % 3]) for n, seed in enumerate(SEEDS)] + [(SEEDS[n], ZONES[n], YEARS[n - 1]) for n in range(3)]


async def test_a_log_means_the_same_everywhere(fresh_database: Database, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    async with serving(fresh_database) as service:
        busy = Busy(service, chance(7), players=20)
        for _ in range(250):
            await busy.act()
        live = (await rebuilder(fresh_database).check()).tables
        log = await service.store.read_log(limit=100_000)
    file = tmp_path / "log.json"
    file.write_bytes(msgspec.json.encode(log))
    told = {world: replayed(file, *world) for world in WORLDS}
    expected = [f"{table.table} {table.rows} {table.sha256}" for table in live]
    for world, lines in told.items():
        assert lines[:-1] == expected, world
        assert lines[-1] == "unread 0 looks at the clock 0", world
    worlds = f"{len(WORLDS)} worlds ({len(SEEDS)} hash seeds, {len(ZONES)} time zones, clock +-10 years)"
    figure(request, f"7: {len(log)} events folded in {worlds}: one result")


def replayed(file: Path, seed: str, zone: str, years: str) -> list[str]:
    """What a process in that world makes of the log."""
    env = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone}
    command = [sys.executable, "-m", "tests.bars.replay_once", str(file), years]
    done = subprocess.run(command, env=env, check=False, capture_output=True, text=True, cwd=Path(__file__).parents[2])
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_control_another_log_gives_another_result(tmp_path: Path) -> None:
    """The hashes tell logs apart, and a bad event is counted."""
    file = tmp_path / "log.json"
    file.write_text("[]")
    assert replayed(file, "0", "UTC", "0")[0].startswith("standing 0 ")
