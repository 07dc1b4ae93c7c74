"""Webhooks against a receiver that misbehaves (issue "Call Admin", point 6): at least once, in each player's order, and nowhere they must not go."""

from __future__ import annotations

import asyncio
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from hmac import digest

import pytest

from services.moderation.webhooks.dispatcher import Dispatcher
from services.moderation.webhooks.operator import Webhooks
from shared.eventstore.port import AppendRequest, OutboxItem
from shared.refusal import Refusal
from shared.webhooks.sender import Sender
from tests.support.app import Service, serving
from tests.support.database import Database, run
from tests.support.receiver import Message, Receiver, receiving
from tests.support.requests import ask, part

KILL_DISPATCHER = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'moderation-webhooks'"


@pytest.fixture
async def service(database: Database) -> AsyncIterator[Service]:
    async with serving(database) as opened:
        opened.resources.get(Dispatcher).poll = 0.05
        yield opened


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with receiving() as opened:
        yield opened


@pytest.fixture
def webhooks(service: Service) -> Webhooks:
    return service.resources.get(Webhooks)


def told(player: str | None, stream: str, expected: int = 0, count: int = 1) -> AppendRequest:
    """Events of a stream, each with one item about this player."""
    items = tuple(OutboxItem(type="standing.changed", player_id=player, data=b'{"n":%d}' % (expected + n), event=n) for n in range(count))
    return replace(ask(part(stream, expected, count)), outbox=items)


def signed_with(secret: str, message: Message) -> bool:
    """Whether one of the message's signatures is that of the secret: computed here from the text of Standard Webhooks."""
    content = b".".join((message.id.encode(), message.headers["webhook-timestamp"].encode(), message.body))
    wanted = "v1," + b64encode(digest(b64decode(secret.removeprefix("whsec_")), content, "sha256")).decode()
    return wanted in message.headers["webhook-signature"].split(" ")


async def waiting(service: Service) -> list[tuple[int, int, bool]]:
    """What is not delivered: position, attempts, given up."""
    rows = await service.store.fetch("SELECT position, attempts, dead FROM webhook_deliveries ORDER BY position, ordinal")
    return [tuple(row) for row in rows]


async def until_waiting(service: Service, wanted: list[tuple[int, int, bool]]) -> None:
    async with asyncio.timeout(15):
        while await waiting(service) != wanted:  # noqa: ASYNC110  the database tells nobody
            await asyncio.sleep(0.05)


async def test_a_message_is_signed_and_says_what_the_feed_says(service: Service, webhooks: Webhooks, receiver: Receiver) -> None:
    """Standard Webhooks: id, timestamp, signature; during a rotation both secrets sign."""
    made = await webhooks.add(receiver.url, allow_private=True, types=["standing.changed"])
    done = await service.issue("p-1", "spam-major")
    (message,) = await receiver.count(1)
    assert signed_with(made.secret, message)
    assert message.headers["host"] == receiver.url.split("/")[2]
    assert message.content["type"] == "standing.changed"
    assert (message.content["position"], message.content["player_id"]) == (done["position"], "p-1")
    second = await webhooks.rotate(made.webhook_id, timedelta(hours=1))
    await service.issue("p-2", "spam-major")
    assert [signed_with(one.secret, (await receiver.count(2))[1]) for one in (made, second)] == [True, True]
    service.clock.turn(hours=2)
    await service.issue("p-3", "spam-major")
    assert [signed_with(one.secret, (await receiver.count(3))[2]) for one in (made, second)] == [False, True]
    stored = await service.store.fetch("SELECT payload FROM events WHERE stream LIKE 'webhook-%' UNION ALL SELECT body FROM webhooks")
    assert not any(made.secret.removeprefix("whsec_").encode() in row[0] for row in stored)


async def test_a_players_items_wait_for_the_one_that_fails_and_others_go_on(service: Service, webhooks: Webhooks, receiver: Receiver) -> None:
    """Per-player order; the same id and bytes at every attempt; back-off."""
    await webhooks.add(receiver.url, allow_private=True)
    broken = True
    receiver.answer = lambda message: 500 if broken and message.content.get("player_id") == "p-1" else 200
    start = (await service.store.head()) + 1
    await service.store.append(told("p-1", "record-p-1", count=3))
    await service.store.append(told("p-2", "record-p-2", count=2))
    await service.store.append(told(None, "duel-d-1"))
    await until_waiting(service, [(start, 1, False), (start + 1, 0, False), (start + 2, 0, False)])
    assert sorted(message.content["position"] - start for message in receiver.got) == [0, 3, 4, 5]
    broken = False
    service.clock.turn(seconds=3)
    await asyncio.sleep(0.3)
    assert len(receiver.got) == 4  # five seconds, a fifth less at most, are not over
    service.clock.turn(seconds=4)
    assert [message.content["position"] - start for message in (await receiver.count(7))[4:]] == [0, 1, 2]
    first, again = (message for message in receiver.got if message.content["position"] == start)
    assert (first.id, first.body) == (again.id, again.body)
    await until_waiting(service, [])


@pytest.mark.parametrize("answer", [301, 400, "503 Retry-After: 3000", "cut", "hang"])
async def test_what_is_no_yes_is_tried_again(service: Service, webhooks: Webhooks, receiver: Receiver, answer: int | str) -> None:
    """Redirects are not followed, silence ends with the time-out, and whoever asks for time gets it."""
    service.resources.get(Dispatcher).sender = Sender(total=0.5)
    await webhooks.add(receiver.url, allow_private=True)
    receiver.answer = lambda _: answer
    await service.store.append(told("p-1", "record-p-1"))
    await until_waiting(service, [(await service.store.head(), 1, False)])
    receiver.answer = lambda _: 204
    service.clock.turn(seconds=60)
    if answer == "503 Retry-After: 3000":
        await asyncio.sleep(0.3)
        assert len(receiver.got) == 1
        service.clock.turn(seconds=3000)
    await receiver.count(2)
    await until_waiting(service, [])


async def test_after_410_nothing_is_sent_until_the_operator_says_so(service: Service, webhooks: Webhooks, receiver: Receiver) -> None:
    made = await webhooks.add(receiver.url, allow_private=True)
    receiver.answer = lambda _: 410
    await service.store.append(told("p-1", "record-p-1"))
    await receiver.count(1)
    async with asyncio.timeout(10):
        while b'"reason":"gone"' not in await service.store.fetch_value("SELECT body FROM webhooks"):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    receiver.answer = lambda _: 200
    await service.store.append(told("p-2", "record-p-2"))
    service.clock.turn(hours=1)
    await asyncio.sleep(0.3)
    assert len(receiver.got) == 1
    assert await webhooks.enable(made.webhook_id)
    await receiver.count(3)
    await until_waiting(service, [])


async def test_after_three_days_a_message_is_given_up_listed_and_sent_again_on_request(
    service: Service, webhooks: Webhooks, receiver: Receiver
) -> None:
    made = await webhooks.add(receiver.url, allow_private=True)
    receiver.answer = lambda _: 500
    await service.store.append(told("p-1", "record-p-1", count=2))
    last = await service.store.head()
    for number in range(1, 50):
        async with asyncio.timeout(15):
            while all(not dead and attempts < number for _, attempts, dead in await waiting(service)):  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        if (await waiting(service))[0][2]:
            break
        service.clock.turn(hours=10)
    assert 7 <= number <= 12
    receiver.answer = lambda _: 200
    service.clock.turn(hours=10)
    await until_waiting(service, [(last - 1, number, True)])  # the next of the lane goes on
    got = len(receiver.got)
    await webhooks.redeliver(made.webhook_id)
    await receiver.count(got + 1)
    await webhooks.redeliver(made.webhook_id, first=last - 1)
    assert [message.content["position"] for message in (await receiver.count(got + 3))[got:]] == [last - 1, last - 1, last]
    await until_waiting(service, [])


async def test_one_process_dispatches_and_another_takes_over(service: Service, webhooks: Webhooks, receiver: Receiver, database: Database) -> None:
    """At least once through the loss of the connection, and once only while nothing is lost."""
    await webhooks.add(receiver.url, allow_private=True)
    async with serving(database, tokens=service.tokens) as second:
        second.resources.get(Dispatcher).poll = 0.05
        for number in range(20):
            await second.store.append(told(f"p-{number}", f"record-p-{number}"))
        await receiver.count(20)
        await until_waiting(service, [])
        assert len({message.id for message in receiver.got}) == len(receiver.got) == 20
        run(database.superuser, KILL_DISPATCHER)
        for number in range(20):
            await second.store.append(told(f"p-{number}", f"record-p-{number}", 1))
        async with asyncio.timeout(15):
            while len({message.id for message in receiver.got}) < 40:  # noqa: ASYNC110
                await asyncio.sleep(0.05)


async def test_a_private_target_is_refused_whatever_its_name_resolves_to(service: Service, webhooks: Webhooks, receiver: Receiver) -> None:
    """Neither by address nor by a name that changes its mind (DNS rebinding): one look-up an attempt, and the connection goes where that said."""
    with pytest.raises(Refusal, match="https"):
        await webhooks.add(receiver.url)
    asked: list[str] = []

    async def resolve(host: str, _port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if host == "inside.example" else ["127.0.0.1", "203.0.114.1"]

    service.resources.get(Dispatcher).sender = Sender(resolve=resolve)
    for host in ("inside.example", "both.example"):
        port = receiver.url.split(":")[2].split("/")[0]
        await webhooks.add(f"https://{host}:{port}/", types=["standing.changed"])
    await service.store.append(told("p-1", "record-p-1"))
    last = await service.store.head()
    await until_waiting(service, [(last, 1, False)] * 2)
    errors = await service.store.fetch("SELECT last_error FROM webhook_deliveries")
    assert {row[0] for row in errors} == {"the target is not a public address"}
    assert sorted(asked) == ["both.example", "inside.example"]
    assert receiver.connections == 0


async def test_a_removed_webhook_gets_nothing_more(service: Service, webhooks: Webhooks, receiver: Receiver) -> None:
    made = await webhooks.add(receiver.url, allow_private=True)
    await webhooks.remove(made.webhook_id)
    await service.store.append(told("p-1", "record-p-1"))
    await asyncio.sleep(0.5)
    assert receiver.got == []
    with pytest.raises(Refusal, match="no such webhook"):
        await webhooks.enable(made.webhook_id)
