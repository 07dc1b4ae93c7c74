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

from services.cosmetics.imaging.pace import Pace
from shared.http.headers import values
from shared.http.limits import too_large
from shared.http.observe import info_of
from shared.refusal import Unavailable

LIMIT: Final = 20_971_520
"""The longest upload in bytes (I-61): 20 MiB, inclusive."""

MAX_OPEN: Final = 256
"""So many uploads are under way at most: 5 GiB of the temporary folder (TMPDIR), which had better be no memory."""

_PIECE: Final = 256 * 1024
_IDLE_SECONDS: Final = 30.0
_WHOLE_SECONDS: Final = 600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Spooled:
    """A received upload: an open file with no name, which is gone when it is closed."""

    descriptor: int
    length: int
    sha256: str


class Intake:
    """Takes the uploads of a process: so many at once, and all together so many bytes a second."""

    def __init__(self, *, pace: Pace | None = None, most: int = MAX_OPEN) -> None:
        self._pace = pace or Pace()
        self._most = most
        self._open = 0

    @asynccontextmanager
    async def received(self, request: Request, *, limit: int = LIMIT) -> AsyncIterator[Spooled]:
        """The request's body, whole.

        Raises a `Refusal` `too_large` as soon as it says or turns out to be longer; `Unavailable` when the disk is full or too many are under way.
        """
        stated = _stated(request, limit)
        if self._open >= self._most:
            detail = "Too many uploads are under way; try again."
            raise Unavailable(detail, retry_after=10)
        descriptor = _nameless()
        self._open += 1
        try:
            yield await self._fill(request, descriptor, limit, stated)
        except TimeoutError as error:
            detail = "The upload took too long."
            raise Unavailable(detail) from error
        finally:
            self._open -= 1
            os.close(descriptor)

    async def _fill(self, request: Request, descriptor: int, limit: int, stated: int) -> Spooled:
        digest, length, waiting, held = hashlib.sha256(), 0, list[bytes](), 0
        loop = asyncio.get_running_loop()
        end = loop.time() + _WHOLE_SECONDS
        async with asyncio.timeout_at(end) as patience:  # one for all: there are hundreds of messages a second
            more = True
            while more:
                patience.reschedule(min(end, loop.time() + _IDLE_SECONDS))
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
                    patience.reschedule(end)
                    await self._pace.take(held, left=(stated - length) / limit)
                    await loop.run_in_executor(None, _write, descriptor, waiting, digest)
                    waiting, held = [], 0
        info_of(request.scope).body_read = True
        return Spooled(descriptor=descriptor, length=length, sha256=digest.hexdigest())


def _stated(request: Request, limit: int) -> int:
    """How long the body says that it is; what says nothing may become as long as the limit. Raises a `Refusal` `too_large`."""
    stated = limit
    for value in values(request.scope["headers"], b"content-length"):
        if value.isdigit():
            if len(value) > 18 or int(value) > limit:
                raise too_large(limit)
            stated = int(value)
    return stated


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
