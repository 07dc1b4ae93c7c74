"""The gateway as processes of their own: `moderation serve` as in production, or a variant that is broken on purpose (see `broken.py`)."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from shared.processes import die_with_parent
from tests.bars.harness.cluster import children
from tests.bars.harness.http1 import Client, Cut
from tests.support.processes import free_port

ROOT = Path(__file__).resolve().parents[3]
# Takes the socket on descriptor N as a service manager hands it over (sd_listen_fds(3)), then becomes `moderation`.
_HAND_OVER = (
    "import os, sys; os.dup2(int(sys.argv[1]), 3); os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS='1'); "
    "os.execv(sys.executable, [sys.executable, '-m', 'services.cli', *sys.argv[2:]])"
)


@dataclass(slots=True, kw_only=True)
class Gateway:
    """One running service on its port; `start` it, again after it was killed. `held` is a listening socket that outlives it."""

    dsn: str
    master_key: bytes
    log: Path
    port: int = field(default_factory=free_port)
    workers: int = 1
    broken: str | None = None
    media: str = ""  # where images are: beside the log, when nothing is said
    held: socket.socket | None = None
    process: subprocess.Popen[bytes] | None = None

    async def start(self, *, wait: bool = True) -> float:
        """Start it and (`wait`) wait until it is ready; the seconds that took."""
        began = time.monotonic()
        passed = () if self.held is None else (self.held.fileno(),)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(  # noqa: ASYNC220  a moment's work
                self._command(),
                env=self._environment(),
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=die_with_parent(signal.SIGKILL, os.getpid()),  # noqa: PLW1509  it only calls prctl
                pass_fds=passed,
            )
        if wait:
            await self.ready()
        return time.monotonic() - began

    def _command(self) -> list[str]:
        if self.broken is not None:
            return [sys.executable, "-m", "tests.bars.harness.broken", self.broken]
        serve = ["serve", "--workers", str(self.workers)]
        if self.held is not None:
            return [sys.executable, "-c", _HAND_OVER, str(self.held.fileno()), *serve]
        return [sys.executable, "-m", "services.cli", *serve]

    def _environment(self) -> Mapping[str, str]:
        return {
            "PATH": os.environ.get("PATH", ""),
            "PYTHONPATH": str(ROOT),
            "PYTHONDONTWRITEBYTECODE": os.environ.get("PYTHONDONTWRITEBYTECODE", ""),
            "DATABASE_URL": self.dsn,
            "MODERATION_MASTER_KEY": base64.b64encode(self.master_key).decode(),
            "MODERATION_PORT": str(self.port),
            "MODERATION_LOG_LEVEL": "warning",
            "MODERATION_MEDIA": self.media or str(self.log.parent / "media"),
        }

    async def ready(self, *, within: float = 30) -> float:
        """Wait until every worker that answers is ready; the seconds that took. Raises `AssertionError` with the log's end."""
        began = time.monotonic()
        while time.monotonic() - began < within:
            if self.process is not None and self.process.poll() is not None:
                break
            with contextlib.suppress(OSError, Cut, TimeoutError):
                async with Client(port=self.port, timeout=2) as client:
                    if (await client.request("GET", "/readyz", token=None)).status == 200:
                        return time.monotonic() - began
            await asyncio.sleep(0.02)
        raise AssertionError(f"the gateway is not ready:\n{self.log.read_text()[-3000:]}")

    def kill(self) -> None:
        """`kill -9` of parent and workers at once."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def kill_worker(self) -> None:
        """`kill -9` of one worker; the parent starts another."""
        assert self.process is not None
        for pid in children(self.process.pid)[:1]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    async def stop(self) -> int:
        """SIGTERM, and wait for the end; the exit code."""
        if self.process is None:
            return 0
        self.process.terminate()
        return await asyncio.to_thread(self.process.wait, 60)
