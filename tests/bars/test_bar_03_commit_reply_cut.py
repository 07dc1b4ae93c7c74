"""Bar 3: when the reply to a COMMIT is lost, the outcome is looked up first: the original answer, no false 409, no second event."""

from __future__ import annotations

import random
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest

from tests.bars.harness.audit import audit
from tests.bars.harness.load import Command, Load, linked_accounts
from tests.bars.harness.proxy import Proxy
from tests.bars.harness.scale import chance, figure, scaled
from tests.bars.harness.world import World

pytestmark = [pytest.mark.bar(3), pytest.mark.timeout(1200)]


def through(proxy_query: str, dsn: str) -> str:
    """The address of the same database by way of the proxy."""
    return urlunsplit(urlsplit(dsn)._replace(query=proxy_query))


class Cutter:
    """Cuts so many COMMITs, at random ones: mostly the reply, at times the COMMIT itself on its way."""

    def __init__(self, cuts: int, rng: random.Random) -> None:
        self.left = cuts
        self.random = rng

    def __call__(self) -> str | None:
        """What to do to the next COMMIT."""
        if self.left == 0 or self.random.random() > 0.2:
            return None
        self.left -= 1
        return "request" if self.random.random() < 0.25 else "reply"


def mixed(count: int) -> list[Command]:
    """Half with a key; half without one, but with an `external_id`, for which a second decision is a conflict."""
    return [
        linked_accounts(number, key=f"key-{number}") if number % 2 else linked_accounts(number, external_id=f"report-{number}")
        for number in range(count)
    ]


def proxied(proxy: Proxy, folder: Path) -> AbstractAsyncContextManager[str]:
    """The proxy listening in a folder of the test."""
    return proxy.listening(folder / "proxy")


async def test_every_command_gets_its_own_answer_when_commits_lose_their_reply(world: World, request: pytest.FixtureRequest) -> None:
    cuts = scaled(200)
    proxy = Proxy(server=world.cluster.socket)
    acknowledged = refused = 0
    commands: list[Command] = []
    async with proxied(proxy, world.folder) as query, world.gateway(dsn=through(query, world.dsn)) as gateway:
        load = Load(ports=[gateway.port], token=world.tokens["admin"], chance=chance(3))
        proxy.cut = Cutter(cuts, chance(3))
        while proxy.cuts < cuts:
            more = mixed(len(commands) + 200)[len(commands) :]
            commands += more
            await load.run(more)
    outcome = await audit(world, commands, load.acknowledged)
    acknowledged, refused = len(load.acknowledged), len(load.refused)
    conflicts = [answer.code for _, answer in load.refused if answer.status == 409]
    figure(request, f"3: {proxy.cuts} COMMITs cut, {outcome}; {len(conflicts)} false conflicts; replies seen {dict(load.seen)}")
    assert conflicts == []
    assert [answer.status for _, answer in load.refused if answer.status != 503] == []
    assert acknowledged + refused == len(commands)
    assert load.unequal == []
    assert outcome.clean


async def test_control_a_writer_that_takes_a_lost_reply_for_a_failure_is_seen_to_answer_false_conflicts(world: World) -> None:
    proxy = Proxy(server=world.cluster.socket)
    async with proxied(proxy, world.folder) as query, world.gateway(dsn=through(query, world.dsn), broken="never-look-up") as gateway:
        load = Load(ports=[gateway.port], token=world.tokens["admin"])
        proxy.cut = Cutter(20, chance(3))
        await load.run(mixed(300))
    assert proxy.cuts > 0
    assert [answer.code for _, answer in load.refused].count("incident_exists") > 0
