"""How soon `duel.paused` and `duel.resumed` are at a connected game server: after the command's reply, and after the log recorded them."""

from __future__ import annotations

import asyncio
import time
from typing import Final

import asyncpg

from shared.client import Client
from shared.client.api.calls import PressBody, ResolveBody
from shared.client.api.duels import RoomBody
from tests.bench.harness.streams import SETTLE_SECONDS, Figures, Listener, check_order, everywhere, listening, opening

PROMISED_MS: Final = 100.0
DUELS: Final = 60
PAUSE: Final = 0.05
# The moment of the record lies before the commit, so what follows from it is more than commit to receipt.
_RECORDED: Final = """
SELECT o.position, o.type, e.recorded_at FROM outbox o JOIN events e USING (position)
WHERE o.type IN ('duel.paused', 'duel.resumed') AND o.position > $1 ORDER BY o.position"""


async def duels(url: str, tokens: dict[str, str], dsn: str, count: int) -> list[Figures]:
    """Both figures for so many open streams."""
    address, hello = opening(url, tokens["game-1"])
    connection = await asyncpg.connect(dsn)
    try:
        async with listening(address, hello, count) as listeners, Client(url, tokens["game-1"]) as game, Client(url, tokens["admin-1"]) as admin:
            await play(game, admin, f"{count}-warm")
            await asyncio.sleep(SETTLE_SECONDS)
            start = await connection.fetchval("SELECT position FROM log_head")
            replied = [at for number in range(DUELS) for at in await play(game, admin, f"{count}-{number}")]
            rows = await connection.fetch(_RECORDED, start)
            assert [row["type"] for row in rows] == ["duel.paused", "duel.resumed"] * DUELS
            places = [row["position"] for row in rows]
            await everywhere(listeners, places[-1])
            check_order(listeners, places)
        recorded = [_as_counter(row["recorded_at"].timestamp()) for row in rows]
        about = f"duel.paused/resumed, streams: {count}"
        return [
            Figures(name=f"{about}, after the reply", waits=_after(listeners, places, replied)),
            Figures(name=f"{about}, after the record", waits=_after(listeners, places, recorded)),
        ]
    finally:
        await connection.close()


async def play(game: Client, admin: Client, name: str) -> tuple[float, float]:
    """A call that pauses a duel and is taken; when each of the two commands was answered."""
    players = [f"bench-p1-{name}", f"bench-p2-{name}"]
    await game.duels.put_room(f"bench-duel-{name}", RoomBody(format="tcg", players=players, kind="single"))
    body = PressBody(duel_id=f"bench-duel-{name}", caller_id=players[0], category="cheating", message="Help.", origin="duel")
    await asyncio.sleep(PAUSE)
    call = await game.calls.press(body)
    paused = time.perf_counter()
    await asyncio.sleep(PAUSE)
    await admin.calls.take(call.call_id)
    resumed = time.perf_counter()
    await asyncio.sleep(PAUSE)
    await admin.calls.resolve(call.call_id, ResolveBody(summary="Done."))
    return paused, resumed


def _after(listeners: list[Listener], places: list[int], since: list[float]) -> list[float]:
    return [max(0.0, listener.seen[place] - at) * 1000 for listener in listeners for place, at in zip(places, since, strict=True)]


def _as_counter(moment: float) -> float:
    """A moment of the system's clock, which the database on this machine reads too, as one of `time.perf_counter`."""
    return moment - time.time() + time.perf_counter()
