"""Bar 2: PostgreSQL killed under load loses nothing that was acknowledged; a database that could lose it is refused at start."""

from __future__ import annotations

import asyncio
import base64
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from shared.embedded import EmbeddedPostgres
from tests.bars.harness.audit import audit
from tests.bars.harness.gateway import ROOT, Gateway
from tests.bars.harness.http1 import Client
from tests.bars.harness.load import Load, keyed
from tests.bars.harness.scale import chance, figure, scaled
from tests.bars.harness.world import World

pytestmark = [pytest.mark.bar(2), pytest.mark.alone, pytest.mark.timeout(1800)]

BACK_WITHIN = 5.0


class DatabaseKiller:
    """Kills and restarts the database at shares of the acknowledgements; `back` holds how long after each restart the service served again."""

    def __init__(self, world: World, gateway: Gateway, kills: int, commands: int) -> None:
        self.world = world
        self.gateway = gateway
        self.due = [(number + 1) * commands // (kills + 1) for number in range(kills)]
        self.random = chance(2)
        self.back: list[float] = []
        self.busy = False

    async def __call__(self, acknowledged: int) -> None:
        """Called at every acknowledgement."""
        if self.busy or not self.due or acknowledged < self.due[0]:
            return
        self.busy = True
        self.due.pop(0)
        await asyncio.sleep(self.random.random() * 0.05)
        self.world.cluster.kill()
        await asyncio.to_thread(self.world.cluster.start)
        self.back.append(await self._serving())
        self.busy = False

    async def _serving(self) -> float:
        began = time.monotonic()
        async with Client(port=self.gateway.port) as client:
            token = self.world.tokens["admin"]
            while (await client.request("GET", "/v1/players/main-0/standing", token=token)).status != 200:  # noqa: ASYNC110  another process
                await asyncio.sleep(0.02)
        return time.monotonic() - began


async def test_nothing_is_lost_doubled_or_halved_when_the_database_is_killed(world: World, request: pytest.FixtureRequest) -> None:
    commands = keyed(scaled(20_000))
    kills = scaled(10, least=2)
    async with world.gateway() as gateway:
        killer = DatabaseKiller(world, gateway, kills, len(commands))
        load = Load(ports=[gateway.port], token=world.tokens["admin"], chance=chance(2), on_answer=killer)
        await load.run(commands)
    outcome = await audit(world, commands, load.acknowledged)
    slowest = max(killer.back)
    figure(request, f"2: database killed {len(killer.back)} times, {outcome}; served again {slowest:.2f} s after it at the latest; {dict(load.seen)}")
    assert len(killer.back) == kills
    assert len(load.acknowledged) == len(commands)
    assert load.unequal == []
    assert outcome.clean
    assert slowest < BACK_WITHIN


async def test_control_commits_that_do_not_wait_for_the_disk_are_seen_to_be_lost(world: World) -> None:
    """`synchronous_commit = off` in the writer's own session, which nothing but a test can do."""
    lost = 0
    async with world.gateway(broken="commit-lazily") as gateway:
        for attempt in range(8):
            commands = keyed(80, first=attempt * 80)
            killer = DatabaseKiller(world, gateway, 1, len(commands))
            load = Load(ports=[gateway.port], token=world.tokens["admin"], ask_again=0, on_answer=killer)
            await load.run(commands)
            lost = (await audit(world, commands, load.acknowledged)).lost
            if lost > 0:
                break
    assert lost > 0


class Careless(EmbeddedPostgres):
    """A server with one promise switched off."""

    careless = ""

    def _options(self, data: Path) -> list[str]:
        return [option.replace(f"{self.careless}=on", f"{self.careless}=off") for option in super()._options(data)]


def serve(dsn: str) -> subprocess.CompletedProcess[str]:
    """What `moderation serve` says when it is started on this database."""
    key = base64.b64encode(bytes(32)).decode()
    environment = {"PATH": os.environ.get("PATH", ""), "DATABASE_URL": dsn, "MODERATION_MASTER_KEY": key, "MODERATION_PORT": "0"}
    return subprocess.run(
        [sys.executable, "-m", "services.cli", "serve"], env=environment, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize("name", ["fsync", "full_page_writes", "synchronous_commit"])
def test_the_service_refuses_a_database_that_may_lose_commits(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("careless")
    server = Careless(folder / "db")
    server.careless = name
    server.start()
    try:
        done = serve(server.dsn)
    finally:
        server.stop()
    assert done.returncode == 1
    assert f"{name} = off" in done.stderr
