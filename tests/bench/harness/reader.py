"""Asks for standings at a steady rate, as game servers do, and says how long each answer took: a process of its own, which waits for nothing else."""

from __future__ import annotations

import asyncio
import json
import signal
import sys

from tests.bars.harness.http1 import Client

CONNECTIONS = 8


async def read(port: int, token: str, rate: float, seconds: float) -> list[float]:
    """Milliseconds from when a request was due until its answer was there (so that one that waits for another counts), in order of asking.

    For so many seconds, or until SIGTERM.
    """
    loop, told = asyncio.get_running_loop(), asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, told.set)
    free: asyncio.Queue[Client] = asyncio.Queue()
    clients = [Client(port=port) for _ in range(CONNECTIONS)]
    for client in clients:
        free.put_nowait(client)
    took: list[float] = []

    async def one(number: int, due: float) -> None:
        client = await free.get()
        try:
            answer = await client.request("GET", f"/v1/players/player-{number % 500:07d}/standing", token=token)
            assert answer.status == 200, answer
            took.append((loop.time() - due) * 1000)
        finally:
            free.put_nowait(client)

    began = loop.time() + 0.2
    async with asyncio.TaskGroup() as group:
        for number in range(round(rate * seconds)):
            if told.is_set():
                break
            due = began + number / rate
            await asyncio.sleep(max(0.0, due - loop.time()))
            group.create_task(one(number, due))
    for client in clients:
        client.close()
    return took


if __name__ == "__main__":
    port, token, rate, seconds = sys.argv[1:5]
    print(json.dumps(asyncio.run(read(int(port), token, float(rate), float(seconds)))))
