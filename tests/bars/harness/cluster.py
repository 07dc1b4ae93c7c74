"""PostgreSQL for the bars: a server of their own, which they may kill, and databases made from a migrated template."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import asyncpg

from migrations import runner
from shared.embedded import EmbeddedPostgres
from shared.embedded.cluster import APP_ROLE, SUPERUSER
from tests.support.database import run

_TEMPLATE = "bars_template"


class Cluster:
    """A running server; see the module."""

    def __init__(self, folder: Path) -> None:
        self._postgres = EmbeddedPostgres(folder)
        self._postgres.start()
        self._sql(f"CREATE DATABASE {_TEMPLATE}")
        runner.upgrade(self.superuser(_TEMPLATE))

    def create(self) -> str:
        """The name of a new migrated database."""
        name = f"bars_{secrets.token_hex(6)}"
        self._sql(f"CREATE DATABASE {name} TEMPLATE {_TEMPLATE} STRATEGY file_copy")
        return name

    def drop(self, name: str) -> None:
        """Remove a database and whoever is connected to it."""
        self._sql(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def app(self, name: str) -> str:
        """The database's address for the application's role."""
        return self._postgres.address(APP_ROLE, name)

    def superuser(self, name: str) -> str:
        """The database's address for a superuser."""
        return self._postgres.address(SUPERUSER, name)

    @property
    def socket(self) -> Path:
        """The server's Unix socket."""
        folder = self._postgres._sockets
        assert folder is not None
        return folder / f".s.PGSQL.{self._postgres.port}"

    def kill(self) -> None:
        """`kill -9` of the postmaster and of every process of it, at one moment."""
        pid = self._postgres.pid
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)  # it must not see its children go
        for number in [pid, *children(pid)]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)

    def stop(self) -> None:
        """End the server, if it runs."""
        self._postgres.stop()

    def start(self) -> float:
        """Start it again on its data; how many seconds that took until it accepted connections."""
        self._postgres.stop()  # what a kill has left: the lock and the dead process
        began = time.monotonic()
        self._postgres.start()
        return time.monotonic() - began

    def _sql(self, statement: str) -> None:
        run(self._postgres.superuser_dsn, statement)


def children(parent: int) -> list[int]:
    """The processes whose parent this is."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError):
                if int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1]) == parent:
                    found.append(int(entry.name))
    return found


@contextlib.contextmanager
def cluster() -> Iterator[Cluster]:
    """A server with the migrated template, gone with its data at the end of the block."""
    with tempfile.TemporaryDirectory(prefix="moderation-bars-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o711)  # the server may run as another user, who has to pass here
        made = Cluster(Path(folder) / "db")
        try:
            yield made
        finally:
            made.stop()


async def rows(dsn: str, sql: str, *arguments: object) -> list[asyncpg.Record]:
    """The rows of one query on a connection of its own."""
    connection = await asyncpg.connect(dsn)
    try:
        found: list[asyncpg.Record] = await connection.fetch(sql, *arguments)
        return found
    finally:
        await connection.close()
