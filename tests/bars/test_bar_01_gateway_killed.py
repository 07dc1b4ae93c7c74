"""Bar 1: `kill -9` of the gateway under load loses, doubles and halves nothing, and a retry gets the first answer."""

from __future__ import annotations

import asyncio
import contextlib

import asyncpg
import pytest

from tests.bars.harness.audit import audit
from tests.bars.harness.gateway import Gateway
from tests.bars.harness.load import Load, keyed
from tests.bars.harness.scale import chance, figure, scaled
from tests.bars.harness.world import World

pytestmark = [pytest.mark.bar(1), pytest.mark.timeout(1800)]


class Killer:
    """Kills the gateway each time that another share of the commands is acknowledged, at the moment of a commit or (every other time) at any moment.

    The database tells of a commit as soon as it has happened, so the first kind falls between commit and answers. With `workers` every third kill
    is of a worker alone.
    """

    def __init__(self, world: World, gateway: Gateway, kills: int, commands: int, *, workers: bool = True) -> None:
        self.world = world
        self.gateway = gateway
        self.workers = workers
        self.due = [(number + 1) * commands // (kills + 1) for number in range(kills)]
        self.random = chance(1)
        self.done = 0
        self.busy = False

    async def __call__(self, acknowledged: int) -> None:
        """Called at every acknowledgement, by whichever client got it."""
        if self.busy or not self.due or acknowledged < self.due[0]:
            return
        self.busy = True
        self.due.pop(0)
        if self.done % 2:
            await asyncio.sleep(self.random.random() * 0.02)
        else:
            await self._commit()
        if self.workers and self.done % 3 == 2:
            self.gateway.kill_worker()
        else:
            self.gateway.kill()
            await self.gateway.start()
        self.done += 1
        self.busy = False

    async def _commit(self) -> None:
        connection = await asyncpg.connect(self.world.owner_dsn)
        happened = asyncio.Event()
        await connection.add_listener("moderation_log", lambda *_: happened.set())
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(5):
                await happened.wait()
        connection.terminate()


async def test_nothing_is_lost_doubled_or_halved_when_the_gateway_is_killed(world: World, request: pytest.FixtureRequest) -> None:
    commands = keyed(scaled(20_000))
    kills = scaled(30)
    async with world.gateway() as gateway:
        killer = Killer(world, gateway, kills, len(commands))
        load = Load(ports=[gateway.port], token=world.tokens["admin"], chance=chance(1), on_answer=killer)
        await load.run(commands)
    outcome = await audit(world, commands, load.acknowledged)
    figure(request, f"1: gateway killed {killer.done} times, {outcome}; replies seen {dict(load.seen)}")
    assert killer.done == kills
    assert len(load.acknowledged) == len(commands)
    assert load.unequal == []
    assert outcome.clean


async def test_control_a_gateway_that_answers_before_the_commit_is_seen_to_lose(world: World) -> None:
    commands = keyed(200)
    async with world.gateway(broken="acknowledge-early") as gateway:
        killer = Killer(world, gateway, 1, len(commands), workers=False)
        load = Load(ports=[gateway.port], token=world.tokens["admin"], ask_again=0, on_answer=killer)
        await load.run(commands)
        await asyncio.sleep(0.5)
    outcome = await audit(world, commands, load.acknowledged)
    assert outcome.lost > 0


async def test_control_without_idempotency_keys_a_kill_is_seen_to_double(world: World) -> None:
    """Clients send again what had no answer; without keys what was recorded but not answered is recorded twice."""
    async with world.gateway(broken="forget-keys") as gateway:
        for attempt in range(20):  # whether a kill falls between commit and answers is chance
            commands = keyed(96, first=attempt * 96)
            killer = Killer(world, gateway, 1, len(commands), workers=False)
            load = Load(ports=[gateway.port], token=world.tokens["admin"], clients=32, ask_again=0, on_answer=killer)
            await load.run(commands)
            outcome = await audit(world, commands, load.acknowledged)
            if outcome.doubled > 0:
                break
    assert outcome.doubled > 0
    assert outcome.unequal > 0
