"""Many open streams in one process: when each event came, and what a connection costs the server."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, cast
from urllib.parse import urlsplit

SETTLE_SECONDS: Final = 1.0


class Listener(asyncio.Protocol):
    """One open stream, and when each id came (`time.perf_counter`)."""

    def __init__(self, hello: bytes) -> None:
        self.hello = hello
        self.seen: dict[int, float] = {}
        self.ids: list[int] = []
        self.open = asyncio.get_running_loop().create_future()
        self._rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the stream."""
        self.transport = cast("asyncio.Transport", transport)  # uvloop's are not of that class
        self.transport.write(self.hello)

    def data_received(self, data: bytes) -> None:
        """Note the ids."""
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
    """Milliseconds until the event was there, over all connections and commands; KiB that a connection costs the server, where that was measured."""

    name: str
    waits: list[float] = field(repr=False)
    kib: float | None = None

    @property
    def p99(self) -> float:
        """Of the milliseconds."""
        return statistics.quantiles(self.waits, n=100)[98]

    def line(self) -> str:
        """For people."""
        cuts = statistics.quantiles(self.waits, n=100)
        cost = "" if self.kib is None else f"   {self.kib:6.1f} KiB a connection"
        return f"{self.name:<52} p50 {cuts[49]:7.2f} ms   p99 {cuts[98]:7.2f} ms{cost}"


def memory(pid: int) -> int:
    """What the process holds, in KiB."""
    text = Path(f"/proc/{pid}/status").read_text()
    return int(text.split("VmRSS:")[1].split()[0])


@asynccontextmanager
async def listening(address: tuple[str, int], hello: bytes, count: int) -> AsyncIterator[list[Listener]]:
    """So many streams, each of which has begun."""
    loop = asyncio.get_running_loop()
    listeners: list[Listener] = []
    for _ in range(count):
        _, listener = await loop.create_connection(lambda: Listener(hello), *address)
        listeners.append(listener)
    await asyncio.gather(*(listener.open for listener in listeners))
    try:
        yield listeners
    finally:
        for listener in listeners:
            listener.transport.abort()


async def everywhere(listeners: list[Listener], last: int) -> None:
    """Wait until every stream has had this id."""
    async with asyncio.timeout(30):
        while any(last not in listener.seen for listener in listeners):  # noqa: ASYNC110  measured elsewhere
            await asyncio.sleep(0.05)


def check_order(listeners: list[Listener], wanted: list[int]) -> None:
    """Every stream has had these ids once and in order, whatever came between."""
    among = set(wanted)
    for listener in listeners:
        assert [place for place in listener.ids if place in among] == wanted, "an event was missing, doubled or out of order"


def opening(url: str, token: str) -> tuple[tuple[str, int], bytes]:
    """Where the service listens, and the request that opens a stream of the feed."""
    parts = urlsplit(url)
    hello = f"GET /v1/feed/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
    return (parts.hostname or "", parts.port or 0), hello
