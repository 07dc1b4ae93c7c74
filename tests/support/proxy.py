"""A proxy before PostgreSQL or a service that cuts connections at chosen moments, or goes silent."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from enum import Enum
from typing import Self
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit, urlunsplit


class Cut(Enum):
    """Where the next marked message is cut."""

    BEFORE = "the server never sees it"
    AT_ONCE = "the server gets it, the connection is gone before it answers"
    REPLY = "the server answers, the client never sees it"


class Proxy:
    """Listens on the loopback; `dsn` (or `url`, of a service) leads through it to `upstream`, which may be changed.

    `cut_next(how, marker)` arms one cut: the next message that holds the marker. `lasts` says for each new connection how many bytes of replies it
    carries before it is cut.
    """

    def __init__(self, dsn: str) -> None:
        self.upstream = dsn
        self.lasts: Callable[[], int] | None = None
        self._server: asyncio.Server | None = None
        self._armed: tuple[Cut, bytes] | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._flowing = asyncio.Event()
        self._flowing.set()
        self.port = 0
        self.cuts = 0

    @property
    def dsn(self) -> str:
        """The database through the proxy."""
        parts = urlsplit(self.upstream)
        user = parts.netloc.rpartition("@")[0]
        query = [(name, value) for name, value in parse_qsl(parts.query) if name not in {"host", "port"}]
        return urlunsplit(parts._replace(netloc=f"{user}@127.0.0.1:{self.port}", query=urlencode([*query, ("sslmode", "disable")])))

    @property
    def url(self) -> str:
        """The service through the proxy."""
        return f"http://127.0.0.1:{self.port}"

    async def __aenter__(self) -> Self:
        await self.listen()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._flowing.set()
        await self.refuse()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def listen(self) -> None:
        """Accept connections, on the same port as before."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def refuse(self) -> None:
        """Cut every connection and accept no more: the database is down."""
        if self._server is not None:
            self._server.close()
        self.reset()

    def reset(self) -> None:
        """Cut every connection."""
        for writer in list(self._writers):
            writer.transport.abort()

    def silence(self) -> None:
        """Keep everything open and pass nothing on."""
        self._flowing.clear()

    def resume(self) -> None:
        """Pass on what waited, and the rest."""
        self._flowing.set()

    def cut_next(self, how: Cut, marker: bytes) -> None:
        """Arm one cut."""
        self._armed = (how, marker)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        up_reader, up_writer = await self._connect()
        self._writers |= {writer, up_writer}
        swallow = asyncio.Event()
        task = asyncio.current_task()
        if task is not None:
            self._tasks.add(task)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._back(up_reader, writer, swallow))
                group.create_task(self._forth(reader, writer, up_writer, swallow))
        except* (OSError, _Done):
            pass
        finally:
            for one in (writer, up_writer):
                self._writers.discard(one)
                one.transport.abort()
            if task is not None:
                self._tasks.discard(task)

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        parts = urlsplit(self.upstream)
        query = parse_qs(parts.query)
        host, port = query.get("host", [parts.hostname or "127.0.0.1"])[0], int(query.get("port", [str(parts.port or 5432)])[0])
        if host.startswith("/"):
            return await asyncio.open_unix_connection(f"{host}/.s.PGSQL.{port}")
        return await asyncio.open_connection(host, port)

    async def _forth(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, up_writer: asyncio.StreamWriter, swallow: asyncio.Event
    ) -> None:
        while data := await reader.read(1 << 20):
            await self._flowing.wait()
            if self._armed is not None and self._armed[1] in data:
                how, self._armed = self._armed[0], None
                self.cuts += 1
                if how is not Cut.BEFORE:
                    swallow.set()
                    up_writer.write(data)
                    with contextlib.suppress(OSError):
                        await up_writer.drain()
                if how is not Cut.REPLY:
                    raise _Done
                continue
            up_writer.write(data)
            await up_writer.drain()
        writer.close()
        raise _Done

    async def _back(self, up_reader: asyncio.StreamReader, writer: asyncio.StreamWriter, swallow: asyncio.Event) -> None:
        left = None if self.lasts is None else self.lasts()
        while data := await up_reader.read(1 << 20):
            await self._flowing.wait()
            if swallow.is_set():
                raise _Done
            writer.write(data if left is None else data[:left])
            await writer.drain()
            left = None if left is None else left - len(data)
            if left is not None and left <= 0:
                self.cuts += 1
                raise _Done
        raise _Done


class _Done(Exception):  # noqa: N818  how one direction tells the other to end
    pass
