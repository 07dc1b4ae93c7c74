"""The feed over a real socket: in order, whole, resumable, and never at the cost of others (issue "Call Admin", point 5)."""

from __future__ import annotations

import asyncio
import random
import socket
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from urllib.parse import urlsplit

import asyncpg
import httpx
import pytest

from services.commands.seeding import GAME_SERVER
from services.moderation.staff.operator import Operator
from shared.clock import SystemClock
from shared.eventstore import batch
from shared.eventstore.codec import Codec
from shared.eventstore.port import AppendRequest, OutboxItem
from shared.feed.hub import FeedHub
from shared.feed.stream import Streams
from shared.ids import new_id
from shared.security.keys import Keys
from shared.security.roles import TokenKind
from tests.support.app import Service, serving
from tests.support.database import Database, run
from tests.support.feed import listening, stream
from tests.support.requests import ask, part

KILL_LISTENER = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'moderation-feed'"


@pytest.fixture
async def service(database: Database) -> AsyncIterator[Service]:
    async with serving(database) as opened:
        yield opened


@pytest.fixture
async def url(service: Service) -> AsyncIterator[str]:
    async with listening(service) as (found, _):
        yield found


def told(stream_name: str, expected: int = 0, items: tuple[int, ...] = (1,), size: int = 10) -> AppendRequest:
    """As many events as `items` has numbers, each with that many items in the feed."""
    outbox = [
        OutboxItem(type="test.told", player_id=stream_name, data=b'{"n":%d,"x":"%s"}' % (n, b"x" * size), event=event)
        for event, count in enumerate(items)
        for n in range(count)
    ]
    return replace(ask(part(stream_name, expected, len(items))), outbox=tuple(outbox))


async def test_a_page_holds_whole_positions_and_what_was_answered_before(service: Service) -> None:
    """Contract, Audit: a page never splits a position; whoever has a command's answer finds its items at once."""
    start = await service.store.head()
    await service.store.append(told("record-a", 0, (3, 0, 2, 1)))
    positions = []
    after = start
    while items := (page := await service.game.get("/v1/feed", after=after, limit=2))["items"]:
        positions.append([item["position"] - start for item in items])
        after = page["next_after"]
    assert positions == [[1, 1, 1], [3, 3], [4]]
    assert after == start + 4
    for number in range(20):
        done = await service.issue(f"p-{number}", "spam-major")
        page = await service.game.get("/v1/feed", after=done["position"] - 1)
        assert [item["type"] for item in page["items"]] == ["incident.decided", "standing.changed"]


async def test_a_long_poll_is_answered_by_the_event_and_otherwise_when_its_time_is_up(service: Service) -> None:
    start = await service.store.head()
    began = time.monotonic()
    polling = asyncio.create_task(service.game.get("/v1/feed", after=start, wait=10))
    await asyncio.sleep(0.2)
    await service.store.append(told("record-a"))
    assert [item["position"] for item in (await polling)["items"]] == [start + 1]
    assert time.monotonic() - began < 5
    empty = await service.game.get("/v1/feed", after=start + 1, wait=1)
    assert (empty["items"], empty["next_after"]) == ([], start + 1)


async def test_a_stream_left_in_the_middle_of_a_position_resumes_at_its_first_item(service: Service, url: str) -> None:
    """Contract, Audit: `id:` comes with a position's last item only, so that nothing is skipped."""
    start, token = await service.store.head(), service.tokens.game_server
    await service.store.append(told("record-a", 0, (1, 3, 1)))
    async with stream(url, token, start) as frames:
        first, middle = await frames.one(), await frames.one()
    assert (first[0], middle[0]) == (start + 1, None)
    async with stream(url, token, first[0]) as frames:
        rest = await frames.until(start + 3)
    assert [(item["position"] - start, item["data"]["n"]) for _, item in rest] == [(2, 0), (2, 1), (2, 2), (3, 0)]
    assert [place for place, _ in rest] == [None, None, start + 2, start + 3]


async def test_a_reader_that_the_ring_has_left_behind_reads_the_database(service: Service, url: str) -> None:
    """However far back it begins, and however little the process keeps."""
    hub, start = service.resources.get(FeedHub), await service.store.head()
    hub._places = 5
    for number in range(10):
        await service.store.append(told("record-a", 60 * number, (1,) * 60))
    async with stream(url, service.tokens.staff["admin-1"], start) as frames:
        found = await frames.until(start + 600)
    assert [place for place, _ in found] == list(range(start + 1, start + 601))
    assert hub.low > start


async def test_wake_ups_lost_with_the_listening_connection_are_made_up_for(service: Service, url: str, database: Database) -> None:
    """E10: the listener's backend is terminated, an event comes in the gap, nothing else happens; the stream goes on by itself."""
    start = await service.store.head()
    async with stream(url, service.tokens.game_server, start) as frames:
        await service.store.append(told("record-a"))
        assert (await frames.one())[0] == start + 1
        run(database.superuser, KILL_LISTENER)
        await service.store.append(told("record-a", 1))
        assert (await frames.one(5))[0] == start + 2


async def test_a_revoked_token_ends_its_stream_and_its_poll_before_the_next_item(service: Service, url: str) -> None:
    """Nobody goes on reading through a session that began before."""
    store, codec, keys = service.store, service.resources.get(Codec), service.resources.get(Keys)
    operator = Operator(store=store, codec=codec, token_hash=keys.token_hash, clock=SystemClock(), new_id=new_id)
    issued = await operator.issue_token(kind=TokenKind.GAME_SERVER, principal=GAME_SERVER, label="", dev=True)
    start = await store.head()
    async with stream(url, issued.token, start) as frames, httpx.AsyncClient(base_url=url, timeout=20) as http:
        poll = asyncio.create_task(
            http.get("/v1/feed", params={"after": start, "wait": 20}, headers={"Authorization": f"Bearer {issued.token}"})
        )
        await asyncio.sleep(0.2)
        await operator.revoke_token(issued.token_id)
        await store.append(told("record-a"))
        assert await frames.ended()
        assert (await poll).status_code == 401


async def test_the_end_of_the_service_ends_streams_and_polls_at_once(service: Service) -> None:
    """Bar 21: a restart waits for no stream."""
    start = await service.store.head()
    async with (
        listening(service) as (url, server),
        stream(url, service.tokens.game_server, start) as frames,
        httpx.AsyncClient(base_url=url, timeout=30) as http,
    ):
        headers = {"Authorization": f"Bearer {service.tokens.game_server}"}
        poll = asyncio.create_task(http.get("/v1/feed", params={"after": start, "wait": 30}, headers=headers))
        await asyncio.sleep(0.3)
        began = time.monotonic()
        server.should_exit = True
        assert await frames.ended()
        assert (await poll).json()["items"] == []
        assert time.monotonic() - began < 3


async def test_a_reader_that_takes_nothing_costs_nobody_and_is_cut(service: Service, url: str) -> None:
    """Bar 18's kind: what waits for a slow client is bounded, others get everything at once."""
    service.resources.get(Streams).stuck = 1.0
    cut = service.resources.get(FeedHub).metrics.feed_cut
    before, start, address = cut._value.get(), await service.store.head(), urlsplit(url)
    with socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect((address.hostname or "", address.port or 0))
        slow.sendall(
            f"GET /v1/feed/stream?after={start} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {service.tokens.game_server}\r\n\r\n".encode()
        )
        async with stream(url, service.tokens.game_server, start) as frames:
            for number in range(40):
                await service.store.append(told("record-a", 5 * number, (1,) * 5, size=50_000))
            assert len(await frames.until(start + 200)) == 200
        async with asyncio.timeout(10):
            while cut._value.get() == before:  # noqa: ASYNC110  a counter tells nobody
                await asyncio.sleep(0.05)


@pytest.mark.bar(5)
@pytest.mark.parametrize("events", [2_000, pytest.param(20_000, marks=pytest.mark.full)])
async def test_the_feed_never_skips_doubles_or_reorders(service: Service, url: str, database: Database, events: int) -> None:
    """Bar 5 through the feed: eight writers, up to 20 ms between insert and commit, a transaction held open, four readers.

    The negative control, a sequence without a lock, is the store's own test.
    """
    start, chance = await service.store.head(), random.Random(5)
    per_commit, writers = 20, 8

    async def write(number: int) -> None:
        connection = await asyncpg.connect(database.app)
        for turn in range(events // per_commit // writers):
            request = told(f"record-{number}", turn * per_commit, (1,) * per_commit)
            async with connection.transaction():
                await connection.fetchrow(batch.APPEND_SQL, *batch.append_arguments([request]))
                await asyncio.sleep(chance.uniform(0, 0.02))
        await connection.close()

    total = events // per_commit // writers * writers * per_commit

    async def follow() -> list[int]:
        async with stream(url, service.tokens.game_server, start) as frames:
            return [item["position"] for _, item in await frames.until(start + total)]

    async def poll() -> list[int]:
        found: list[int] = []
        while len(found) < total:
            page = await service.game.get("/v1/feed", after=found[-1] if found else start, limit=chance.randint(1, 200), wait=5)
            found += [item["position"] for item in page["items"]]
        return found

    open_one = await asyncpg.connect(database.superuser)
    async with open_one.transaction():
        await open_one.execute("CREATE TABLE held_open (id integer)")
        await open_one.fetchval("SELECT pg_current_xact_id()")
        results = await asyncio.gather(follow(), follow(), poll(), poll(), *(write(number) for number in range(writers)))
        await open_one.execute("DROP TABLE held_open")
    await open_one.close()
    wanted = list(range(start + 1, start + total + 1))
    assert [found == wanted for found in results[:4]] == [True] * 4
    print(f"bar 5: {total} items, 4 readers, 0 skipped, 0 doubled, 0 out of order")
