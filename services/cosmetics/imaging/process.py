"""One decoder's process, from its start to its end, which is never later than that of its one job."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from services.cosmetics.imaging.formats import corrupt
from shared.refusal import Unavailable

_WORKER: Final = str(Path(__file__).with_name("worker.py"))
_ENVIRONMENT: Final = {
    "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "VIPS_CONCURRENCY": "1", "VIPS_BLOCK_UNTRUSTED": "1", "VIPS_DISC_THRESHOLD": "4g",
    "MALLOC_ARENA_MAX": "2",
}  # fmt: skip
_PIECE: Final = 1024 * 1024
MAX_ANSWER: Final = 24 * _PIECE
_LAST_SECONDS: Final = 2.0  # for a process that has answered, or was cut off, to be gone by itself


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a decoder said: its head, and the parts that it made."""

    head: dict[str, Any]
    parts: tuple[bytes, ...]


@dataclass(slots=True)
class Worker:
    """A process that waits for its job, or does it."""

    process: subprocess.Popen[bytes]
    channel: socket.socket

    def end(self, patience: float = 0.0) -> int:
        """Kill it unless it ends by itself within so many seconds, and say how it ended."""
        self.channel.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.process.wait(patience)
        self.process.kill()
        return self.process.wait()


def start(*, idle: bool = True) -> Worker:
    """Start one, which gives way to everybody, or has a share of the core. Blocks for a millisecond or two."""
    ours, theirs = socket.socketpair()
    words = [sys.executable, "-I", _WORKER, "idle" if idle else "share"]
    with theirs:
        process = subprocess.Popen(words, stdin=theirs.fileno(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=_ENVIRONMENT, cwd="/")
    return Worker(process, ours)


async def answered(worker: Worker, job: dict[str, Any], descriptor: int, seconds: float) -> Answer:
    """What it says of the one job; then it is ended.

    Raises a `Refusal` `corrupt_image`, `Unavailable` when somebody killed it (the kernel that needs memory, an operator), or `TimeoutError`.
    """
    patience = 0.0
    try:
        async with asyncio.timeout(seconds):
            answer = await _ask(worker, job, descriptor)
        patience = _LAST_SECONDS
    finally:
        ended = await asyncio.shield(asyncio.to_thread(worker.end, patience))
    if answer is not None and "error" not in answer.head:
        return answer
    if ended == -signal.SIGKILL:
        detail = "The image's decoder was ended; try again."
        raise Unavailable(detail, retry_after=10)
    raise corrupt() if answer is not None else corrupt(f"The image can't be read within the limits of its decoder ({ended}).")


async def _ask(worker: Worker, job: dict[str, Any], descriptor: int) -> Answer | None:
    """Hand the job over and read to the end of what comes back; None when that is no answer: the process died of its limits or of the file."""
    try:
        socket.send_fds(worker.channel, [json.dumps(job).encode()], [descriptor])
    except OSError:
        return None
    worker.channel.settimeout(0)
    loop, said = asyncio.get_running_loop(), bytearray()
    try:
        while piece := await loop.sock_recv(worker.channel, _PIECE):
            said += piece
            if len(said) > MAX_ANSWER:
                raise corrupt()
    except OSError:
        return None
    return _parsed(bytes(said))


def _parsed(said: bytes) -> Answer | None:
    line, newline, rest = said.partition(b"\n")
    if not newline:
        return None
    try:
        head = json.loads(line)
        lengths = [int(length) for length in head["lengths"]]
    except (ValueError, KeyError, TypeError):
        return None
    if min(lengths, default=0) < 0 or sum(lengths) != len(rest):
        return None
    parts, at = [], 0
    for length in lengths:
        parts.append(rest[at : at + length])
        at += length
    return Answer(head=head, parts=tuple(parts))
