"""Calls over HTTP beyond the faults: penalties and their appeals, misuse, personal data, waits, shapes, restarts."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest
import pytest_asyncio

from services.calls.calls import shapes
from services.calls.rooms.bodies import RoomShape
from services.calls.views.metrics import QueueMetrics
from services.calls.views.queues import Queues
from shared.observability import Metrics
from tests.support.app import T0, Service, fresh, incident, iso, serving
from tests.support.database import Database, Server, run
from tests.support.rooms import Room, resolve, resolve_taken, room_of, told

pytestmark = pytest.mark.asyncio(loop_scope="module")


@dataclass(frozen=True, slots=True)
class Alone:
    """A service over a database that no other test uses."""

    service: Service
    database: Database


@pytest_asyncio.fixture(loop_scope="module")
async def alone(database_server: Server) -> AsyncIterator[Alone]:
    database = database_server.create("mod_alone")
    try:
        async with serving(database) as service:
            yield Alone(service, database)
    finally:
        database_server.drop(database.name)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def running(database_server: Server) -> AsyncIterator[Service]:
    database = database_server.create("mod_calls")
    try:
        async with serving(database) as service:
            yield service
    finally:
        database_server.drop(database.name)


@pytest.fixture
def service(running: Service) -> Service:
    """The running service with its clock at T0."""
    running.clock.moment = T0
    return running


async def test_a_penalty_its_appeal_and_its_end_are_one_story_in_call_and_record(service: Service) -> None:
    """I-47: an incident has one appeal by either route, decided in the transaction of the call's."""
    room = await room_of(service)
    call = await room.taken(category="cheating")
    penalty = {"kind": "penalty", "text": "Misreported.", "incident": incident(room.p2, "cheating"), "sources": []}
    made = await service.admin.post(f"/v1/calls/{call}/decisions", penalty, expect=201)
    incident_id = made["incident"]["incident_id"]
    (shown,) = (await room.duel())["penalties"]
    assert (shown["incident_id"], shown["player_id"], shown["infractions"], shown["call_id"]) == (incident_id, room.p2, ["cheating"], call)
    said = {"player_id": room.p2, "decision_id": made["decision_id"]}
    appealed = await service.game.post(f"/v1/calls/{call}/appeal", said, expect=200)
    appeal_id = appealed["decisions"][0]["appeal"]["incident_appeal_id"]
    assert (await service.senior.get(f"/v1/appeals/{appeal_id}"))["state"] == "open"
    filed = {"player_id": room.p2, "incident_id": incident_id, "grounds": "Also here."}
    await service.game.refused("appeal_exists", "/v1/appeals", filed)
    version = (await service.senior.post(f"/v1/appeals/{appeal_id}/preview", {"outcome": "overturned"}, expect=200))["player_version"]
    verdict = {"outcome": "overturned", "text": "The life points were right.", "player_version": version - 1}
    await service.senior.refused("stale_version", f"/v1/calls/{call}/appeal/decision", verdict)
    assert (await service.standing(room.p2))["status"] == "banned"
    await service.senior.post(f"/v1/calls/{call}/appeal/decision", {**verdict, "player_version": version}, expect=200)
    assert (await service.standing(room.p2))["status"] == "good"
    assert (await service.senior.get(f"/v1/appeals/{appeal_id}"))["outcome"] == "overturned"
    assert (await room.duel())["penalties"][0]["status"] == "overturned"
    await service.game.refused("decision_final", "/v1/appeals", filed)
    await resolve(service.senior, call)


async def test_an_incidents_own_appeal_may_be_decided_first_and_the_call_follows(service: Service) -> None:
    """I-47: no call is left stuck by the other route."""
    room = await room_of(service)
    call = await room.taken(category="cheating")
    made = await service.admin.post(
        f"/v1/calls/{call}/decisions", {"kind": "penalty", "text": "Cheating.", "incident": incident(room.p2, "cheating")}, expect=201
    )
    said = {"player_id": room.p2, "decision_id": made["decision_id"]}
    appealed = await service.game.post(f"/v1/calls/{call}/appeal", said, expect=200)
    appeal_id = appealed["decisions"][0]["appeal"]["incident_appeal_id"]
    version = (await service.senior.post(f"/v1/appeals/{appeal_id}/preview", {"outcome": "overturned"}, expect=200))["player_version"]
    decision = {"outcome": "overturned", "reason": "Wrong.", "player_version": version}
    await service.senior.post(f"/v1/appeals/{appeal_id}/decision", decision, expect=200)
    upheld = await service.head.refused("already_decided", f"/v1/calls/{call}/appeal/decision", {"outcome": "upheld", "text": "Right."})
    assert upheld["allowed"] == ["overturned"]
    await service.head.post(f"/v1/calls/{call}/appeal/decision", {"outcome": "overturned", "text": "As decided."}, expect=200)
    await resolve(service.head, call)


async def test_in_one_room_a_second_minor_error_becomes_a_major_one(service: Service) -> None:
    """I-7: charged on two calls of the same room."""
    room = await room_of(service)
    for expected in (["gameplay-minor"], ["gameplay-major"]):
        call = await room.taken()
        penalty = {"kind": "penalty", "text": "An error.", "incident": incident(room.p2, "gameplay-minor")}
        await service.admin.post(f"/v1/calls/{call}/decisions", penalty, expect=201)
        assert (await room.duel())["penalties"][-1]["infractions"] == expected
        await resolve(service.admin, call)


async def test_a_penalty_that_is_refused_leaves_the_call_as_it_was(service: Service) -> None:
    """One transaction: neither the incident nor the decision; also when the incident names another room."""
    room = await room_of(service)
    call = await room.taken(category="slow-play")
    version = (await room.call(call))["version"]
    elsewhere = incident(room.p2, "cheating", duel_id="other")
    for code, body in (("discretion_required", incident(room.p2, "slow-play-major")), ("invalid_request", elsewhere)):
        await service.admin.refused(code, f"/v1/calls/{call}/decisions", {"kind": "penalty", "text": "Slow.", "incident": body})
    assert ((await room.call(call))["version"], await service.incidents(room.p2)) == (version, [])
    await resolve(service.admin, call)


async def test_misuse_is_recorded_with_the_end_and_repeated_with_the_key(service: Service) -> None:
    """I-46; the same key gives the same answer and one incident."""
    room = await room_of(service)
    call = await room.taken()
    key = {"Idempotency-Key": fresh("key")}
    body = {"summary": "There was no problem.", "misuse": True}
    first = await service.admin.post(f"/v1/calls/{call}/resolve", body, headers=key, expect=200)
    again = await service.admin.post(f"/v1/calls/{call}/resolve", body, headers=key, expect=200)
    assert first.body == again.body
    (charged,) = await service.incidents(room.p1)
    assert (charged["incident_id"], charged["call_id"], charged["duel_id"]) == (first["incident"]["incident_id"], call, room.duel_id)


async def test_what_callers_wrote_is_in_no_list_reply_or_message_and_gone_with_the_key(alone: Alone) -> None:
    """Personal data: only the call itself shows it, and only while the caller's data key exists."""
    service, secret = alone.service, "canary-4711"
    room = await room_of(service)
    pressed = await room.press(message=secret, context={"history_ref": secret, "chat_ref": secret})
    call = pressed["call_id"]
    assert secret in str(await room.call(call))
    listed = await service.admin.get("/v1/calls", state="open")
    assert secret not in str(pressed.body) + str(listed.body) + str(await told(service, room))
    rows = await service.store.fetch("SELECT payload FROM events WHERE stream = $1", f"call-{call}")
    assert all(secret.encode() not in row[0] for row in rows)
    run(alone.database.superuser, "DELETE FROM data_keys")
    shown = await room.call(call)
    assert (shown["state"], shown["problems"][0]["message"], shown["problems"][0]["context"]) == ("open", None, None)
    await room.cancel(call)


async def test_waits_are_estimated_and_long_ones_pointed_out(alone: Alone) -> None:
    """The median of the last waits; `stale` from five minutes on, in lists, queues, and metrics."""
    service = alone.service
    for wait in (10, 20, 60):
        room = await room_of(service)
        call = await room.open(category="harassment")
        service.clock.turn(seconds=wait)
        await resolve_taken(service, call)
    room = await room_of(service)
    pressed = await room.press(category="harassment")
    assert pressed["estimated_wait_seconds"] == 20
    service.clock.turn(seconds=300)
    assert (await room.call(pressed["call_id"]))["stale"] is True
    queues = {queue["category"]: queue for queue in (await service.admin.get("/v1/calls/queues"))["items"]}
    assert (queues["harassment"]["open"], queues["harassment"]["stale"], queues["harassment"]["median_wait_seconds"]) == (1, 1, 20)
    metrics = Metrics()
    await QueueMetrics(service.resources.get(Queues), metrics, service.clock).refresh()
    page = metrics.render()[0].decode()
    assert 'moderation_call_queue{category="harassment",figure="oldest_seconds"} 300.0' in page
    await room.cancel(pressed["call_id"])


def fits(answer: Any, shape: type[msgspec.Struct]) -> None:
    """The JSON has the declared members and no others, and they are of the declared types."""
    msgspec.convert(answer, shape)
    assert set(answer) == set(shape.__struct_fields__)


async def test_replies_are_shaped_as_the_api_description_says(service: Service) -> None:
    room = await room_of(service)
    fits(await room.duel(), RoomShape)
    pressed = await room.press(category="cheating", context={"history_ref": "h", "chat_ref": None})
    fits(pressed.body, shapes.PressedReply)
    call = pressed["call_id"]
    fits((await service.admin.post(f"/v1/calls/{call}/take", expect=200)).body, shapes.CallReply)
    await service.game.post(f"/v1/calls/{call}/idle", {"player_id": room.p2, "idle_since": iso(service.clock.now())}, expect=200)
    penalty = {"kind": "penalty", "text": "Cheating.", "incident": incident(room.p2, "cheating"), "sources": [{"kind": "duel_history"}]}
    decided = await service.admin.post(f"/v1/calls/{call}/decisions", penalty, expect=201)
    fits(decided.body, shapes.DecidedReply)
    await service.game.post(f"/v1/calls/{call}/appeal", {"player_id": room.p2, "decision_id": decided["decision_id"]}, expect=200)
    upheld = await service.senior.post(f"/v1/calls/{call}/appeal/decision", {"outcome": "upheld", "text": "So."}, expect=200)
    fits(upheld.body, shapes.AppealDecidedReply)
    fits((await resolve(service.senior, call)).body, shapes.ResolvedReply)
    fits(await room.call(call), shapes.CallShape)
    fits(await room.duel(), RoomShape)
    for item in (await service.admin.get("/v1/calls", limit=5))["items"]:
        fits(item, shapes.CallShape)
    for item in (await service.admin.get("/v1/calls/queues"))["items"]:
        fits(item, shapes.QueueShape)


async def test_calls_survive_a_restart(alone: Alone) -> None:
    """Q08: everything is in the log and its tables; another process sees it as the first one does."""
    room = await room_of(alone.service)
    call = await room.open()
    async with serving(alone.database, tokens=alone.service.tokens) as after:
        again = Room(after, room.duel_id, room.p1, room.p2)
        assert ((await again.duel())["paused"], (await again.call(call))["queue_position"]) == (True, 1)
        assert (await after.admin.post("/v1/calls/take-next", {}, expect=200))["call_id"] == call
        nothing = await after.admin_b.call("POST", "/v1/calls/take-next", {}, expect=204)
        assert nothing.body is None
