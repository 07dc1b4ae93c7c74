"""Bar 5: whoever follows the log by position alone skips, doubles and reorders nothing, however long commits take."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import pytest

from shared.eventstore import batch as batches
from shared.eventstore.postgres import PostgresEventStore
from tests.bars.harness.scale import chance, figure, scaled
from tests.bars.harness.world import World
from tests.support.requests import ask, part

pytestmark = [pytest.mark.bar(5), pytest.mark.timeout(1200)]

WRITERS, READERS, AT_ONCE = 8, 4, 5
Insert = Callable[[Any, int, int], Awaitable[object]]
Page = Callable[[int], Awaitable[Sequence[int]]]


async def write(dsn: str, insert: Insert, number: int, appends: int, rng: random.Random) -> None:
    """So many transactions, each with 0 to 20 ms between insert and commit."""
    connection = await asyncpg.connect(dsn)
    try:
        for turn in range(appends):
            async with connection.transaction():
                await insert(connection, number, turn)
                await asyncio.sleep(rng.random() * 0.02)
    finally:
        await connection.close()


async def follow(page: Page, total: int, done: asyncio.Event) -> list[int]:
    """The positions in the order in which a reader meets them, who remembers nothing but the last one."""
    met: list[int] = []
    while len(met) < total:
        over = done.is_set()
        more = await page(met[-1] if met else 0)
        met.extend(more)
        if over and not more:
            break
        await asyncio.sleep(0.002)
    return met


@asynccontextmanager
async def held_transaction(dsn: str) -> AsyncIterator[None]:
    """A transaction with a number of its own that stays open all the while: nobody may wait for it."""
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute("BEGIN")
        await connection.execute("INSERT INTO projection_checkpoints (name, position) VALUES ('held', 0)")
        yield
        await connection.execute("ROLLBACK")
    finally:
        await connection.close()


async def race(dsn: str, insert: Insert, page: Page, appends: int, events: int) -> list[list[int]]:
    """Writers and readers at once; what each reader met."""
    done = asyncio.Event()
    async with held_transaction(dsn):
        readers = [asyncio.create_task(follow(page, events, done)) for _ in range(READERS)]
        await asyncio.gather(*(write(dsn, insert, number, appends, chance(500 + number)) for number in range(WRITERS)))
        done.set()
        return list(await asyncio.gather(*readers))


async def append(connection: Any, number: int, turn: int) -> None:
    """Five events through the function that the service appends with."""
    request = ask(part(f"bar5-{number}", turn * AT_ONCE, AT_ONCE))
    row = await connection.fetchrow(batches.APPEND_SQL, *batches.append_arguments([request]))
    assert row["conflict_req"] is None


async def test_readers_meet_every_event_once_and_in_order(world: World, request: pytest.FixtureRequest) -> None:
    appends = scaled(20_000) // (WRITERS * AT_ONCE)
    events = appends * WRITERS * AT_ONCE
    before = await world.value("SELECT position FROM log_head")
    async with PostgresEventStore(world.dsn) as store:

        async def page(after: int) -> list[int]:
            return [event.position for event in await store.read_log(after=after + before if after == 0 else after, limit=500)]

        met = await race(world.owner_dsn, append, page, appends, events)
    wanted = list(range(before + 1, before + events + 1))
    wrong = sum(1 for positions in met if positions != wanted)
    figure(request, f"5: {events} events of {WRITERS} writers, {READERS} readers: {wrong} readers met anything but each position once, in order")
    assert wrong == 0


async def test_control_numbers_of_a_sequence_are_seen_to_be_skipped(world: World) -> None:
    await world.rows("CREATE TABLE naive (position bigserial PRIMARY KEY, body text)")
    appends = 40

    async def insert(connection: Any, _number: int, _turn: int) -> None:
        await connection.execute("INSERT INTO naive (body) SELECT 'x' FROM generate_series(1, 5)")

    connection = await asyncpg.connect(world.owner_dsn)
    lock = asyncio.Lock()

    async def page(after: int) -> list[int]:
        async with lock:
            return [row["position"] for row in await connection.fetch("SELECT position FROM naive WHERE position > $1 ORDER BY position", after)]

    met = await race(world.owner_dsn, insert, page, appends, appends * WRITERS * AT_ONCE)
    await connection.close()
    assert min(len(positions) for positions in met) < appends * WRITERS * AT_ONCE
