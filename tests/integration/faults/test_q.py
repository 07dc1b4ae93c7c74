"""Faults Q02 to Q09 and T05 of the field: calls and their queues, over HTTP on PostgreSQL with a clock that moves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import msgspec
import pytest
import pytest_asyncio

from services.calls.calls import shapes
from services.calls.calls.categories import CATEGORIES
from services.calls.rooms.bodies import RoomShape
from services.calls.views.metrics import QueueMetrics
from services.calls.views.queues import Queues
from shared.observability import Metrics
from tests.support.app import Answer, Caller, Service, fresh, incident, iso, serving
from tests.support.database import Database, Server, run

pytestmark = pytest.mark.asyncio(loop_scope="module")


@dataclass(frozen=True, slots=True)
class Room:
    """A duel room and its two players."""

    service: Service
    duel_id: str
    p1: str
    p2: str

    async def press(self, caller: str | None = None, category: str = "ruling-question", **kw: Any) -> Answer:
        said = {"duel_id": self.duel_id, "caller_id": caller or self.p1, "category": category, "message": "Help.", "origin": "duel", **kw}
        return await self.service.game.post("/v1/calls", said)

    async def open(self, caller: str | None = None, category: str = "ruling-question") -> str:
        answer = await self.press(caller, category)
        assert answer.status == 201, answer.body
        return str(answer["call_id"])

    async def taken(self, by: Caller | None = None, category: str = "ruling-question") -> str:
        call = await self.open(category=category)
        await (by or self.service.admin).post(f"/v1/calls/{call}/take", expect=200)
        return call

    async def cancel(self, call: str, caller: str | None = None, *, expect: int = 200) -> Answer:
        return await self.service.game.post(f"/v1/calls/{call}/cancel", {"caller_id": caller or self.p1}, expect=expect)

    async def call(self, call: str) -> Any:
        return (await self.service.admin.get(f"/v1/calls/{call}")).body

    async def duel(self) -> Any:
        return (await self.service.game.get(f"/v1/duels/{self.duel_id}")).body


async def room_of(service: Service) -> Room:
    room = Room(service, fresh("duel"), fresh(), fresh())
    await service.game.call("PUT", f"/v1/duels/{room.duel_id}", {"format": "tcg", "players": [room.p1, room.p2], "kind": "match"}, expect=201)
    return room


async def resolve(by: Caller, call: str, **kw: Any) -> Answer:
    return await by.post(f"/v1/calls/{call}/resolve", {"summary": "Done.", **kw}, expect=200)


async def told(service: Service, room: Room) -> list[tuple[str, str]]:
    """What the feed is given about the room: type and, for a resumed duel, why."""
    sql = "SELECT type, data FROM outbox WHERE convert_from(data, 'UTF8') LIKE $1 ORDER BY position, ordinal"
    rows = await service.store.fetch(sql, f'%"{room.duel_id}"%')
    return [(row[0], row[1].decode()) for row in rows]


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


async def test_q02_a_call_outlives_everybody_in_the_room(service: Service) -> None:
    room, other = await room_of(service), await room_of(service)
    call, behind = await room.open(), await other.open()
    place = (await room.call(call))["queue_position"]
    for player, event in ((room.p1, "disconnected"), (room.p1, "conceded"), (room.p1, "quit"), (room.p2, "quit")):
        await service.game.post(f"/v1/calls/{call}/presence", {"player_id": player, "event": event}, expect=200)
    shown, duel = await room.call(call), await room.duel()
    assert (shown["state"], shown["queue_position"]) == ("open", place)
    assert [p["event"] for p in shown["presence"]] == ["disconnected", "conceded", "quit", "quit"]
    assert (await other.call(behind))["queue_position"] == place + 1
    assert (duel["call_id"], duel["chat_open"], duel["paused"]) == (call, True, False)
    await service.admin.post(f"/v1/calls/{call}/take", expect=200)
    await resolve(service.admin, call)
    assert (await room.call(call))["state"] == "resolved"


async def test_q03_a_silent_takers_call_is_taken_over_by_the_clock_alone(service: Service) -> None:
    """The lease ends at its second, no task runs, the event names both, and the players call again afterwards."""
    room = await room_of(service)
    call = await room.taken(category="cheating")
    service.clock.turn(seconds=100)
    await service.admin.post(f"/v1/calls/{call}/heartbeat", expect=200)
    service.clock.turn(seconds=119)
    await service.admin_b.refused("call_already_taken", f"/v1/calls/{call}/take")
    queues = {queue["category"]: queue for queue in (await service.admin.get("/v1/calls/queues"))["items"]}
    assert queues["cheating"]["lapsed"] == 0
    service.clock.turn(seconds=1)
    queues = {queue["category"]: queue for queue in (await service.admin.get("/v1/calls/queues"))["items"]}
    assert queues["cheating"]["lapsed"] == 1
    assert (await service.admin_b.post("/v1/calls/take-next", {"category": "cheating"}, expect=200))["call_id"] == call
    takes = (await room.call(call))["takes"]
    assert [(take["staff_id"], take["taken_over_from"]) for take in takes] == [("admin-1", None), ("admin-2", "admin-1")]
    await service.admin.refused("not_the_taker", f"/v1/calls/{call}/resolve", {"summary": "Mine."})
    await resolve(service.admin_b, call)
    await room.cancel(await room.open())


async def test_q03_a_demoted_takers_call_is_taken_over(service: Service) -> None:
    room, staff_id = await room_of(service), fresh("staff")
    entry = {"level": "admin", "player_id": None, "active": True}
    await service.head.call("PUT", f"/v1/staff/{staff_id}", entry, expect=201)
    acting = {"Acting-Staff": staff_id}
    call = await room.open()
    await service.game.post(f"/v1/calls/{call}/take", headers=acting, expect=200)
    await service.head.call("PUT", f"/v1/staff/{staff_id}", {**entry, "active": False}, expect=200)
    await service.game.refused("unknown_staff", f"/v1/calls/{call}/heartbeat", headers=acting)
    service.clock.turn(seconds=120)
    await service.admin.post(f"/v1/calls/{call}/take", expect=200)
    await resolve(service.admin, call)


async def test_q04_two_problems_are_not_one_flag(service: Service) -> None:
    """First run: the duel stays paused for the other caller. Second: the admin resolves all, and a joining problem pauses nothing."""
    room = await room_of(service)
    call = await room.open(room.p1, "slow-play")
    joined = await room.press(room.p2, "harassment")
    assert (joined.status, joined["call_id"], joined["joined_existing"], len(joined["problems"])) == (200, call, True, 2)
    left = await room.cancel(call, room.p1)
    assert (left["state"], [p["caller_id"] for p in left["problems"]], (await room.duel())["paused"]) == ("open", [room.p2], True)
    await service.admin.post(f"/v1/calls/{call}/take", expect=200)
    assert (await room.press(room.p1, "cheating"))["state"] == "taken"
    assert (await room.duel())["paused"] is False
    await resolve(service.admin, call)


async def test_q04_a_double_press_is_one_call_and_the_lobby_pauses_nothing(service: Service) -> None:
    """Third and fourth run; both presses at the same moment, too."""
    room = await room_of(service)
    pressed = await asyncio.gather(*(room.press() for _ in range(8)))
    assert sorted(answer.status for answer in pressed) == [200] * 7 + [201]
    (call,) = {answer["call_id"] for answer in pressed}
    assert len((await room.call(call))["problems"]) == 1
    await room.cancel(call)
    lobby = await room.press(fresh(), "harassment", duel_id=None, origin="lobby")
    assert (lobby.status, lobby["pauses"], (await room.duel())["paused"]) == (201, False, False)
    await resolve_taken(service, lobby["call_id"])


async def resolve_taken(service: Service, call: str) -> None:
    await service.admin.post(f"/v1/calls/{call}/take", expect=200)
    await resolve(service.admin, call)


async def test_q05_each_new_call_is_a_new_entry(service: Service) -> None:
    room = await room_of(service)
    first = await room.open()
    await room.cancel(first)
    second = await room.taken()
    await resolve(service.admin, second)
    third = await room.open()
    assert len({first, second, third}) == 3
    assert (await room.call(third))["queue_position"] is not None
    await room.cancel(third)


async def test_q06_a_pause_before_and_during_the_call_is_not_idle_time(service: Service) -> None:
    """Idle for four minutes, ten minutes of pause, then two minutes less a second, or two minutes."""
    for more, suggests in ((119, "slow-play-minor"), (120, "slow-play-major")):
        room = await room_of(service)
        began = service.clock.now()
        service.clock.turn(seconds=240)
        first = await room.open(category="afk")
        service.clock.turn(seconds=600)
        await room.cancel(first)
        call = await room.taken(category="afk")
        service.clock.turn(seconds=more - 5)
        await service.game.post(f"/v1/calls/{call}/idle", {"player_id": room.p2, "idle_since": iso(began)}, expect=200)
        await service.admin.post(f"/v1/calls/{call}/prompts", {"player_id": room.p2}, expect=200)
        await service.game.post(f"/v1/calls/{call}/replies", {"player_id": room.p1}, expect=200)
        service.clock.turn(seconds=5)
        answer = await service.game.post(f"/v1/calls/{call}/replies", {"player_id": room.p2}, expect=200)
        assert (answer["afk"]["suggests"], answer["afk"]["players"][0]["idle_seconds"]) == (suggests, 240 + more)
        await resolve(service.admin, call)


async def test_q07_taking_twice_is_one_event_and_one_message(service: Service) -> None:
    room = await room_of(service)
    call = await room.open()
    first = await service.admin.post(f"/v1/calls/{call}/take", expect=200)
    again = await service.admin.post(f"/v1/calls/{call}/take", expect=200)
    assert (first["version"], again["version"], again["position"]) == (2, 2, None)
    await resolve(service.admin, call)
    kinds = [kind for kind, _ in await told(service, room)]
    assert sorted(kinds) == ["call.opened", "call.resolved", "call.taken", "duel.paused", "duel.resumed"]


async def test_q08_every_accepted_call_is_found_in_its_category(service: Service) -> None:
    """A hundred calls over six categories and fifty rooms (the second of a room joins), with a restart between."""
    rooms = await asyncio.gather(*(room_of(service) for _ in range(50)))
    wanted = [(room, CATEGORIES[number % 6]) for number, room in enumerate(rooms)]
    first = await asyncio.gather(*(room.press(room.p1, category) for room, category in wanted))
    assert {answer.status for answer in first} == {201}
    second = await asyncio.gather(*(room.press(room.p2, CATEGORIES[(number + 1) % 6]) for number, (room, _) in enumerate(wanted)))
    assert {answer.status for answer in second} == {200}
    assert [answer["call_id"] for answer in first] == [answer["call_id"] for answer in second]
    listed: dict[str, str] = {}
    for category in CATEGORIES:
        page = await service.admin.get("/v1/calls", state="open", category=category, limit=200)
        listed |= {call["call_id"]: call["category"] for call in page["items"]}
    for (room, category), answer in zip(wanted, first, strict=True):
        shown = await room.call(answer["call_id"])
        assert (shown["state"], shown["category"], listed[answer["call_id"]], len(shown["problems"])) == ("open", category, category, 2)
    await asyncio.gather(*(resolve_taken(service, answer["call_id"]) for answer in first))


async def test_q08_what_is_refused_says_why_and_leaves_nothing(service: Service) -> None:
    room = await room_of(service)
    for code, body in (
        ("unknown_category", {"category": "boredom"}),
        ("not_in_duel", {"caller_id": fresh("watcher")}),
        ("not_found", {"duel_id": fresh("duel")}),
        ("invalid_request", {"duel_id": None}),
    ):
        assert (await room.press(**body))["code"] == code
    assert ((await room.duel())["call_id"], (await room.duel())["version"]) == (None, 1)


async def test_q09_a_corrected_category_leaves_one_entry_with_its_old_time(service: Service) -> None:
    room, other = await room_of(service), await room_of(service)
    call = await room.taken(category="afk")
    opened_at = (await room.call(call))["opened_at"]
    service.clock.turn(seconds=30)
    later = await other.open(category="report-bug")
    await service.admin.post(f"/v1/calls/{call}/category", {"category": "report-bug"}, expect=200)
    await service.admin.post(f"/v1/calls/{call}/release", expect=200)
    found = {
        category: [c["call_id"] for c in (await service.admin.get("/v1/calls", state="open", category=category))["items"]]
        for category in ("afk", "report-bug")
    }
    assert (call in found["afk"], found["report-bug"].count(call)) == (False, 1)
    shown = await room.call(call)
    assert (shown["opened_at"], shown["queue_position"], (await other.call(later))["queue_position"]) == (opened_at, 1, 2)
    assert (await service.standing(room.p1))["status"] == "good"
    await room.cancel(call)
    await other.cancel(later)


async def test_t05_the_services_time_decides(service: Service) -> None:
    """An hour ahead is refused, an hour behind is kept as what was claimed, and a pause is measured by the service."""
    room = await room_of(service)
    call = await room.open(category="afk")
    now = service.clock.now()
    for path, body in (("idle", {"idle_since": iso(now)}), ("replies", {})):
        ahead = {"player_id": room.p2, "at": iso(now + timedelta(hours=1)), **body}
        await service.game.refused("occurred_in_future", f"/v1/calls/{call}/{path}", ahead)
    behind = {"player_id": room.p2, "idle_since": iso(now - timedelta(hours=2)), "at": iso(now - timedelta(hours=1))}
    answer = await service.game.post(f"/v1/calls/{call}/idle", behind, expect=200)
    assert answer["afk"]["players"][0]["idle_seconds"] == 3600
    pausing = (await service.store.fetch("SELECT data FROM outbox WHERE type = 'duel.paused' ORDER BY position DESC LIMIT 1"))[0][0]
    assert iso(now) in pausing.decode()
    await room.cancel(call)


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
