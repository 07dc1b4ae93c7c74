"""Bar 21: restarts under load fail no request; without a database the answer is 503 at once; a migration that has to wait fails nobody."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import asyncpg
import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory

from migrations import runner
from tests.bars.harness.cluster import children
from tests.bars.harness.gateway import Gateway
from tests.bars.harness.http1 import Answer, Client, Cut
from tests.bars.harness.load import linked_accounts
from tests.bars.harness.scale import SCALE, figure, scaled
from tests.bars.harness.world import World

pytestmark = [pytest.mark.bar(21), pytest.mark.alone, pytest.mark.timeout(1200)]


@dataclass(slots=True, kw_only=True)
class Traffic:
    """Eight clients who read and decide without pause, and send nothing twice but what met a closed idle connection (as every HTTP client does)."""

    world: World
    port: int
    statuses: Counter[int] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    resent: int = 0
    slowest: float = 0.0
    number: int = 0
    over: bool = False

    @asynccontextmanager
    async def flowing(self) -> AsyncIterator[None]:
        """Traffic for the length of the block."""
        async with asyncio.TaskGroup() as group:
            for turn in range(8):
                group.create_task(self._client(turn))
            try:
                await asyncio.sleep(0.3)
                yield
                await asyncio.sleep(0.3)
            finally:
                self.over = True

    async def _client(self, turn: int) -> None:
        async with Client(port=self.port) as client:
            while not self.over:
                self.number += 1
                began = time.monotonic()
                try:
                    answer = await self._one(client, self.number, read=(self.number + turn) % 2 == 0)
                except (Cut, OSError, TimeoutError) as problem:
                    self.failures.append(f"{type(problem).__name__}: {problem}")
                    await asyncio.sleep(0.01)
                    continue
                self.slowest = max(self.slowest, time.monotonic() - began)
                self.statuses[answer.status] += 1
                if answer.status >= 500:
                    self.failures.append(f"{answer.status} {answer.body!r}")
            self.resent += client.resent

    async def _one(self, client: Client, number: int, *, read: bool) -> Answer:
        if read:
            path = "/readyz" if number % 10 == 0 else f"/v1/players/main-{number // 2}/standing"
            return await client.request("GET", path, token=self.world.tokens["game_server"])
        command = linked_accounts(number, key=f"key-{number}")
        return await client.request(
            "POST", "/v1/incidents", token=self.world.tokens["admin"], body=command.body, headers={"Idempotency-Key": str(command.key)}
        )


async def restart(gateway: Gateway, kind: int) -> None:
    """One end by SIGTERM: of everything (the socket stays, as a service manager holds it), of one worker, or of the workers one by one (SIGHUP)."""
    assert gateway.process is not None
    if kind == 0:
        assert await gateway.stop() == 0
        await gateway.start()
    elif kind == 1:
        for pid in children(gateway.process.pid)[:1]:
            os.kill(pid, signal.SIGTERM)
        await asyncio.sleep(1.5)
    else:
        gateway.process.send_signal(signal.SIGHUP)
        await asyncio.sleep(3)


@asynccontextmanager
async def held_socket() -> AsyncIterator[socket.socket]:
    """A listening socket that outlives the service, as a service manager has it."""
    with socket.create_server(("127.0.0.1", 0), backlog=512) as listener:
        yield listener


async def test_sigterm_under_load_fails_no_request(world: World, request: pytest.FixtureRequest) -> None:
    ends = scaled(20, least=3)
    async with held_socket() as held, world.gateway(held=held, port=held.getsockname()[1], workers=2) as gateway:
        traffic = Traffic(world=world, port=gateway.port)
        async with traffic.flowing():
            for number in range(ends):
                await restart(gateway, number % 3)
    figure(
        request,
        f"21a: {ends} times SIGTERM under load: {len(traffic.failures)} failed requests of {traffic.statuses.total()}, {traffic.resent} met a closed "
        f"idle connection; slowest {traffic.slowest:.2f} s; {dict(traffic.statuses)}",
    )
    assert traffic.failures == []
    assert traffic.statuses.keys() <= {200, 201}


async def test_control_an_end_without_draining_is_seen_to_fail_requests(world: World) -> None:
    async with world.gateway(broken="end-at-once") as gateway:
        traffic = Traffic(world=world, port=gateway.port)
        async with traffic.flowing():
            for _ in range(2):
                await gateway.stop()
                await gateway.start()
    assert traffic.failures != []


async def refusals(world: World, port: int) -> list[str]:
    """Ask everything with the database away; what was not 503 with Retry-After within a second."""
    wrong = []
    incident = {"player_id": "p1", "offenses": [{"infraction": "spam-major"}]}
    asked = [
        ("GET", "/v1/players/p1/standing", None), ("POST", "/v1/standings/query", {"player_ids": ["p1", "p2"]}), ("POST", "/v1/incidents", incident),
        ("POST", "/v1/incidents?dry_run=true", incident), ("GET", "/v1/players/p1/incidents", None), ("GET", "/v1/players/p1/history", None),
        ("GET", "/v1/policy", None), ("GET", "/readyz", None),
    ]  # fmt: skip
    async with Client(port=port) as client:
        for method, path, body in asked * 3:
            began = time.monotonic()
            answer = await client.request(method, path, token=world.tokens["admin"], body=body)
            seconds = time.monotonic() - began
            if answer.status != 503 or "retry-after" not in answer.headers or seconds > 1:
                wrong.append(f"{method} {path}: {answer.status} after {seconds:.2f} s")
    return wrong


async def test_without_a_database_the_answer_is_503_within_a_second(world: World, request: pytest.FixtureRequest) -> None:
    async with world.gateway() as gateway:
        async with Client(port=gateway.port) as client:
            assert (await client.request("GET", "/v1/players/p1/standing", token=world.tokens["admin"])).status == 200
        world.cluster.stop()
        try:
            wrong = await refusals(world, gateway.port)
        finally:
            await asyncio.to_thread(world.cluster.start)
        back = await gateway.ready()
    figure(request, f"21b: database down: {len(wrong)} of 24 answers not 503 with Retry-After within 1 s; ready {back:.2f} s after it was back")
    assert wrong == []


async def test_control_a_service_that_guesses_without_its_database_is_seen(world: World) -> None:
    async with world.gateway(broken="guess") as gateway:
        async with Client(port=gateway.port) as client:
            assert (await client.request("GET", "/v1/players/p1/standing", token=world.tokens["admin"])).status == 200
        world.cluster.stop()
        try:
            wrong = await refusals(world, gateway.port)
        finally:
            await asyncio.to_thread(world.cluster.start)
    assert any(": 200 " in line for line in wrong)


_STEP = """
from alembic import op
revision = "bar21"
down_revision = {heads!r}


def upgrade() -> None:
    op.execute("ALTER TABLE standing ADD COLUMN bar21 integer")
    op.execute("ALTER TABLE events ADD COLUMN bar21 integer")
    op.execute("ALTER TABLE idempotency ADD COLUMN bar21 integer")
"""


@pytest.fixture
def one_step_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The migrations and one more, which needs tables that everybody uses for itself alone."""
    config_of = runner._config
    heads = tuple(ScriptDirectory.from_config(config_of("", {})).get_heads())
    (tmp_path / "bar21.py").write_text(_STEP.format(heads=heads))

    def config(dsn: str, settings: dict[str, str]) -> Config:
        made = config_of(dsn, settings)
        versions = Path(runner.__file__).parent / "versions"
        made.set_main_option("version_locations", os.pathsep.join([str(versions), str(tmp_path)]))
        return made

    monkeypatch.setattr(runner, "_config", config)


async def migrate_under_load(world: World, seconds: float) -> tuple[Traffic, float]:
    """Migrate while somebody reads in an open transaction for so long; the traffic meanwhile and how long the migration took."""
    async with world.gateway() as gateway:
        traffic = Traffic(world=world, port=gateway.port)
        async with traffic.flowing():
            reader = await asyncpg.connect(world.owner_dsn)
            await reader.execute("BEGIN")
            await reader.fetch("SELECT count(*) FROM standing, events, idempotency")
            began = time.monotonic()
            migration = asyncio.create_task(asyncio.to_thread(runner.upgrade, world.owner_dsn))
            await asyncio.sleep(seconds)
            assert not migration.done()
            await reader.execute("COMMIT")
            await migration
            took = time.monotonic() - began
            await asyncio.sleep(1)
            await reader.close()
    return traffic, took


@pytest.mark.usefixtures("one_step_more")
async def test_a_migration_that_has_to_wait_fails_no_request(world: World, request: pytest.FixtureRequest) -> None:
    seconds = 10.0 if SCALE >= 1 else 6.0
    traffic, took = await migrate_under_load(world, seconds)
    figure(
        request,
        f"21c: migration of {took:.1f} s under load behind an open read of {seconds:.0f} s: {len(traffic.failures)} failed requests of "
        f"{traffic.statuses.total()}, slowest {traffic.slowest:.2f} s; {dict(traffic.statuses)}",
    )
    assert traffic.failures == []


@pytest.mark.usefixtures("one_step_more")
async def test_control_a_migration_that_queues_everybody_behind_it_is_seen(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "_LOCK_TIMEOUT", "0")
    traffic, _ = await migrate_under_load(world, 6.0)
    assert traffic.failures != []
