"""The client's feed against the running service: through cuts, silence, a restart, proxies without streams, and a token that is revoked."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from itertools import pairwise

import httpx
import pytest

from services.commands.seeding import GAME_SERVER
from services.moderation.staff.operator import Operator
from shared.client import Client, Following, Patience, Problem, Retries
from shared.client.api.incidents import IncidentBody, OffenseBody
from shared.client.progress import Progress
from shared.clock import SystemClock
from shared.eventstore.codec import Codec
from shared.feed.stream import Streams
from shared.ids import new_id
from shared.security.keys import Keys
from shared.security.roles import TokenKind
from tests.integration.test_feed import told
from tests.support.app import Service, serving
from tests.support.database import Database
from tests.support.feed import listening
from tests.support.live import Live
from tests.support.proxy import Proxy

QUICK = Retries(first_seconds=0.01, longest_seconds=0.05)
SHAPES = (1, 3, 2, 0, 4, 1, 1, 5)  # how many items each event has


@pytest.fixture
async def service(database: Database) -> AsyncIterator[Service]:
    async with serving(database) as opened:
        yield opened


def impatient(url: str, token: str) -> Client:
    """A client that waits hardly at all before it comes back."""
    made = Client(url, token, retries=QUICK)

    async def nap(seconds: float) -> None:
        await asyncio.sleep(min(seconds, 0.05))

    made.transport.sleep = nap
    return made


async def collect(feed: Following, count: int) -> list[tuple[int, int]]:
    """Position and number of the next items."""
    async with asyncio.timeout(120):
        return [(item.position, item.data["n"]) for item in [await anext(feed) for _ in range(count)]]


def written(start: int, events: int) -> list[tuple[int, int]]:
    """What the feed must tell of so many events behind a position."""
    return [(start + 1 + event, n) for event in range(events) for n in range(SHAPES[event % len(SHAPES)])]


async def write(service: Service, events: int, *, seconds: float = 0) -> None:
    for number in range(0, events, len(SHAPES)):
        await service.store.append(told("record-a", number, SHAPES, size=200))
        await asyncio.sleep(seconds)


async def test_it_gives_typed_items_and_where_to_begin_again(live: Live) -> None:
    async with live.client("game-1") as game, live.client("admin-1") as admin, game.feed() as feed:
        waiting = asyncio.ensure_future(anext(feed))
        while feed.after is None:  # noqa: ASYNC110  "now" is where the stream has begun
            await asyncio.sleep(0.02)
        start = feed.after
        body = IncidentBody(player_id="following-1", offenses=[OffenseBody(infraction="spam-major")])
        decided = await admin.incidents.decide_incident(body)
        item = await asyncio.wait_for(waiting, 10)
        assert (item.type, item.position, item.player_id) == ("incident.decided", decided.position, "following-1")
        assert feed.after == start  # the position goes on
        item = await asyncio.wait_for(anext(feed), 10)
        assert (item.type, item.data["status"]) == ("standing.changed", "banned")
        assert feed.after == decided.position
        async with admin.feed(after=start, types=["standing.changed"]) as chosen:
            assert await asyncio.wait_for(anext(chosen), 10) == item
        pages = game.feed_pages(after=start, limit=1)
        assert [found.type for found in (await anext(pages)).items] == ["incident.decided", "standing.changed"]
        assert pages.after == decided.position


async def test_a_wait_that_was_cancelled_loses_nothing(service: Service) -> None:
    start = await service.store.head()
    async with listening(service) as (url, _), impatient(url, service.tokens.game_server) as client, client.feed(after=start) as feed:
        for number in range(3):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.2):
                    await anext(feed)
            await service.store.append(told("record-a", number, (2,)))
            assert await collect(feed, 2) == [(start + number + 1, 0), (start + number + 1, 1)]


async def followed(service: Service, events: int) -> tuple[list[tuple[int, int]], Proxy]:
    """What a reader was given while its connection was cut again and again, in the middle of positions too."""
    start, chance = await service.store.head(), random.Random(4)
    async with listening(service) as (url, _), Proxy(url) as proxy, impatient(proxy.url, service.tokens.game_server) as client:
        proxy.lasts = lambda: chance.randint(200, 3200)  # longer than a head and the largest position: what never gets through whole is never given
        async with client.feed(after=start) as feed:
            reading = asyncio.ensure_future(collect(feed, len(written(start, events))))
            await write(service, events, seconds=0.01)
            return await reading, proxy


async def test_cuts_anywhere_neither_skip_nor_double_nor_reorder(service: Service) -> None:
    """Bar 5's property, for the client."""
    start = await service.store.head()
    found, proxy = await followed(service, 160)
    assert found == written(start, 160)
    assert proxy.cuts >= 30
    print(f"{len(found)} items through {proxy.cuts} cuts: each once, in order")


async def test_control_without_the_memory_of_a_positions_items_some_come_twice(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cuts do fall within positions."""

    def forgetful(progress: Progress, position: int, *, last: bool) -> bool:
        if last:
            progress.reached(position)
        return True

    monkeypatch.setattr(Progress, "take", forgetful)
    found, _ = await followed(service, 160)
    assert any(later <= earlier for earlier, later in pairwise(found))


async def test_it_lives_through_a_restart_of_the_service(service: Service, database: Database) -> None:
    """What was written while nobody served comes too."""
    start, token = await service.store.head(), service.tokens.game_server
    async with AsyncExitStack() as stack:
        async with listening(service) as (url, _):
            proxy = await stack.enter_async_context(Proxy(url))
            client = await stack.enter_async_context(impatient(proxy.url, token))
            feed = await stack.enter_async_context(client.feed(after=start))
            await service.store.append(told("record-a", 0, (2,)))
            assert await collect(feed, 2) == [(start + 1, 0), (start + 1, 1)]
            waiting = asyncio.ensure_future(collect(feed, 4))
            await asyncio.sleep(0.1)
        await service.store.append(told("record-a", 1, (1,)))
        await asyncio.sleep(0.3)
        assert feed.trouble is not None
        async with serving(database, tokens=service.tokens) as again, listening(again) as (url, _):
            proxy.upstream = url
            await again.store.append(told("record-a", 2, (3,)))
            assert await waiting == [(start + 2, 0), *((start + 3, n) for n in range(3))]
            assert feed.trouble is None


async def test_a_connection_that_says_nothing_is_dead_and_one_with_heartbeats_is_not(service: Service) -> None:
    start = await service.store.head()
    service.resources.get(Streams).heartbeat = 0.2
    async with listening(service) as (url, _), Proxy(url) as proxy, impatient(proxy.url, service.tokens.game_server) as client:
        opened: list[httpx.Request] = []

        async def note(request: httpx.Request) -> None:
            opened.append(request)

        client.transport.http.event_hooks = {"request": [note]}
        async with client.feed(after=start, patience=Patience(begin=2, quiet=1)) as feed:
            waiting = asyncio.ensure_future(collect(feed, 1))
            await asyncio.sleep(2.5)
            assert (len(opened), feed.trouble) == (1, None)
            proxy.silence()
            await service.store.append(told("record-a"))
            async with asyncio.timeout(5):
                while feed.trouble is None:  # noqa: ASYNC110  a state, no event
                    await asyncio.sleep(0.05)
            assert "ReadTimeout" in str(feed.trouble)
            proxy.resume()
            assert await waiting == [(start + 1, 0)]
            assert len(opened) > 1


class NoStreams(httpx.AsyncHTTPTransport):
    """A proxy that passes no streams on."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return httpx.Response(501) if request.url.path.endswith("/stream") else await super().handle_async_request(request)


async def test_where_streams_are_refused_it_is_the_long_poll(service: Service) -> None:
    start = await service.store.head()
    async with listening(service) as (url, _), Client(url, service.tokens.game_server, transport=NoStreams()) as client:
        reading = asyncio.ensure_future(collect(client.feed(after=start), len(written(start, 80))))
        await write(service, 80, seconds=0.02)
        assert await reading == written(start, 80)


async def test_a_revoked_token_is_told_by_a_problem(service: Service) -> None:
    """N10: and what had been recorded before is given first."""
    codec, keys = service.resources.get(Codec), service.resources.get(Keys)
    operator = Operator(store=service.store, codec=codec, token_hash=keys.token_hash, clock=SystemClock(), new_id=new_id)
    issued = await operator.issue_token(kind=TokenKind.GAME_SERVER, principal=GAME_SERVER, label="", dev=True)
    async with listening(service) as (url, _), impatient(url, issued.token) as client, client.feed(after=await service.store.head()) as feed:
        start = await service.store.head()
        await service.store.append(told("record-a"))
        assert await collect(feed, 1) == [(start + 1, 0)]
        waiting = asyncio.ensure_future(collect(feed, 1))
        await asyncio.sleep(0.1)
        await operator.revoke_token(issued.token_id)
        await service.store.append(told("record-a", 1))
        with pytest.raises(Problem) as caught:
            await waiting
        assert (caught.value.status, caught.value.code) == (401, "unauthenticated")


async def test_whom_it_is_not_for_gets_a_problem(live: Live) -> None:
    async with live.client("auditor-1") as auditor, Client(live.url, "no-token") as nobody:
        for client, status in ((auditor, 403), (nobody, 401)):
            with pytest.raises(Problem) as caught:
                await asyncio.wait_for(anext(client.feed()), 10)
            assert caught.value.status == status
