"""One connection to the feed's stream: opened, told apart from everything that is none, and noticed when it is dead."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

import httpx

from shared.client.events import Event, EventReader
from shared.client.problem import problem_of
from shared.client.retries import RETRIED_STATUSES
from shared.client.transport import Transport

PATH: Final = "/v1/feed/stream"
HEARTBEAT_SECONDS: Final = 15.0
NO_STREAMS: Final = frozenset({404, 405, 406, 410, 501})
"""What proxies answer that pass no streams on."""
AGAIN: Final = RETRIED_STATUSES | {408, 425, 500}
_HEADERS: Final = {"Accept": "text/event-stream", "Accept-Encoding": "identity", "Cache-Control": "no-store"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """In seconds: until a stream must have begun, and how long it may then say nothing (the service says something every 15) before it is dead."""

    begin: float = 10.0
    quiet: float = 2 * HEARTBEAT_SECONDS


class StreamRefused(Exception):  # noqa: N818  a way to read less, not a fault
    """There are no streams here."""


class Interrupted(Exception):  # noqa: N818  what goes on
    """The stream ended, could not be opened, or is dead. `response` is the answer that said so, `began` whether it ever was one."""

    def __init__(self, why: str, *, response: httpx.Response | None = None, began: bool = False) -> None:
        super().__init__(why)
        self.response = response
        self.began = began


@asynccontextmanager
async def opened(transport: Transport, after: int | None, patience: Patience) -> AsyncIterator[AsyncGenerator[Event, None]]:
    """The events behind `after`. Raises `Problem` when who asks may not read, `StreamRefused`, or `Interrupted`, which every end is too."""
    headers = dict(_HEADERS) if after is None else {**_HEADERS, "Last-Event-ID": str(after)}
    timeout = httpx.Timeout(patience.begin, read=patience.quiet)
    request = transport.http.build_request("GET", PATH, headers=headers, timeout=timeout)
    try:
        async with asyncio.timeout(patience.begin):
            response = await transport.http.send(request, stream=True)
    except (httpx.TransportError, TimeoutError) as trouble:
        raise Interrupted(_named(trouble)) from trouble
    try:
        await _check(response, patience)
        yield _events(response, patience)
    finally:
        await response.aclose()


async def _check(response: httpx.Response, patience: Patience) -> None:
    status = response.status_code
    if status == httpx.codes.OK and response.headers.get("content-type", "").partition(";")[0].strip() == "text/event-stream":
        return
    if status < 400 or status in NO_STREAMS:
        raise StreamRefused(f"HTTP {status}")
    if status in AGAIN:
        raise Interrupted(f"HTTP {status}", response=response)
    try:
        async with asyncio.timeout(patience.begin):
            await response.aread()
    except (httpx.TransportError, TimeoutError) as trouble:
        raise Interrupted(_named(trouble)) from trouble
    raise problem_of(response)


async def _events(response: httpx.Response, patience: Patience) -> AsyncGenerator[Event, None]:
    reader, began = EventReader(), False
    chunks = response.aiter_bytes()
    try:
        async with asyncio.timeout(patience.begin):  # the service says hello at once: a proxy that keeps it would keep the rest too
            first = await anext(chunks, b"")
        began = bool(first)
        for event in reader.read(first):
            yield event
        async for chunk in chunks:
            for event in reader.read(chunk):
                yield event
    except (httpx.RequestError, TimeoutError) as trouble:
        raise Interrupted(_named(trouble), began=began) from trouble
    raise Interrupted("it ended", began=began)


def _named(trouble: Exception) -> str:
    return f"{type(trouble).__name__}: {trouble}".removesuffix(": ")
