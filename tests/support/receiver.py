"""A receiver of webhooks on the loopback that answers what the test wants, and keeps what it got."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import msgspec

Answer = int | str
"""A status; or `hang` (never answer) or `cut` (close the connection without an answer)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One request as it came."""

    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def content(self) -> dict[str, Any]:
        found: dict[str, Any] = msgspec.json.decode(self.body)
        return found


@dataclass(slots=True)
class Receiver:
    """`answer` says what a message gets; a header may follow a status with a blank: "503 Retry-After: 60"."""

    url: str = ""
    got: list[Message] = field(default_factory=list)
    answer: Callable[[Message], Answer] = lambda _message: 200
    connections: int = 0

    async def count(self, wanted: int, seconds: float = 15) -> list[Message]:
        """Wait until so many messages have come."""
        async with asyncio.timeout(seconds):
            while len(self.got) < wanted:  # noqa: ASYNC110  a list tells nobody
                await asyncio.sleep(0.02)
        return self.got

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")[1:-2]
                headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head)}
                message = Message(headers=headers, body=await reader.readexactly(int(headers.get("content-length", 0))))
                self.got.append(message)
                answer = self.answer(message)
                if answer == "hang":
                    await asyncio.sleep(3600)
                if answer == "cut":
                    return
                status, _, extra = str(answer).partition(" ")
                extra = f"{extra}\r\n" if extra else ""
                writer.write(f"HTTP/1.1 {status} Said\r\n{extra}Content-Length: 2\r\n\r\nok".encode())
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def receiving() -> AsyncIterator[Receiver]:
    """A receiver that listens."""
    receiver, tasks = Receiver(), set[asyncio.Task[None]]()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(receiver.serve(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    receiver.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/hooks?x=1"
    try:
        yield receiver
    finally:
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await server.wait_closed()
