"""Sixteen members of staff who act at once, over two processes' worth of service on one database."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any

from tests.support.app import Answer, Service, fresh

CONTENDERS = 16
STAFF_IDS = [f"contender-{number}" for number in range(CONTENDERS)]


@dataclass(frozen=True, slots=True)
class Two:
    """Two services over one database; contenders alternate between them."""

    services: tuple[Service, Service]

    async def post(self, number: int, path: str, body: Any = None, *, staff: bool = True) -> Answer:
        """What this contender is answered."""
        headers = {"Acting-Staff": STAFF_IDS[number]} if staff else None
        return await self.services[number % 2].game.post(path, body, headers=headers)

    async def open(self, category: str = "cheating") -> tuple[str, str]:
        """A call in a room of its own, and its caller."""
        game, duel_id, caller = self.services[0].game, fresh("duel"), fresh()
        await game.call("PUT", f"/v1/duels/{duel_id}", {"format": "tcg", "players": [caller, fresh()], "kind": "single"}, expect=201)
        body = {"duel_id": duel_id, "caller_id": caller, "category": category, "message": "Help.", "origin": "duel"}
        return str((await game.post("/v1/calls", body, expect=201))["call_id"]), caller

    async def show(self, call: str) -> Answer:
        """The call as the second service has it."""
        return await self.services[1].game.get(f"/v1/calls/{call}")

    async def resolve(self, call: str, staff_id: str) -> None:
        """End the call."""
        await self.services[0].game.post(f"/v1/calls/{call}/resolve", {"summary": "Done."}, headers={"Acting-Staff": staff_id}, expect=200)


async def at_once(*jobs: Awaitable[Answer]) -> list[Answer]:
    """All of it at the same moment."""
    return list(await asyncio.gather(*jobs))


def winners(answers: list[Answer]) -> list[int]:
    """Who got a yes."""
    return [number for number, answer in enumerate(answers) if answer.status < 300]


def losers(answers: list[Answer]) -> set[tuple[int, str]]:
    """How the others were told."""
    return {(answer.status, answer["code"]) for answer in answers if answer.status >= 300}
