"""Servers that a test started, asked from outside: does it answer, has it ended."""

from __future__ import annotations

import asyncio
import socket
import time
from pathlib import Path
from typing import Any

import asyncpg


def ask(dsn: str, sql: str) -> Any:
    """The one value that the server answers."""

    async def run() -> Any:
        connection = await asyncpg.connect(dsn, timeout=10)
        try:
            return await connection.fetchval(sql)
        finally:
            await connection.close()

    return asyncio.run(run())


def free_port() -> int:
    """A port of the loopback that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def gone(pid: int, seconds: float = 15) -> bool:
    """Whether the process has ended within so many seconds."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except FileNotFoundError:
            return True
        if state == "Z":
            return True
        time.sleep(0.05)
    return False
