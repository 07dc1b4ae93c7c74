"""The feed with one and with 1,000 open streams on one worker: memory, and how long after a command's reply its event is there.

`python -m tests.bench.bench_feed` prints the figures beside a bare asyncio server that writes the same bytes to as many connections, and how soon the
pauses of duels are there. The clients run in this process, on the same machine, so their own work is in all the figures. It fails when an event is
missing, doubled or out of order, or when the pauses come later than promised.
"""

from __future__ import annotations

import asyncio
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import httpx
import uvloop

from tests.bench.harness.duels import PROMISED_MS, duels
from tests.bench.harness.streams import SETTLE_SECONDS, Figures, check_order, everywhere, listening, memory, opening
from tests.support.app import incident
from tests.support.database import Server, server
from tests.support.live import running

FEW, MANY = 1, 1000
COMMANDS: Final = 60
PAUSE: Final = 0.05
_FRAME: Final = b"1f5\r\ndata: " + b"x" * 470 + b"\nid: %d\n\n\r\n"


async def measure(name: str, address: tuple[str, int], hello: bytes, count: int, pid: int, act: Callable[[int], Awaitable[int]]) -> Figures:
    """Open the streams, act, and take the times. `act` returns the id of its event once it has the reply."""
    before = memory(pid)
    async with listening(address, hello, count) as listeners:
        await act(0)
        await asyncio.sleep(SETTLE_SECONDS)
        kib = (memory(pid) - before) / count
        replied: dict[int, float] = {}
        for number in range(1, COMMANDS + 1):
            place = await act(number)
            replied[place] = time.perf_counter()
            await asyncio.sleep(PAUSE)
        await everywhere(listeners, max(replied))
        check_order(listeners, list(replied))
    waits = [max(0.0, listener.seen[place] - at) * 1000 for listener in listeners for place, at in replied.items()]
    return Figures(name=name, waits=waits, kib=kib if count > FEW else None)


async def bare_server() -> None:
    """Answer whoever speaks, then write a frame to every listening connection: what this machine and event loop can do."""
    listening: list[asyncio.StreamWriter] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if (await reader.readline()) == b"listen\n":
            writer.write(b": connected\n\n")
            listening.append(writer)
            await reader.read()
            listening.remove(writer)
            return
        while line := await reader.readline():
            writer.write(line)
            for other in listening:
                other.write(_FRAME % int(line))

    made = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=2048)
    print(made.sockets[0].getsockname()[1], flush=True)
    await made.serve_forever()


async def bare(count: int) -> Figures:
    """The ceiling."""
    command = [sys.executable, "-m", "tests.bench.bench_feed", "bare"]
    process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        address = ("127.0.0.1", int(await process.stdout.readline()))
        reader, writer = await asyncio.open_connection(*address)
        writer.write(b"say\n")

        async def act(number: int) -> int:
            writer.write(b"%d\n" % number)
            return int(await reader.readline())

        return await measure(f"bare asyncio, connections: {count}", address, b"listen\n", count, process.pid, act)
    finally:
        process.kill()
        await process.wait()


async def feed(count: int, url: str, tokens: dict[str, str], pid: int) -> Figures:
    """The feed."""
    address, hello = opening(url, tokens["game-1"])
    async with httpx.AsyncClient(base_url=url, headers={"Authorization": f"Bearer {tokens['admin-1']}"}, timeout=30, trust_env=False) as http:

        async def act(number: int) -> int:
            reply = await http.post("/v1/incidents", json=incident(f"bench-{count}-{number}", "spam-major"))
            return int(reply.raise_for_status().json()["position"])

        return await measure(f"feed, streams: {count}", address, hello, count, pid, act)


def serving_process(url: str) -> int:
    """The process that listens at this address."""
    port = f"{urlsplit(url).port:04X}"
    inodes = {line.split()[9] for line in Path("/proc/net/tcp").read_text().splitlines()[1:] if line.split()[1].endswith(f":{port}")}
    for folder in Path("/proc").glob("[0-9]*/fd"):
        try:
            if any(str(link.readlink())[8:-1] in inodes for link in folder.iterdir() if str(link.readlink()).startswith("socket:")):
                return int(folder.parent.name)
        except OSError:
            continue
    raise LookupError("nobody listens there")


def main() -> int:
    """Measure and print; the exit code."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    late = False
    with server() as dsn, tempfile.TemporaryDirectory() as folder:
        databases = Server.prepare(dsn, "mod_bench_feed")
        database = databases.create()
        with running(Path(folder), database) as live:
            pid = serving_process(live.url)
            for count in (FEW, MANY):
                print(uvloop.run(bare(count)).line(), flush=True)
                print(uvloop.run(feed(count, live.url, live.tokens, pid)).line(), flush=True)
                paused = uvloop.run(duels(live.url, live.tokens, database.superuser, count))
                for figures in paused:
                    print(figures.line(), flush=True)
                late = late or max(figures.p99 for figures in paused) > PROMISED_MS
            print(f"the process holds {memory(pid) / 1024:.0f} MiB after it all")
        databases.drop(database.name)
        databases.drop(databases.template)
    print(f"every stream got every event once and in order; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"duel.paused and duel.resumed within {PROMISED_MS:.0f} ms at p99: {'no' if late else 'yes'}")
    return int(late)


if __name__ == "__main__":
    if sys.argv[1:] == ["bare"]:
        uvloop.run(bare_server())
    raise SystemExit(main())
