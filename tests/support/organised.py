"""A tournament of the running service: the senior admin is its head judge, the admin a judge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.support.app import Answer, Caller, Service, fresh, iso


@dataclass
class Event:
    """A tournament of the service: the senior admin is its head judge, the admin a judge."""

    service: Service
    path: str
    players: tuple[str, ...]
    round: int = 0

    async def pair(self, *pairings: list[str], expect: int = 201, **fields: Any) -> Answer:
        body = {"number": self.round + 1, "stage": "swiss", "pairings": list(pairings), "starts_at": iso(self.service.clock.moment), **fields}
        answer = await self.service.senior.post(f"{self.path}/rounds", body, expect=expect)
        self.round += expect < 400
        return answer

    async def give(self, infraction: str, person: str, *, by: Caller | None = None, expect: int | None = 201, **fields: Any) -> Answer:
        params: dict[str, Any] = {"dry_run": "true"} if fields.pop("dry_run", False) else {}
        body = {"person_id": person, "infraction": infraction, "round": self.round, "game": 1, "opponents_noticed": True, **fields}
        return await (by or self.service.senior).post(f"{self.path}/penalties", body, expect=expect, **params)

    async def person(self, person: str, by: Caller | None = None) -> Answer:
        return await (by or self.service.senior).get(f"{self.path}/people/{person}")

    async def sheet(self, number: int | None = None) -> Answer:
        return await self.service.game.get(f"{self.path}/rounds/{number or self.round}/sheet")


async def organise(service: Service, players: int = 4, **fields: Any) -> Event:
    body = {
        "rel": "competitive", "games_per_match": 3, "decklists": True, "scoring_version": "3.0", "head_judge_id": "senior-1",
        "judge_ids": ["admin-1"],
        **fields,
    }  # fmt: skip
    path = f"/v1/tournaments/{fresh('t')}"
    await service.head.call("PUT", path, body, expect=201)
    event = Event(service, path, tuple(fresh("player") for _ in range(players)))
    for player in event.players:
        await service.senior.post(f"{path}/people", {"person_id": player, "kind": "player"}, expect=201)
    await event.pair(*[list(event.players[at : at + 2]) for at in range(0, players, 2)])
    return event


def lines(answer: Answer, part: str) -> list[tuple[str, Any]]:
    return [(line["person_id"], line.get("game")) for line in answer[part]]
