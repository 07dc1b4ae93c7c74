"""An upload on its way from the network to a decoder: counted and hashed while it is read, in a file without a name, never in memory (I14, I15)."""

from __future__ import annotations

import asyncio
import hashlib
import os
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from starlette.requests import ClientDisconnect, Request

from shared.http.headers import values
from shared.http.limits import too_large
from shared.http.observe import info_of
from shared.refusal import Unavailable

LIMIT: Final = 20_971_520
"""The longest upload in bytes (I-61): 20 MiB, inclusive."""

RATE: Final = 64_000_000
"""Bytes a second that a process takes of all uploads together: each megabyte costs its event loop 1 to 3 ms, in which no standing is answered."""

MAX_OPEN: Final = 256
"""So many uploads are under way at most: 5 GiB of the temporary folder (TMPDIR), which had better be no memory."""

_PIECE: Final = 256 * 1024
_IDLE_SECONDS: Final = 30.0
_WHOLE_SECONDS: Final = 300.0


class Pace:
    """Lets so many bytes a second pass; who comes too early waits, and so does whoever sends to them: nothing more is read meanwhile."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._free_at = 0.0

    async def take(self, length: int) -> None:
        """Wait until it is the turn of these bytes."""
        now = asyncio.get_running_loop().time()
        turn = max(self._free_at, now)
        self._free_at = turn + length / self._rate
        if turn > now:
            await asyncio.sleep(turn - now)


_PACE: Final = Pace(RATE)
_OPEN: Final = set[int]()


@dataclass(frozen=True, slots=True, kw_only=True)
class Spooled:
    """A received upload: an open file with no name, which is gone when it is closed."""

    descriptor: int
    length: int
    sha256: str


@asynccontextmanager
async def received(request: Request, *, limit: int = LIMIT) -> AsyncIterator[Spooled]:
    """The request's body, whole.

    Raises a `Refusal` `too_large` as soon as it says or turns out to be longer; `Unavailable` when the disk is full or too many are under way.
    """
    for value in values(request.scope["headers"], b"content-length"):
        if value.isdigit() and (len(value) > 18 or int(value) > limit):
            raise too_large(limit)
    if len(_OPEN) >= MAX_OPEN:
        detail = "Too many uploads are under way; try again."
        raise Unavailable(detail, retry_after=10)
    descriptor = _nameless()
    _OPEN.add(descriptor)
    try:
        yield await _fill(request, descriptor, limit)
    except TimeoutError as error:
        detail = "The upload took too long."
        raise Unavailable(detail) from error
    finally:
        _OPEN.discard(descriptor)
        os.close(descriptor)


async def _fill(request: Request, descriptor: int, limit: int) -> Spooled:
    digest, length, waiting, held = hashlib.sha256(), 0, list[bytes](), 0
    async with asyncio.timeout(_WHOLE_SECONDS):
        more = True
        while more:
            async with asyncio.timeout(_IDLE_SECONDS):
                message = await request.receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnect
            piece: bytes = message.get("body", b"")
            more = message.get("more_body", False)
            length += len(piece)
            if length > limit:
                raise too_large(limit)
            waiting.append(piece)
            held += len(piece)
            if held >= _PIECE or not more:
                await _PACE.take(held)
                await asyncio.to_thread(_write, descriptor, waiting, digest)
                waiting, held = [], 0
    info_of(request.scope).body_read = True
    return Spooled(descriptor=descriptor, length=length, sha256=digest.hexdigest())


def _nameless() -> int:
    try:
        return os.open(tempfile.gettempdir(), os.O_RDWR | os.O_TMPFILE | os.O_CLOEXEC, 0o600)
    except OSError:  # not every file system has O_TMPFILE
        descriptor, name = tempfile.mkstemp(prefix="upload-")
        os.unlink(name)  # noqa: PTH108  a path that was just given
        return descriptor


def _write(descriptor: int, pieces: list[bytes], digest: hashlib._Hash) -> None:
    try:
        for piece in pieces:
            digest.update(piece)
            view = memoryview(piece)
            while view:
                view = view[os.write(descriptor, view) :]
    except OSError as error:
        detail = "The upload can't be kept now."
        raise Unavailable(detail, retry_after=30) from error
