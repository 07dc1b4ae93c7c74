"""The service of a test behind a real socket, served as in production: for what a client in the same process can't see."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import msgspec
import uvicorn

from services.serving.protocol import DrainingProtocol
from services.serving.server import DrainingServer
from tests.support.app import Service


@asynccontextmanager
async def listening(service: Service) -> AsyncIterator[tuple[str, DrainingServer]]:
    """The base URL, and the server: `should_exit` ends it as SIGTERM does."""
    app = service.http._transport.app  # type: ignore[attr-defined]
    sock = socket.create_server(("127.0.0.1", 0), backlog=2048)
    config = uvicorn.Config(app, http=DrainingProtocol, ws="none", lifespan="off", log_config=None, access_log=False, timeout_graceful_shutdown=10)
    server = DrainingServer(config, None, app.state.drain)
    server.capture_signals = contextlib.nullcontext  # type: ignore[method-assign,assignment]
    running = asyncio.create_task(server.serve(sockets=[sock]))
    try:
        yield f"http://127.0.0.1:{sock.getsockname()[1]}", server
    finally:
        server.should_exit = True
        await running


class Frames:
    """The frames of a stream, as they come: (id or None, item)."""

    def __init__(self, reply: httpx.Response) -> None:
        self.reply = reply
        self._lines = reply.aiter_lines()

    async def one(self, seconds: float = 10) -> tuple[int | None, dict[str, Any]]:
        """The next frame with data. Raises `StopAsyncIteration` when the stream has ended."""
        found, place = None, None
        async with asyncio.timeout(seconds):
            while True:
                line = await anext(self._lines)
                if line.startswith("data:"):
                    found = msgspec.json.decode(line.removeprefix("data:"))
                elif line.startswith("id:"):
                    place = int(line.removeprefix("id:"))
                elif not line and found is not None:
                    return place, found

    async def until(self, position: int) -> list[tuple[int | None, dict[str, Any]]]:
        """Every frame up to the last one of this position."""
        found = [await self.one()]
        while found[-1][0] is None or found[-1][0] < position:
            found.append(await self.one())
        return found

    async def ended(self, seconds: float = 5) -> bool:
        """Whether the stream ends by itself within that time."""
        with contextlib.suppress(StopAsyncIteration):
            async with asyncio.timeout(seconds):
                while True:
                    await anext(self._lines)
        return True


@asynccontextmanager
async def stream(url: str, token: str, last: int | None = None, **params: Any) -> AsyncIterator[Frames]:
    """An open stream of the feed."""
    headers = {"Authorization": f"Bearer {token}", **({} if last is None else {"Last-Event-ID": str(last)})}
    async with (
        httpx.AsyncClient(base_url=url, timeout=20, trust_env=False) as http,
        http.stream("GET", "/v1/feed/stream", headers=headers, params=params) as reply,
    ):
        assert reply.status_code == 200, await reply.aread()
        yield Frames(reply)
