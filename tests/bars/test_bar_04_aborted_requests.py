"""Bar 4: aborted requests, connection resets and a network that swallows everything leave no connection behind and no half-written command."""

from __future__ import annotations

import asyncio
import random
import socket
import struct
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack

import pytest

from tests.bars.harness.audit import audit
from tests.bars.harness.http1 import Answer, Client, encode_request
from tests.bars.harness.load import Command, Load, keyed
from tests.bars.harness.proxy import Proxy
from tests.bars.harness.scale import chance, figure, scaled
from tests.bars.harness.world import World
from tests.bars.test_bar_03_commit_reply_cut import proxied, through

pytestmark = [pytest.mark.bar(4), pytest.mark.timeout(1200)]

_STUCK = "SELECT count(*) FROM pg_stat_activity WHERE datname = $1 AND state LIKE 'idle in transaction%'"
_CONNECTIONS = "SELECT count(*) FROM pg_stat_activity WHERE datname = $1 AND application_name LIKE 'moderation-%'"
_RESET = struct.pack("ii", 1, 0)  # SO_LINGER: closing sends a reset
LET_GO_WITHIN = 8.0


async def abort(port: int, data: bytes, length: int, *, wait: float, reset: bool) -> None:
    """Send so many bytes of a request and go away without reading, `wait` seconds later."""
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(data[:length])
    await writer.drain()
    await asyncio.sleep(wait)
    if reset:
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    writer.close()


async def abort_all(world: World, port: int, commands: Sequence[Command], resets: int, rng: random.Random) -> None:
    """Each command cut off at a random byte, some right after the last one; `resets` of them by a reset."""
    lanes = asyncio.Semaphore(16)

    async def one(number: int, command: Command) -> None:
        headers = {"Idempotency-Key": str(command.key)}
        data = encode_request("POST", "/v1/incidents", token=world.tokens["admin"], body=command.body, headers=headers)
        whole = number < resets or rng.random() < 0.3
        length, wait = (len(data), rng.random() * 0.1) if whole else (rng.randrange(1, len(data)), 0.0)
        async with lanes:
            await abort(port, data, length, wait=wait, reset=number < resets)

    await asyncio.gather(*(one(number, command) for number, command in enumerate(commands)))


async def leftovers(world: World, port: int, within: float = LET_GO_WITHIN) -> list[str]:
    """What is left behind: sessions idle in a transaction, more connections than one service has, a pool that has none to give."""
    deadline = time.monotonic() + within
    while await world.value(_STUCK, world.database) and time.monotonic() < deadline:  # noqa: ASYNC110  another process
        await asyncio.sleep(0.1)
    found = []
    if stuck := await world.value(_STUCK, world.database):
        found.append(f"{stuck} sessions idle in a transaction")
    if (connections := await world.value(_CONNECTIONS, world.database)) > 14:
        found.append(f"{connections} connections")
    statuses = [answer.status for answer in await pooled(world, port)]
    if statuses != [200] * len(statuses):
        found.append(f"reads that need the pool answer {statuses}")
    return found


async def pooled(world: World, port: int) -> list[Answer]:
    """Twelve reads at once that each take a connection of the pool: whose an incident is, is looked up there."""
    incident = await world.value("SELECT incident_id FROM incidents LIMIT 1")
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(Client(port=port)) for _ in range(12)]
        reads = [client.request("GET", f"/v1/incidents/{incident}", token=world.tokens["admin"]) for client in clients]
        return list(await asyncio.gather(*reads))


async def test_aborts_resets_and_a_black_hole_leave_nothing_behind(world: World, request: pytest.FixtureRequest) -> None:
    rng = chance(4)
    steady, aborted = keyed(scaled(2_000)), keyed(scaled(2_000), first=1_000_000)
    seconds = max(6.0, scaled(100) / 10)
    proxy = Proxy(server=world.cluster.socket)
    async with proxied(proxy, world.folder) as query, world.gateway(dsn=through(query, world.dsn)) as gateway:
        load = Load(ports=[gateway.port], token=world.tokens["admin"], chance=rng)
        await asyncio.gather(load.run(steady), abort_all(world, gateway.port, aborted, scaled(50, least=5), rng))
        proxy.hole = True
        dark = Load(ports=[gateway.port], token=world.tokens["admin"], chance=rng)
        in_the_dark = asyncio.create_task(dark.run(keyed(40, first=2_000_000)))
        await asyncio.sleep(seconds)
        refused = dict(dark.seen)
        proxy.hole = False
        await in_the_dark
        left = await leftovers(world, gateway.port)
    answers = {**load.acknowledged, **dark.acknowledged}
    outcome = await audit(world, [*steady, *aborted, *keyed(40, first=2_000_000)], answers)
    whole = await world.value("SELECT count(*) FROM events WHERE stream LIKE 'record-main-1______'")
    figure(
        request,
        f"4: {len(aborted)} requests aborted ({whole} of them complete and recorded), black hole of {seconds:.0f} s (answers in it: {refused}), "
        f"{outcome}; left behind: {left or 'nothing'}",
    )
    assert left == []
    assert outcome.clean
    assert load.unequal == dark.unequal == []


async def test_control_a_pool_that_loses_connections_is_seen(world: World) -> None:
    async with world.gateway(broken="leak-connections") as gateway:
        await Load(ports=[gateway.port], token=world.tokens["admin"]).run(keyed(1))
        for _ in range(12):
            await pooled(world, gateway.port)
        left = await leftovers(world, gateway.port, within=0)
    assert any("idle in a transaction" in line for line in left)
    assert any("pool" in line for line in left)
