"""The service with its uploads broken on purpose: it dies at a given point of one, or keeps them in memory."""

from __future__ import annotations

import asyncio
import hashlib
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

from starlette.requests import Request

from services.cosmetics.imaging import spool
from services.cosmetics.imaging.decoders import Decoders
from services.cosmetics.slots.pictures import Made, Pictures, key_of
from shared.commands import Executor

_keep = Pictures.keep


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die_before_bytes() -> None:
    """Is killed once an image is decoded, before a byte of it is kept."""

    async def keep(_self: Pictures, _cosmetic_id: str, _made: Made) -> None:
        _die()

    Pictures.keep = keep  # type: ignore[method-assign,assignment]


def die_among_bytes() -> None:
    """Is killed with one of the sizes kept."""

    async def keep(self: Pictures, cosmetic_id: str, made: Made) -> None:
        sha256, data = next(iter(made.files.items()))
        await self._blobs.put(key_of(cosmetic_id, sha256), data)
        _die()

    Pictures.keep = keep  # type: ignore[method-assign]


def die_after_bytes() -> None:
    """Is killed with all bytes kept and no event."""

    async def keep(self: Pictures, cosmetic_id: str, made: Made) -> None:
        await _keep(self, cosmetic_id, made)
        _die()

    Pictures.keep = keep  # type: ignore[method-assign]


def die_after_event() -> None:
    """Is killed once the event is recorded, before the answer."""
    run = Executor.run

    async def killed(self: Executor, ctx: Any, stream: str, attempt: Any) -> Any:
        reply = await run(self, ctx, stream, attempt)
        if stream.startswith("cosmetics-"):
            _die()
        return reply

    Executor.run = killed  # type: ignore[method-assign]


def event_before_bytes() -> None:
    """Records the event first, and is killed before the bytes are kept."""

    async def keep(_self: Pictures, _cosmetic_id: str, _made: Made) -> None:
        return

    Pictures.keep = keep  # type: ignore[method-assign,assignment]
    die_after_event()


def hold_in_memory() -> None:
    """Takes an upload into the serving process, whole, and decodes it there, on the event loop."""

    @asynccontextmanager
    async def received(_self: spool.Intake, request: Request, *, limit: int = spool.LIMIT) -> AsyncIterator[spool.Spooled]:
        body = await request.body()
        descriptor = os.memfd_create("upload")
        os.write(descriptor, body)
        try:
            yield spool.Spooled(descriptor=descriptor, length=min(len(body), limit), sha256=hashlib.sha256(body).hexdigest())
        finally:
            os.close(descriptor)
            del body

    header = Decoders.header

    async def slowly(self: Decoders, descriptor: int) -> Any:
        data = os.pread(descriptor, spool.LIMIT, 0)
        for _ in range(8):
            hashlib.sha256(data).hexdigest()  # stands for a decoder: a second of work that nothing else gets between
        await asyncio.sleep(0)
        return await header(self, descriptor)

    spool.Intake.received = received  # type: ignore[method-assign,assignment]
    Decoders.header = slowly  # type: ignore[method-assign]


BREAKS: Final[dict[str, Callable[[], None]]] = {
    "die-before-bytes": die_before_bytes,
    "die-among-bytes": die_among_bytes,
    "die-after-bytes": die_after_bytes,
    "die-after-event": die_after_event,
    "event-before-bytes": event_before_bytes,
    "hold-uploads": hold_in_memory,
}
