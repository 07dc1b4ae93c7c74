"""The feed with 10 and with 1,000 open streams on one worker: memory, and how long after a command's reply its event is there.

`python -m tests.bench.bench_feed` prints the figures beside a bare asyncio server that writes the same bytes to as many connections. The clients run
in this process, on the same machine, so their own work is in all the figures. It fails when an event is missing, doubled or out of order.
"""

from __future__ import annotations

import asyncio
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, cast
from urllib.parse import urlsplit

import httpx
import uvloop

from tests.support.app import incident
from tests.support.database import Server, server
from tests.support.live import running

FEW, MANY = 10, 1000
COMMANDS: Final = 60
PAUSE: Final = 0.05
_FRAME: Final = b"1f5\r\ndata: " + b"x" * 470 + b"\nid: %d\n\n\r\n"


class Listener(asyncio.Protocol):
    """One open stream, and when each id came."""

    def __init__(self, hello: bytes) -> None:
        self.hello = hello
        self.seen: dict[int, float] = {}
        self.ids: list[int] = []
        self.open = asyncio.get_running_loop().create_future()
        self._rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)  # uvloop's are not of that class
        self.transport.write(self.hello)

    def data_received(self, data: bytes) -> None:
        now = time.perf_counter()
        if not self.open.done():
            self.open.set_result(None)
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            if line.startswith(b"id: "):
                self.ids.append(int(line[4:]))
                self.seen[self.ids[-1]] = now


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Milliseconds from reply to event, over all connections and commands; KiB that a connection costs the server."""

    name: str
    waits: list[float] = field(repr=False)
    kib: float

    def line(self) -> str:
        """For people."""
        cuts = statistics.quantiles(self.waits, n=100)
        return f"{self.name:<34} p50 {cuts[49]:7.2f} ms   p99 {cuts[98]:7.2f} ms   {self.kib:6.1f} KiB a connection"


def memory(pid: int) -> int:
    """What the process holds, in KiB."""
    text = Path(f"/proc/{pid}/status").read_text()
    return int(text.split("VmRSS:")[1].split()[0])


async def measure(name: str, address: tuple[str, int], hello: bytes, count: int, pid: int, act: Callable[[int], Awaitable[int]]) -> Figures:
    """Open the streams, act, and take the times. `act` returns the id of its event once it has the reply."""
    loop, before = asyncio.get_running_loop(), memory(pid)
    listeners: list[Listener] = []
    for _ in range(count):
        _, listener = await loop.create_connection(lambda: Listener(hello), *address)
        listeners.append(listener)
    await asyncio.gather(*(listener.open for listener in listeners))
    await act(0)
    await asyncio.sleep(1)
    kib = (memory(pid) - before) / count
    replied: dict[int, float] = {}
    for number in range(1, COMMANDS + 1):
        place = await act(number)
        replied[place] = time.perf_counter()
        await asyncio.sleep(PAUSE)
    async with asyncio.timeout(30):
        while any(max(replied) not in listener.seen for listener in listeners):  # noqa: ASYNC110  measured elsewhere
            await asyncio.sleep(0.05)
    for listener in listeners:
        assert [place for place in listener.ids if place in replied] == list(replied), "an event was missing, doubled or out of order"
        listener.transport.abort()
    waits = [max(0.0, listener.seen[place] - at) * 1000 for listener in listeners for place, at in replied.items()]
    return Figures(name=name, waits=waits, kib=kib)


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

        return await measure(f"bare asyncio, {count} connections", address, b"listen\n", count, process.pid, act)
    finally:
        process.kill()
        await process.wait()


async def feed(count: int, url: str, tokens: dict[str, str], pid: int) -> Figures:
    """The feed."""
    parts = urlsplit(url)
    async with httpx.AsyncClient(base_url=url, headers={"Authorization": f"Bearer {tokens['admin-1']}"}, timeout=30, trust_env=False) as http:

        async def act(number: int) -> int:
            reply = await http.post("/v1/incidents", json=incident(f"bench-{count}-{number}", "spam-major"))
            return int(reply.raise_for_status().json()["position"])

        hello = f"GET /v1/feed/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {tokens['game-1']}\r\n\r\n".encode()
        return await measure(f"feed, {count} streams", (parts.hostname or "", parts.port or 0), hello, count, pid, act)


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
    with server() as dsn, tempfile.TemporaryDirectory() as folder:
        databases = Server.prepare(dsn, "mod_bench_feed")
        database = databases.create()
        with running(Path(folder), database) as live:
            pid = serving_process(live.url)
            for count in (FEW, MANY):
                print(uvloop.run(bare(count)).line(), flush=True)
                print(uvloop.run(feed(count, live.url, live.tokens, pid)).line(), flush=True)
        databases.drop(database.name)
        databases.drop(databases.template)
    print(f"every stream got each of {COMMANDS} events once and in order")
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["bare"]:
        uvloop.run(bare_server())
    raise SystemExit(main())
