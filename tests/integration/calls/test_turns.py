"""Whose turn it is, over HTTP: what take-next answers when it is asked again, and when a call can't be read; and the place that replies tell."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from shared.eventstore.envelope import NewEvent
from shared.eventstore.port import Appended, AppendRequest, StreamAppend
from shared.ids import new_id
from tests.support.app import Service, fresh, serving
from tests.support.database import Server
from tests.support.rooms import resolve, room_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

STRAY = (
    "calls.decision_appealed.v1",
    b'{"decision_id":"01890a5d-ac96-774b-bcce-b302099a8057","player_id":"p","at":"2026-11-30T10:00:00Z"}',
)
UNREADABLE = [pytest.param(("calls.never_heard_of.v1", b"{}"), id="unknown type"), pytest.param(STRAY, id="about what is not there")]


@pytest_asyncio.fixture(loop_scope="module")
async def service(database_server: Server) -> AsyncIterator[Service]:
    """A service with empty queues."""
    database = database_server.create("mod_turns")
    try:
        async with serving(database) as service:
            yield service
    finally:
        database_server.drop(database.name)


async def spoil(service: Service, call: str, event: tuple[str, bytes]) -> None:
    """Append to an open call what another release, or a mistake, might have stored."""
    new = NewEvent(type=event[0], payload=event[1], meta=b'{"actor":"x","role":"y"}')
    part = StreamAppend(stream=f"call-{call}", expected_version=1, events=(new,))
    assert isinstance(await service.store.append(AppendRequest(command_id=new_id(), appends=(part,))), Appended)


async def test_take_next_asked_again_with_its_key_gives_the_call_again(service: Service) -> None:
    """The answer was lost, and nothing else waits: "nothing waits" would leave the call with somebody who does not know of it."""
    call = await (await room_of(service)).open()
    key = {"Idempotency-Key": fresh("key")}
    first = await service.admin.post("/v1/calls/take-next", {}, headers=key, expect=200)
    again = await service.admin.post("/v1/calls/take-next", {}, headers=key, expect=200)
    assert (first["call_id"], again.body) == (call, first.body)
    assert again.headers["Idempotency-Replayed"] == "true"
    await service.admin.refused("idempotency_key_reused", "/v1/calls/take-next", {"category": "afk"}, headers=key)
    await service.admin.post("/v1/calls/take-next", {}, expect=204)


async def test_that_nothing_waited_is_not_remembered(service: Service) -> None:
    """The same key looks again: there is nothing that it could have done twice."""
    key = {"Idempotency-Key": fresh("key")}
    await service.admin.post("/v1/calls/take-next", {}, headers=key, expect=204)
    call = await (await room_of(service)).open()
    assert (await service.admin.post("/v1/calls/take-next", {}, headers=key, expect=200))["call_id"] == call


@pytest.mark.parametrize("event", UNREADABLE)
async def test_e06_a_call_that_cannot_be_read_keeps_no_other_waiting(service: Service, event: tuple[str, bytes]) -> None:
    """It is passed over while another waits; and when it alone waits the answer is "not now", never that nothing does."""
    spoiled, behind = await (await room_of(service)).open(), await (await room_of(service)).open()
    await spoil(service, spoiled, event)
    await service.admin.get(f"/v1/calls/{spoiled}", expect=503)
    taken = await service.admin.post("/v1/calls/take-next", {}, expect=200)
    assert taken["call_id"] == behind
    await resolve(service.admin, behind)
    await service.admin.post("/v1/calls/take-next", {}, expect=503)


async def test_every_reply_about_an_open_call_tells_its_place(service: Service) -> None:
    """Not only the press: what the caller's screen shows does not vanish when somebody leaves, joins, withdraws, or is idle."""
    ahead, room = await room_of(service), await room_of(service)
    await ahead.open()
    call = await room.open()
    replies = [
        await service.game.post(f"/v1/calls/{call}/presence", {"player_id": room.p2, "event": "disconnected"}, expect=200),
        await service.game.post(f"/v1/calls/{call}/idle", {"player_id": room.p2, "idle_since": "2026-11-30T09:00:00Z"}, expect=200),
        await service.game.post(f"/v1/calls/{call}/replies", {"player_id": room.p2}, expect=200),
        await room.press(room.p2, "harassment"),
        await room.cancel(call, room.p2),
    ]
    assert [reply["queue_position"] for reply in replies] == [2] * len(replies)
    service.clock.turn(minutes=5)
    late = await service.game.post(f"/v1/calls/{call}/presence", {"player_id": room.p2, "event": "returned"}, expect=200)
    assert (late["queue_position"], late["stale"]) == (2, True)
    await service.admin.post(f"/v1/calls/{call}/take", expect=200)
    released = await service.admin.post(f"/v1/calls/{call}/release", expect=200)
    assert (released["queue_position"], released["stale"], released["estimated_wait_seconds"]) == (1, True, 300)


async def test_take_next_needs_no_body(service: Service) -> None:
    """Its one member is optional, so there may be nothing to say."""
    call = await (await room_of(service)).open()
    assert (await service.admin.call("POST", "/v1/calls/take-next", expect=200))["call_id"] == call
