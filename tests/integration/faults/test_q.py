"""Faults Q02 to Q09 and T05 of the field: calls and their queues, over HTTP on PostgreSQL with a clock that moves."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from services.calls.calls.categories import CATEGORIES
from tests.support.app import Service, fresh, iso
from tests.support.rooms import resolve, resolve_taken, room_of, told

pytestmark = pytest.mark.asyncio(loop_scope="module")


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
