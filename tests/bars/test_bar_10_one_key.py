"""Bar 10: one idempotency key sent by fifty at once, over two worker processes, has one effect, and all get the same answer."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence

import pytest

from tests.bars.harness.audit import Outcome, audit
from tests.bars.harness.http1 import Answer, Client
from tests.bars.harness.load import Command, keyed
from tests.bars.harness.scale import figure, scaled
from tests.bars.harness.world import World

pytestmark = [pytest.mark.bar(10), pytest.mark.timeout(1200)]

AT_ONCE = 50


async def storm(world: World, ports: Sequence[int], commands: Sequence[Command], at_once: int = AT_ONCE) -> list[list[Answer]]:
    """Each command by so many clients at once; their answers, command by command."""
    clients = [Client(port=ports[number % len(ports)]) for number in range(at_once)]
    found = []
    for command in commands:
        key = {"Idempotency-Key": str(command.key)}
        sent = [client.request("POST", "/v1/incidents", token=world.tokens["admin"], body=command.body, headers=key) for client in clients]
        found.append(list(await asyncio.gather(*sent)))
    for client in clients:
        client.close()
    return found


async def outcome_of(world: World, commands: Sequence[Command], answers: Sequence[Sequence[Answer]]) -> tuple[Outcome, int, Counter[int]]:
    """What was recorded; how many keys got answers that differ; the statuses seen."""
    acknowledged = {command.number: given[0] for command, given in zip(commands, answers, strict=True)}
    differing = sum(1 for given in answers if len({answer.body for answer in given}) != 1)
    return await audit(world, commands, acknowledged), differing, Counter(answer.status for given in answers for answer in given)


async def test_one_key_at_once_has_one_effect_and_one_answer(world: World, request: pytest.FixtureRequest) -> None:
    commands = keyed(scaled(200))
    async with world.gateways(2) as both:
        answers = await storm(world, [gateway.port for gateway in both], commands)
    outcome, differing, statuses = await outcome_of(world, commands, answers)
    replayed = [sum("idempotency-replayed" in answer.headers for answer in given) for given in answers]
    effects = await world.value("SELECT count(*) FROM events WHERE stream LIKE 'record-main-%'")
    seen = f"{effects} effects, {differing} keys with unequal answers, {dict(statuses)}"
    figure(request, f"10: {len(commands)} keys x {AT_ONCE} at once on 2 workers: {seen}")
    assert effects == len(commands)
    assert outcome.clean
    assert differing == 0
    assert statuses.keys() == {201}
    assert set(replayed) == {AT_ONCE - 1}


async def test_control_without_keys_the_storm_is_seen_to_have_many_effects(world: World) -> None:
    commands = keyed(3)
    async with world.gateways(2, broken="forget-keys") as both:
        answers = await storm(world, [gateway.port for gateway in both], commands, at_once=8)
    outcome, differing, _ = await outcome_of(world, commands, answers)
    assert outcome.doubled == len(commands)
    assert differing == len(commands)
