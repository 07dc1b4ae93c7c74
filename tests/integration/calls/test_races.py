"""Bar 8: one winner, whoever acts at once, over two processes' worth of service on one database.

Each race has sixteen contenders. `control` breaks the guard (a conflict is forced through as if it had not happened): then two must win.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
import pytest_asyncio

from services.calls.rooms.repository import Rooms
from shared.commands import Executor
from shared.eventstore.port import AppendRequest, AppendResult, Conflict, EventStore
from tests.support.app import fresh, serving
from tests.support.contenders import CONTENDERS, STAFF_IDS, Two, at_once, losers, winners
from tests.support.database import Server

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.bar(8), pytest.mark.timeout(3600)]
ROUNDS = [pytest.param(50, id="quick"), pytest.param(500, marks=pytest.mark.full, id="full")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def two(database_server: Server) -> AsyncIterator[Two]:
    database = database_server.create("mod_races")
    try:
        async with serving(database) as first, serving(database, tokens=first.tokens) as second:
            for staff_id in STAFF_IDS:
                entry = {"level": "senior_admin", "player_id": None, "active": True}
                await first.head.call("PUT", f"/v1/staff/{staff_id}", entry, expect=201)
            yield Two((first, second))
    finally:
        database_server.drop(database.name)


async def takes(two: Two) -> int:
    """Sixteen take one call; how many won."""
    call, _ = await two.open()
    answers = await at_once(*(two.post(number, f"/v1/calls/{call}/take") for number in range(CONTENDERS)))
    won = winners(answers)
    if len(won) == 1:
        assert losers(answers) == {(409, "call_already_taken")}
        shown = await two.show(call)
        assert [take["staff_id"] for take in shown["takes"]] == [STAFF_IDS[won[0]]]
    await two.resolve(call, (await two.show(call))["taken_by"])
    return len(won)


async def cancel_against_take(two: Two) -> int:
    """Eight take a call while its caller presses cancel eight times; how many won."""
    call, caller = await two.open()
    half = CONTENDERS // 2
    jobs = [two.post(number, f"/v1/calls/{call}/take") for number in range(half)]
    jobs += [two.post(number, f"/v1/calls/{call}/cancel", {"caller_id": caller}, staff=False) for number in range(half)]
    answers = await at_once(*jobs)
    won, shown = winners(answers), await two.show(call)
    if len(won) == 1:
        assert shown["state"] == ("taken" if won[0] < half else "cancelled")
        assert {code for _, code in losers(answers)} <= {"call_already_taken", "call_closed"}
    if shown["state"] == "taken":
        await two.resolve(call, shown["taken_by"])
    return len(won)


async def appeal_decisions(two: Two) -> int:
    """Sixteen decide one appeal; how many won."""
    call, caller = await two.open()
    admin = two.services[0].admin
    await admin.post(f"/v1/calls/{call}/take", expect=200)
    ruling = await admin.post(f"/v1/calls/{call}/decisions", {"kind": "ruling", "text": "It resolves."}, expect=201)
    said = {"player_id": caller, "decision_id": ruling["decision_id"]}
    await two.services[0].game.post(f"/v1/calls/{call}/appeal", said, expect=200)
    verdicts = [{"outcome": ("upheld", "overturned")[number % 2], "text": "Reviewed."} for number in range(CONTENDERS)]
    answers = await at_once(*(two.post(number, f"/v1/calls/{call}/appeal/decision", body) for number, body in enumerate(verdicts)))
    won, shown = winners(answers), await two.show(call)
    if len(won) == 1:
        assert losers(answers) == {(409, "invalid_transition")}
        assert (shown["taken_by"], shown["decisions"][0]["appeal"]["outcome"]) == (STAFF_IDS[won[0]], verdicts[won[0]]["outcome"])
    await two.resolve(call, shown["taken_by"])
    return len(won)


async def take_next(two: Two) -> int:
    """Sixteen ask for the next call where one waits; how many got it."""
    call, _ = await two.open("afk")
    answers = await at_once(*(two.post(number, "/v1/calls/take-next", {"category": "afk"}) for number in range(CONTENDERS)))
    won = [number for number, answer in enumerate(answers) if answer.status == 200]
    if len(won) == 1:
        assert [answer.status for answer in answers].count(204) == CONTENDERS - 1
        assert (answers[won[0]]["call_id"], (await two.show(call))["taken_by"]) == (call, STAFF_IDS[won[0]])
    await two.resolve(call, (await two.show(call))["taken_by"])
    return len(won)


RACES: dict[str, Callable[[Two], Awaitable[int]]] = {
    "two takes": takes,
    "cancel against take": cancel_against_take,
    "two reviewers": appeal_decisions,
    "take-next": take_next,
}


@pytest.mark.parametrize("rounds", ROUNDS)
@pytest.mark.parametrize("race", RACES)
async def test_exactly_one_wins(two: Two, race: str, rounds: int) -> None:
    """I-42, I-47, Q07."""
    won = [await RACES[race](two) for _ in range(rounds)]
    assert won == [1] * rounds
    print(f"bar 8: {race}, {CONTENDERS} contenders: one winner in {rounds} of {rounds} rounds")


@pytest.mark.parametrize("rounds", [pytest.param(10, id="quick"), pytest.param(500, marks=pytest.mark.full, id="full")])
async def test_take_next_gives_each_call_once_and_loses_none(two: Two, rounds: int) -> None:
    """Eight calls, sixteen contenders: eight get one each, in no case the same, and eight are told that nothing waits."""
    for _ in range(rounds):
        calls = {(await two.open("slow-play"))[0] for _ in range(CONTENDERS // 2)}
        answers = await at_once(*(two.post(number, "/v1/calls/take-next", {"category": "slow-play"}) for number in range(CONTENDERS)))
        given = [(answer["call_id"], STAFF_IDS[number]) for number, answer in enumerate(answers) if answer.status == 200]
        assert sorted(call for call, _ in given) == sorted(calls)
        assert [answer.status for answer in answers].count(204) == CONTENDERS - len(calls)
        for call, staff_id in given:
            await two.resolve(call, staff_id)
    print(f"bar 8: take-next, {CONTENDERS} contenders on {CONTENDERS // 2} calls: each given once in {rounds} of {rounds} rounds")


async def test_two_players_press_at_once_and_there_is_one_call(two: Two) -> None:
    """I-41: over two processes only the room's version can tell."""
    for _ in range(20):
        duel_id, players = fresh("duel"), [fresh(), fresh()]
        game = two.services[0].game
        await game.call("PUT", f"/v1/duels/{duel_id}", {"format": "tcg", "players": players, "kind": "single"}, expect=201)
        bodies = [
            {"duel_id": duel_id, "caller_id": players[number % 2], "category": "cheating", "message": "Help.", "origin": "duel"} for number in (0, 1)
        ]
        answers = await at_once(*(two.services[number].game.post("/v1/calls", body) for number, body in enumerate(bodies)))
        assert sorted(answer.status for answer in answers) == [200, 201]
        (call,) = {answer["call_id"] for answer in answers}
        assert len((await two.show(call))["problems"]) == 2


def between(monkeypatch: pytest.MonkeyPatch, reader: Any, name: str, work: Callable[[], Awaitable[Any]], *, before: bool) -> None:
    """Let this happen once, just before or just after the next read of this kind."""
    read, left = getattr(reader, name), [work]

    async def reading(*arguments: Any, **options: Any) -> Any:
        if before and left:
            await left.pop()()
        found = await read(*arguments, **options)
        if not before and left:
            await left.pop()()
        return found

    monkeypatch.setattr(reader, name, reading)


async def test_a_call_that_ends_between_the_two_reads_is_closed(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    """The call is read, then it is cancelled elsewhere, then its room is read: whoever comes second is told so, and it is no fault."""
    call, caller = await two.open()

    async def cancel() -> None:
        await two.services[1].game.post(f"/v1/calls/{call}/cancel", {"caller_id": caller}, expect=200)

    between(monkeypatch, two.services[0].resources.get(Rooms), "find", cancel, before=True)
    await two.services[0].game.refused("call_closed", f"/v1/calls/{call}/cancel", {"caller_id": caller}, expect=409)


async def test_a_pause_is_not_lost_when_the_room_was_read_too_early(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player joins while another withdraws and leaves a watcher: the room that was read was paused, the room as it is needs a new pause."""
    duel_id, players, watcher = fresh("duel"), [fresh(), fresh()], fresh()
    first, second = two.services
    await first.game.call("PUT", f"/v1/duels/{duel_id}", {"format": "tcg", "players": players, "kind": "single"}, expect=201)
    body = {"duel_id": duel_id, "category": "harassment", "message": "Help.", "origin": "duel"}
    call = (await first.game.post("/v1/calls", {**body, "caller_id": players[0]}, expect=201))["call_id"]
    await first.game.post("/v1/calls", {**body, "caller_id": watcher}, expect=200)

    async def withdraw() -> None:
        await second.game.post(f"/v1/calls/{call}/cancel", {"caller_id": players[0]}, expect=200)
        assert (await second.game.get(f"/v1/duels/{duel_id}"))["paused"] is False

    between(monkeypatch, first.resources.get(Rooms), "find", withdraw, before=False)
    await first.game.post("/v1/calls", {**body, "caller_id": players[1]}, expect=200)
    assert (await second.game.get(f"/v1/duels/{duel_id}"))["paused"] is True


class Forcing:
    """A store that pretends that no conflict happened: what it is told a stream's version is, it believes."""

    def __init__(self, store: EventStore) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def append(self, request: AppendRequest) -> AppendResult:
        for _ in range(100):
            result = await self._store.append(request)
            if not isinstance(result, Conflict):
                return result
            appends = tuple(
                replace(part, expected_version=result.actual_version) if part.stream == result.stream else part for part in request.appends
            )
            request = replace(request, appends=appends)
        return result


async def test_control_without_the_guard_two_win(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    """The race is a race: with the versions ignored some round has more than one winner."""
    for service in two.services:
        executor = service.resources.get(Executor)
        monkeypatch.setattr(executor, "_store", Forcing(service.store))
    for _ in range(20):
        call, _ = await two.open()
        answers = await at_once(*(two.post(number, f"/v1/calls/{call}/take") for number in range(CONTENDERS)))
        if len(winners(answers)) > 1:
            return
    pytest.fail("no round had two winners although nothing guarded")
