"""A duel room and what is done in it over HTTP, for tests of calls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.support.app import Answer, Caller, Service, fresh


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


async def resolve_taken(service: Service, call: str) -> None:
    await service.admin.post(f"/v1/calls/{call}/take", expect=200)
    await resolve(service.admin, call)
