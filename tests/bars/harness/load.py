"""Eight clients with idempotency keys, who send each command until it has an answer: what a game server's outbox does."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tests.bars.harness.http1 import Answer, Client, Cut

PATIENCE: Final = 60.0
_PAUSE = 0.03


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command and the players on whose records it leaves one event each. Without a key it is sent once."""

    number: int
    players: tuple[str, ...]
    body: Mapping[str, Any]
    key: str | None


def linked_accounts(number: int, *, key: str | None = None, external_id: str | None = None) -> Command:
    """Multiple Accounts with two alts: one event on each of three records, or none at all (I-13)."""
    players = (f"main-{number}", f"alt-{number}-a", f"alt-{number}-b")
    offense = {"infraction": "multiple-accounts", "alts": list(players[1:]), "description": f"command {number}"}
    body: dict[str, Any] = {"player_id": players[0], "offenses": [offense]}
    if external_id is not None:
        body["external_id"] = external_id
    return Command(number=number, players=players, body=body, key=key)


def keyed(count: int, *, first: int = 0) -> list[Command]:
    """Commands with a key each."""
    return [linked_accounts(number, key=f"key-{number}") for number in range(first, first + count)]


@dataclass(slots=True, kw_only=True)
class Load:
    """Sends commands through `clients` connections. `acknowledged` holds the answer that counts for each, by its number."""

    ports: Sequence[int]
    token: str
    clients: int = 8
    chance: random.Random = field(default_factory=lambda: random.Random(1))
    ask_again: float = 0.1
    timeout: float = 30.0
    acknowledged: dict[int, Answer] = field(default_factory=dict)
    refused: list[tuple[Command, Answer]] = field(default_factory=list)
    unequal: list[str] = field(default_factory=list)
    seen: Counter[str] = field(default_factory=Counter)
    on_answer: Callable[[int], Awaitable[None]] | None = None

    async def run(self, commands: Iterable[Command]) -> None:
        """Send them all and return when each has its answer."""
        waiting = iter(list(commands))
        async with asyncio.TaskGroup() as group:
            for number in range(self.clients):
                group.create_task(self._client(self.ports[number % len(self.ports)], waiting))

    async def _client(self, port: int, waiting: Iterable[Command]) -> None:
        async with Client(port=port, timeout=self.timeout) as client:
            for command in waiting:
                answer = await self.settle(client, command)
                if answer is None:
                    continue
                if answer.status != 201:
                    self.refused.append((command, answer))
                    continue
                self.acknowledged[command.number] = answer
                if command.key is not None and self.chance.random() < self.ask_again:
                    await self._again(client, command, answer)
                if self.on_answer is not None:
                    await self.on_answer(len(self.acknowledged))

    async def _again(self, client: Client, command: Command, first: Answer) -> None:
        again = await self.settle(client, command)
        if again is None or again.status != first.status or again.body != first.body or "idempotency-replayed" not in again.headers:
            self.unequal.append(f"command {command.number}: {first.body!r} then {again}")

    async def settle(self, client: Client, command: Command) -> Answer | None:
        """Send until there is an answer that isn't "not now"; a command without a key only once (None: the connection ended without one)."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + PATIENCE
        headers = {} if command.key is None else {"Idempotency-Key": command.key}
        while True:
            try:
                answer = await client.request("POST", "/v1/incidents", token=self.token, body=command.body, headers=headers)
            except (Cut, OSError, TimeoutError) as problem:
                self.seen[type(problem).__name__] += 1
                if command.key is None:
                    return None
            else:
                self.seen[str(answer.status)] += 1
                if answer.status != 503:
                    return answer
                if command.key is None:
                    return answer
            if loop.time() > deadline:
                raise AssertionError(f"no answer to command {command.number} within {PATIENCE} s: {self.seen}")
            await asyncio.sleep(_PAUSE)
