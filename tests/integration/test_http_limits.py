"""Over a real socket: long bodies are cut off near the limit, and the sender still gets its answer."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn

from services.cosmetics.imaging.spool import LIMIT as UPLOAD_LIMIT
from tests.support.http import bearer, make_stand

HEAD = "POST /v1/players/p1/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"


@asynccontextmanager
async def serving() -> AsyncIterator[int]:
    """A server on a free port of this machine."""
    server = uvicorn.Server(
        uvicorn.Config(make_stand().app, host="127.0.0.1", port=0, lifespan="off", http="httptools", log_config=None, server_header=False)
    )
    task = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110  uvicorn has no event for it
        await asyncio.sleep(0.01)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        await task


async def talk(port: int, head: str, body: bytes, times: int) -> tuple[bytes, int]:
    """Send the head, then the body so many times as far as it is taken; the answer, and how often it was."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    sent = 0
    try:
        writer.write(head.encode())
        for _ in range(times):
            writer.write(body)
            await writer.drain()
            sent += 1
    except ConnectionError:
        pass
    answer = b""
    with contextlib.suppress(ConnectionError):
        answer = await asyncio.wait_for(reader.read(4096), 10)
    writer.close()
    return answer, sent


async def test_a_body_without_end_is_cut_off() -> None:
    """I15: chunked, no length; far fewer than the 256 MiB offered are taken."""
    chunk = b"10000\r\n" + b"x" * 65_536 + b"\r\n"
    async with serving() as port:
        for credentials, status in ((f"Authorization: {bearer('admin-1')['Authorization']}\r\n", b" 413 "), ("", b" 401 ")):
            answer, sent = await talk(port, f"{HEAD}{credentials}Transfer-Encoding: chunked\r\n\r\n", chunk, 4096)
            assert sent * 65_536 < 64 * 1024 * 1024
            assert status in answer or not answer


async def test_a_body_somewhat_too_long_is_answered() -> None:
    """The sender reads its 413 although it sends 8 MB first; the connection then ends."""
    size = 8_000_000
    async with serving() as port:
        head = f"{HEAD}Authorization: {bearer('admin-1')['Authorization']}\r\nContent-Length: {size}\r\n\r\n"
        answer, sent = await talk(port, head, b"x" * (size // 100), 100)
        assert sent == 100
        assert answer.startswith(b"HTTP/1.1 413 ")
        assert b"connection: close" in answer.lower()


async def test_the_longest_upload_that_is_refused_for_another_reason_is_answered() -> None:
    """I14, I15: who may not upload is told so even when the image is as long as images may be, and a little longer."""
    async with serving() as port:
        for size in (UPLOAD_LIMIT, UPLOAD_LIMIT + 1_000_000):
            answer, sent = await talk(port, f"{HEAD}Content-Length: {size}\r\n\r\n", b"x" * (size // 100), size // (size // 100))
            assert sent == 100
            assert answer.startswith(b"HTTP/1.1 401 ")


async def test_a_small_refused_body_does_not_cost_the_connection() -> None:
    """Two refusals on one connection."""
    async with serving() as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in range(2):
            writer.write(f"{HEAD}Content-Length: 2\r\n\r\n{{}}".encode())
            assert b" 401 " in await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 5)
            await asyncio.wait_for(reader.readuntil(b"}"), 5)
        writer.close()
