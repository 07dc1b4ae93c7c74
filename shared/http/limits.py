"""Bodies are read no further than they may be long, whatever their headers say."""

from __future__ import annotations

import asyncio

from starlette.requests import ClientDisconnect
from starlette.types import Message, Receive, Scope

from shared.http.headers import values
from shared.refusal import Refusal

JSON_LIMIT = 1024 * 1024
"""The longest JSON body in bytes (contract, General)."""

DRAIN_LIMIT = 24 * 1024 * 1024
"""More than the longest body that any endpoint takes (20 MiB), or its sender would see a broken connection instead of why it is refused."""
DRAIN_SECONDS = 5.0


def too_large(limit: int) -> Refusal:
    """413 `too_large`."""
    return Refusal("too_large", f"The body is longer than {limit} bytes.", allowed=limit)


def has_body(scope: Scope) -> bool:
    """Whether a body may follow, by the headers."""
    headers = scope["headers"]
    if values(headers, b"transfer-encoding"):
        return True
    return any(value.strip() not in {b"0", b""} for value in values(headers, b"content-length"))


async def read_body(scope: Scope, receive: Receive, limit: int) -> bytes:
    """The whole body. Raises `Refusal` `too_large` as soon as it is or says it is longer than `limit` bytes."""
    for value in values(scope["headers"], b"content-length"):
        if value.isdigit() and (len(value) > 18 or int(value) > limit):
            raise too_large(limit)
    chunks: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        chunk: bytes = message.get("body", b"")
        size += len(chunk)
        if size > limit:
            raise too_large(limit)
        chunks.append(chunk)
        if not message.get("more_body", False):
            return chunks[0] if len(chunks) == 1 else b"".join(chunks)


async def drain(receive: Receive) -> None:
    """Swallow the rest of a refused body, up to 24 MiB or 5 seconds, so that the answer reaches a client that is still sending."""
    size = 0
    try:
        async with asyncio.timeout(DRAIN_SECONDS):
            while size < DRAIN_LIMIT:
                message: Message = await receive()
                size += len(message.get("body", b""))
                if message["type"] == "http.disconnect" or not message.get("more_body", False):
                    return
    except TimeoutError:
        return
