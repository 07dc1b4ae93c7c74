"""Runs the decoders: one process for each picture, limited in memory, processor time and wall clock, and killed when it exceeds them.

A process waits warm, so that nobody waits for a start; it gets one job and ends, so no picture ever meets another one's remains. Pictures whose
decoder must hold them whole go one at a time. Who would have to wait too long is told so at once (503).
"""

from __future__ import annotations

import asyncio
import contextlib
import mmap
import os
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from typing import Any, Final

from services.cosmetics.imaging.formats import Header, corrupt, read_header
from services.cosmetics.imaging.process import Answer, Worker, answered, start
from shared.observability import get_logger
from shared.refusal import Refusal, Unavailable

MEBI: Final = 1024 * 1024
STREAMED_MEMORY: Final = 600 * MEBI
WHOLE_MEMORY: Final = 1500 * MEBI
CPU_SECONDS: Final = 20
IDLE_SECONDS: Final = 1.0
"""So long a picture is decoded only while nothing else wants the core, twice what one of 20 MB takes. Should that not do, as the machine has no such
moments, another process gets a share: what a full machine costs an upload is this second, not its turn."""
WALL_SECONDS: Final = 60.0
MAX_WAITING: Final = 200
MAX_PARALLEL: Final = 4
_log = get_logger(__name__)


class Decoders:
    """Decodes what is in open files, `parallel` at once (else one core is left to the service). `on_job` is told outcome and seconds of each."""

    def __init__(
        self,
        *,
        parallel: int | None = None,
        waiting: int = MAX_WAITING,
        idle_seconds: float = IDLE_SECONDS,
        wall_seconds: float = WALL_SECONDS,
        memory: tuple[int, int] = (STREAMED_MEMORY, WHOLE_MEMORY),
        on_job: Callable[[str, float], None] | None = None,
    ) -> None:
        self._turns = asyncio.Semaphore(parallel or max(1, min(MAX_PARALLEL, (os.cpu_count() or 1) - 1)))
        self._whole = asyncio.Semaphore(1)
        self._waiting = 0
        self._max_waiting = waiting
        self._idle_seconds = idle_seconds
        self._wall_seconds = wall_seconds
        self._memory = memory
        self._on_job = on_job or (lambda _outcome, _seconds: None)
        self._spare: asyncio.Task[Worker] | None = None
        self._closed = False
        self._warned = False

    async def close(self) -> None:
        """End the process that waits."""
        self._closed = True
        if self._spare is not None:
            worker = await self._spare
            await asyncio.to_thread(worker.end)

    async def header(self, descriptor: int) -> Header:
        """What the file says it is. Raises a `Refusal`, see `read_header`."""
        return await asyncio.to_thread(_header, descriptor)

    async def fit(self, descriptor: int, header: Header, sizes: Sequence[tuple[int, int]]) -> Answer:
        """The picture cut to these sizes (see the worker). Raises a `Refusal` `corrupt_image`, or `Unavailable`."""
        job = {"op": "fit", "sizes": [list(size) for size in sizes]}
        answer = await self._run(job, descriptor, whole=header.whole)
        for (width, height), made in zip(sizes, answer.parts[2:], strict=True):
            seen = read_header(made)  # what comes out of the decoder of a hostile file is no more trusted than what went in
            if (seen.media_type, seen.width, seen.height) != ("image/webp", width, height):
                raise corrupt()
        return answer

    async def convert(self, descriptor: int, to: str) -> bytes:
        """One of our own pictures in another format."""
        answer = await self._run({"op": "convert", "to": to}, descriptor, whole=False)
        if read_header(answer.parts[0]).media_type != to:
            raise corrupt()
        return answer.parts[0]

    async def _run(self, job: dict[str, Any], descriptor: int, *, whole: bool) -> Answer:
        if self._waiting >= self._max_waiting:
            detail = "Too many images wait to be read; try again."
            raise Unavailable(detail, retry_after=10)
        self._waiting += 1
        try:
            async with AsyncExitStack() as turn:
                if whole:
                    await turn.enter_async_context(self._whole)
                await turn.enter_async_context(self._turns)
                return await self._timed({**job, "memory": self._memory[whole], "cpu_seconds": CPU_SECONDS}, descriptor)
        finally:
            self._waiting -= 1

    async def _timed(self, job: dict[str, Any], descriptor: int) -> Answer:
        started, outcome = time.perf_counter(), "failed"
        try:
            answer = await self._one(job, descriptor)
            outcome = "done"
        except Refusal:
            outcome = "refused"
            raise
        else:
            return answer
        finally:
            self._on_job(outcome, time.perf_counter() - started)

    async def _one(self, job: dict[str, Any], descriptor: int) -> Answer:
        with contextlib.suppress(TimeoutError):
            return self._seen(await answered(await self._taken(), job, descriptor, self._idle_seconds))
        try:
            return self._seen(await answered(await asyncio.to_thread(start, idle=False), job, descriptor, self._wall_seconds))
        except TimeoutError:
            detail = "The image could not be read in time; try again."
            raise Unavailable(detail, retry_after=10) from None

    def _seen(self, answer: Answer) -> Answer:
        """Tell the operator once when this kernel does not confine decoders."""
        landlock, seccomp = answer.head.get("confined") or (False, False)
        if not ((landlock and seccomp) or self._warned):
            self._warned = True
            _log.warning("decoders are not fully confined", landlock=landlock, seccomp=seccomp)
        return answer

    async def _taken(self) -> Worker:
        """The process that waits warm, and another one after it."""
        spare, self._spare = self._spare, None
        worker = await (spare or asyncio.to_thread(start))
        if worker.process.poll() is not None:  # whatever ended it while it waited, the picture did not
            await asyncio.to_thread(worker.end)
            worker = await asyncio.to_thread(start)
        if not self._closed and self._spare is None:
            self._spare = asyncio.create_task(asyncio.to_thread(start), name="start-decoder")
        return worker


def _header(descriptor: int) -> Header:
    try:
        mapped = mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ)
    except ValueError:  # an empty file
        return read_header(b"")
    with mapped:
        return read_header(mapped)
