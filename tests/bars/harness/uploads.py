"""Uploads as they come: whole, dripping, endless, as forms; and what they do to the serving process."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.bars.harness.cluster import children
from tests.bars.harness.gateway import Gateway
from tests.bars.harness.http1 import Client, parse_head

PIECE: Final = 64 * 1024
SAMPLE_SECONDS: Final = 0.05


def head_of(path: str, token: str, *more: str) -> bytes:
    """A PUT's head."""
    lines = [f"PUT {path} HTTP/1.1", "Host: bars", f"Authorization: Bearer {token}", "Player-Tier: pro", "Content-Type: image/png", *more]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


@dataclass(slots=True)
class Connection:
    """One upload's connection; the reply may come, and the connection end, before everything is sent."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    @classmethod
    async def to(cls, port: int, head: bytes) -> Connection:
        """Connect and send the head."""
        made = cls(*await asyncio.open_connection("127.0.0.1", port))
        made.writer.write(head)
        return made

    async def send(self, data: bytes) -> bool:
        """Send; False once the other side wants no more."""
        try:
            self.writer.write(data)
            await self.writer.drain()
        except ConnectionError:
            return False
        return not (self.writer.is_closing() or self.reader.at_eof())

    async def status(self) -> int:
        """The reply's status, 0 when the connection ended without one."""
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            return parse_head(await self.reader.readuntil(b"\r\n\r\n"))[0]
        return 0

    def close(self) -> None:
        """Drop it."""
        with contextlib.suppress(OSError):
            self.writer.close()


async def whole(port: int, path: str, token: str, data: bytes, *, rate: float | None = None) -> int:
    """Upload it all, at so many bytes a second; the status."""
    connection = await Connection.to(port, head_of(path, token, f"Content-Length: {len(data)}"))
    loop = asyncio.get_running_loop()
    began = loop.time()
    try:
        for at in range(0, len(data), PIECE):
            if not await connection.send(data[at : at + PIECE]):
                break
            if rate is not None:
                await asyncio.sleep(max(0.0, began + at / rate - loop.time()))
        return await connection.status()
    finally:
        connection.close()


async def dripping(port: int, path: str, token: str, length: int, until: asyncio.Event) -> int:
    """Say that much is coming, and send a little now and then; how much was sent."""
    connection = await Connection.to(port, head_of(path, token, f"Content-Length: {length}"))
    sent = 0
    try:
        while not until.is_set() and await connection.send(bytes(1024)):
            sent += 1024
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(until.wait(), 0.2)
    finally:
        connection.close()
    return sent


async def endless(port: int, path: str, token: str, length: int) -> tuple[int, int]:
    """Send so much in chunks without saying how much; the status, and how much could be sent."""
    connection = await Connection.to(port, head_of(path, token, "Transfer-Encoding: chunked"))
    answered = asyncio.create_task(connection.status())
    chunk, sent = b"10000\r\n" + bytes(PIECE) + b"\r\n", 0
    try:
        while sent < length and await connection.send(chunk):
            sent += PIECE
        return await answered, sent
    finally:
        answered.cancel()
        connection.close()


def form(fields: int) -> bytes:
    """A form of so many fields, with a file last."""
    part = '--x\r\nContent-Disposition: form-data; name="f{}"\r\n\r\n{}\r\n'
    parts = "".join(part.format(number, number) for number in range(fields))
    return (parts + '--x\r\nContent-Disposition: form-data; name="file"; filename="x.png"\r\n\r\nx\r\n--x--\r\n').encode()


@dataclass(slots=True, kw_only=True)
class Seen:
    """The serving process meanwhile: megabytes more than before at most, and the event loop's lag in seconds (99 of 100 are under it)."""

    pid: int
    port: int
    base: int = 0
    most: int = 0
    lag: float = 0.0
    samples: int = 0
    before: dict[float, float] = field(default_factory=dict)

    @property
    def more(self) -> float:
        """Megabytes more than before, at most."""
        return (self.most - self.base) / 1e6


def resident(pid: int) -> int:
    """The process's resident memory in bytes."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    assert found is not None
    return int(found[1]) * 1024


def serving_pid(gateway: Gateway) -> int:
    """The process that answers: the supervisor's worker, or the broken variant's only process."""
    assert gateway.process is not None
    return gateway.process.pid if gateway.broken is not None else children(gateway.process.pid)[0]


async def lags(port: int) -> dict[float, float]:
    """How many samples of the event loop's lag were at most so long."""
    async with Client(port=port) as client:
        text = (await client.request("GET", "/metrics", token=None)).body.decode()
    found = re.findall(r'^moderation_loop_lag_seconds_bucket\{le="([^"]+)"\} ([0-9.e+]+)$', text, re.MULTILINE)
    assert found, "the service tells nothing of its event loop"
    return {float(edge): float(count) for edge, count in found}


@asynccontextmanager
async def watched(gateway: Gateway) -> AsyncIterator[Seen]:
    """What is done in the block, as the serving process feels it."""
    pid = serving_pid(gateway)
    seen = Seen(pid=pid, port=gateway.port, base=resident(pid), before=await lags(gateway.port))

    async def sample() -> None:
        while True:
            seen.most = max(seen.most, resident(pid))
            await asyncio.sleep(SAMPLE_SECONDS)

    sampling = asyncio.create_task(sample())
    try:
        yield seen
    finally:
        sampling.cancel()
    after = await lags(gateway.port)
    counts = {edge: after[edge] - seen.before[edge] for edge in after}
    seen.samples = round(counts[float("inf")])
    seen.lag = next(edge for edge, count in counts.items() if count >= 0.99 * counts[float("inf")])
