"""The feed as server-sent events, one connection each: a cursor, and nothing that grows while its client is slow."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from shared.feed.hub import FeedHub, Waiting
from shared.feed.items import Place
from shared.feed.reading import Fetch, read
from shared.refusal import Refusal, Unavailable

HEARTBEAT: Final = 15.0
STUCK: Final = 30.0
CHUNK_PLACES: Final = 64
CATCH_UP_ITEMS: Final = 200
CATCH_UPS: Final = 2
PUSH_BYTES: Final = 64 * 1024
TRANSPORT: Final = "moderation.transport"
"""The scope's member with which the server lends the connection's transport to a stream: to cut a client that reads nothing any more, and to write a
chunk of a reply that goes on (HTTP/1.1, chunked) without a task for each connection, which takes five times as long."""

_HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


@dataclass(slots=True, kw_only=True)
class Streams:
    """What the streams of a process share: the hub, the database for those behind the ring (a few at a time), and the times in seconds."""

    hub: FeedHub
    fetch: Fetch
    catching_up: asyncio.Semaphore
    heartbeat: float = HEARTBEAT
    stuck: float = STUCK
    opened: int = 0


class FeedStream(Response):
    """Sends the feed behind `after` (None: from now on) until the client goes, the service ends, or `check` refuses who reads."""

    media_type = "text/event-stream"

    def __init__(self, streams: Streams, after: int | None, check: Callable[[], Awaitable[object]], leave: Callable[[], None]) -> None:
        self.status_code = 200
        self.background = None
        self.init_headers(_HEADERS)
        self._streams = streams
        self._hub = streams.hub
        self._after = after
        self._check = check
        self._leave = leave
        self._cursor = -1
        self._transport: asyncio.Transport | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve (ASGI)."""
        gauge = self._hub.metrics.feed_streams
        gauge.inc()
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            if scope["method"] == "HEAD":
                await send({"type": "http.response.body", "body": b""})
                return
            self._transport = scope.get(TRANSPORT)
            with self._hub.waiting() as waiting:
                waiting.push = None if self._transport is None else self._push
                gone = asyncio.ensure_future(_gone(receive))
                gone.add_done_callback(lambda _: waiting.wake())
                try:
                    await self._run(waiting, gone, send)
                    async with asyncio.timeout(self._streams.stuck):
                        await send({"type": "http.response.body", "body": b"", "more_body": False})
                except TimeoutError:
                    await self._cut(gone)
                finally:
                    gone.cancel()
        finally:
            gauge.dec()
            self._leave()

    async def _run(self, waiting: Waiting, gone: asyncio.Future[None], send: Send) -> None:
        """Send until there is a reason to end. Raises `TimeoutError` when the client takes nothing for too long."""
        hub, epoch = self._hub, -1
        hello = b"retry: %d\n" % (500 + secrets.randbelow(2500))
        if self._after is None:
            self._cursor = hub.head
            hello += b"id: %d\n" % self._cursor
        else:
            self._cursor = self._after
        await self._send(send, hello + b": connected\n\n")
        while not hub.draining and not gone.done():
            if hub.epoch != epoch:
                epoch = hub.epoch
                if not await self._allowed():
                    return
            found = hub.after(self._cursor, CHUNK_PLACES)
            if found is None:
                found, self._cursor = await self._catch_up(self._cursor)
            elif not found:
                if not await waiting.wait(self._streams.heartbeat):
                    await self._send(send, b": heartbeat\n\n")
                continue
            if found:
                await self._send(send, found[0].frames if len(found) == 1 else b"".join(place.frames for place in found))
                self._cursor = max(self._cursor, found[-1].position)

    def _push(self, first: int, last: int, frames: bytes) -> bool:
        """Send new places at once while the stream sleeps, having sent all before them; False when it has to be woken for them."""
        transport = self._transport
        if transport is None or self._cursor >= first or transport.is_closing() or transport.get_write_buffer_size() > PUSH_BYTES:
            return False
        transport.write(b"%x\r\n%b\r\n" % (len(frames), frames))
        self._cursor = last
        return True

    async def _catch_up(self, cursor: int) -> tuple[list[Place], int]:
        """A page of the database for a cursor that the ring has left behind, and the cursor behind it."""
        async with self._streams.catching_up:
            try:
                page = await read(self._streams.fetch, cursor, CATCH_UP_ITEMS)
            except Unavailable:
                await asyncio.sleep(1)
                return [], cursor
        return page.places, page.upto

    async def _allowed(self) -> bool:
        """N10: whether who opened the stream may still read it; not when nobody can tell."""
        try:
            await self._check()
        except (Refusal, Unavailable):
            return False
        return True

    async def _send(self, send: Send, body: bytes) -> None:
        async with asyncio.timeout(self._streams.stuck):
            await send({"type": "http.response.body", "body": body, "more_body": True})

    async def _cut(self, gone: asyncio.Future[None]) -> None:
        self._hub.metrics.feed_cut.inc()
        if self._transport is not None:
            self._transport.abort()
            await asyncio.wait([gone], timeout=1)


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
