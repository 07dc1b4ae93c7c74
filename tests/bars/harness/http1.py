"""A small HTTP/1.1 client that sees what a library hides: which byte of an exchange a connection ended at, and on which connection."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self


class Cut(Exception):  # noqa: N818  an event of the network, not a fault of the program
    """The connection ended before the reply was complete. `stale`: one used before, and not a byte of a reply had come."""

    def __init__(self, *, stale: bool) -> None:
        super().__init__("the connection ended before the reply was complete")
        self.stale = stale


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A reply: status, headers by lower-case name, body."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body, decoded."""
        return json.loads(self.body)

    @property
    def code(self) -> str | None:
        """The problem's code, None when this is no problem document."""
        if self.headers.get("content-type") != "application/problem+json":
            return None
        return str(self.json["code"])


def encode_request(method: str, path: str, *, token: str | None, body: Any = None, headers: Mapping[str, str] | None = None) -> bytes:
    """The bytes of a request; `body` is sent as JSON, bytes as they are."""
    payload = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"{method} {path} HTTP/1.1", "Host: bars"]
    if token is not None:
        lines.append(f"Authorization: Bearer {token}")
    if body is not None:
        lines.append("Content-Type: application/json")
    if method != "GET":
        lines.append(f"Content-Length: {len(payload)}")
    lines.extend(f"{name}: {value}" for name, value in (headers or {}).items())
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + payload


@dataclass(slots=True, kw_only=True)
class Client:
    """One keep-alive connection to a server on the loopback, made anew when it has ended.

    As HTTP clients do, a request whose idle connection turns out to be closed is sent once more on a new one (RFC 9112, 9.3.1); `resent` counts that.
    """

    port: int
    timeout: float = 30.0
    resent: int = 0
    _reader: asyncio.StreamReader | None = None
    _writer: asyncio.StreamWriter | None = None
    _used: bool = field(default=False)

    async def request(self, method: str, path: str, *, token: str | None, body: Any = None, headers: Mapping[str, str] | None = None) -> Answer:
        """The reply. Raises `Cut`, `OSError` when there is no connection to be had, `TimeoutError`."""
        data = encode_request(method, path, token=token, body=body, headers=headers)
        try:
            return await self.exchange(data)
        except Cut as cut:
            if not cut.stale:
                raise
        self.resent += 1
        return await self.exchange(data)

    async def exchange(self, data: bytes) -> Answer:
        """Send these bytes and read one reply."""
        try:
            async with asyncio.timeout(self.timeout):
                return await self._exchange(data)
        except BaseException:
            self.close()
            raise

    async def _exchange(self, data: bytes) -> Answer:
        if self._writer is None or self._reader is None:
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self.port)
            self._used = False
        used, self._used = self._used, True
        seen = False
        try:
            self._writer.write(data)
            first = await self._reader.readexactly(1)
            seen = True
            head = first + await self._reader.readuntil(b"\r\n\r\n")
            status, headers = parse_head(head)
            body = b"" if status in {204, 304} else await self._reader.readexactly(int(headers.get("content-length", "0")))
        except (ConnectionError, asyncio.IncompleteReadError) as problem:
            raise Cut(stale=used and not seen) from problem
        if headers.get("connection", "").lower() == "close" or "transfer-encoding" in headers:  # a stream without an end: nobody here reads it
            self.close()
        return Answer(status=status, headers=headers, body=body)

    def close(self) -> None:
        """Drop the connection."""
        if self._writer is not None:
            with contextlib.suppress(OSError):
                self._writer.close()
        self._reader = self._writer = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()


def parse_head(head: bytes) -> tuple[int, dict[str, str]]:
    """Status and headers of a reply's head."""
    first, *rest = head.decode("latin-1").split("\r\n")
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in rest if line)}
    return int(first.split(" ", 2)[1]), headers
