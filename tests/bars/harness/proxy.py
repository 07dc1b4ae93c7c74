"""A proxy between the service and PostgreSQL on a Unix socket, which cuts the reply to a COMMIT, or lets everything vanish for a while."""

from __future__ import annotations

import asyncio
import contextlib
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

_COMMIT: Final = b"Q" + struct.pack("!i", 11) + b"COMMIT\0"
_SYNC: Final = b"S"
_NAME: Final = b"\0moderation-writer\0"


@dataclass(slots=True, kw_only=True)
class Proxy:
    """`cut(lost)` decides for each COMMIT of the writer: None lets it pass, "reply" loses its reply, "request" loses the COMMIT itself.

    While `hole` is set not a byte passes and no end of a connection is told, in either direction: as when a network is parted.
    """

    server: Path
    cut: Callable[[], str | None] = lambda: None
    cuts: int = 0
    hole: bool = False
    _links: set[_Link] = field(default_factory=set)

    @asynccontextmanager
    async def listening(self, folder: Path) -> AsyncIterator[str]:
        """Listen in this folder; the query of an address that leads here (`host=...&port=...`)."""
        folder.mkdir(mode=0o755, exist_ok=True)  # noqa: ASYNC240  a moment's work
        listener = await asyncio.start_unix_server(self._accept, folder / self.server.name)
        try:
            yield f"host={folder}&port={self.server.name.rsplit('.', 1)[1]}"
        finally:
            listener.close()
            for link in list(self._links):
                link.close()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            upstream = await asyncio.open_unix_connection(self.server)
        except OSError:
            writer.close()
            return
        link = _Link(proxy=self, client=(reader, writer), server=upstream)
        self._links.add(link)
        try:
            await link.run()
        finally:
            self._links.discard(link)


@dataclass(slots=True, kw_only=True, eq=False)
class _Link:
    """One proxied connection."""

    proxy: Proxy
    client: tuple[asyncio.StreamReader, asyncio.StreamWriter]
    server: tuple[asyncio.StreamReader, asyncio.StreamWriter]
    is_writer: bool = False
    in_transaction: bool = False
    lose_reply: bool = False
    first: bool = True

    async def run(self) -> None:
        """Pass bytes both ways until either end closes."""
        up = asyncio.create_task(self._pump(self.client[0], self.server[1], self._request))
        down = asyncio.create_task(self._pump(self.server[0], self.client[1], self._reply))
        await asyncio.wait([up, down], return_when=asyncio.FIRST_COMPLETED)
        self.close()
        await asyncio.wait([up, down])

    def close(self) -> None:
        """End both sides."""
        for _, writer in (self.client, self.server):
            with contextlib.suppress(OSError):
                writer.close()

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, look: Callable[[bytes], bool]) -> None:
        with contextlib.suppress(OSError):
            while True:
                data = await source.read(65_536)
                while self.proxy.hole:  # noqa: ASYNC110  what arrived meanwhile is told of afterwards, as is an end
                    await asyncio.sleep(0.02)
                if not data or not look(data):
                    return
                sink.write(data)
                await sink.drain()

    def _request(self, data: bytes) -> bool:
        """Whether to pass on what the client sent. The writer sends a transaction's statements one by one, so a COMMIT ends a chunk."""
        if self.first:
            self.first, self.is_writer = False, _NAME in data
            return True
        if not self.is_writer:
            return True
        if data.startswith(b"Q") and b"BEGIN\0" in data[:16]:
            self.in_transaction = True
        elif data.endswith(_COMMIT):
            self.in_transaction = False
            return self._decide()
        elif not self.in_transaction and data[:1] == b"B" and b"E" in data and data.endswith(_SYNC + b"\0\0\0\4"):
            return self._decide()  # an append without rows for tables commits by itself
        return True

    def _decide(self) -> bool:
        kind = self.proxy.cut()
        if kind is not None:
            self.proxy.cuts += 1
        self.lose_reply = kind == "reply"
        return kind != "request"

    def _reply(self, _data: bytes) -> bool:
        """Whether to pass on what the server sent: by the time that it answers a COMMIT, the commit has happened."""
        return not self.lose_reply
