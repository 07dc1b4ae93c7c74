"""How a call travels: headers, tries, decoding. The operations are generated; this is all that they rest on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from datetime import UTC, datetime
from typing import Any, TypeVar
from urllib.parse import quote

import httpx
import msgspec

from shared.client.media import Media
from shared.client.problem import Unreachable, media_type, problem_of
from shared.client.retries import RETRIED_STATUSES, Retries
from shared.ids import new_id

T = TypeVar("T")
Query = Mapping[str, Any]


class Transport:
    """One service, one principal, and at most one member of staff for whom it acts."""

    __slots__ = ("acting_staff", "http", "monotonic", "new_key", "retries", "sleep")

    def __init__(
        self,
        http: httpx.AsyncClient,
        *,
        retries: Retries,
        acting_staff: str | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        monotonic: Callable[[], float] = time.monotonic,
        new_key: Callable[[], str] = new_id,
    ) -> None:
        self.http = http
        self.retries = retries
        self.acting_staff = acting_staff
        self.sleep = sleep
        self.monotonic = monotonic
        self.new_key = new_key

    def acting(self, staff_id: str) -> Transport:
        """The same connection, acting for this member of staff."""
        return Transport(self.http, retries=self.retries, acting_staff=staff_id, sleep=self.sleep, monotonic=self.monotonic, new_key=self.new_key)

    async def fetch(self, method: str, path: str, reply: type[T], **parts: Any) -> T:
        """Do the call and decode its answer. Raises `Problem` or `Unreachable`."""
        return msgspec.json.decode(await self.content(method, path, **parts), type=reply)

    async def fetch_optional(self, method: str, path: str, reply: type[T], **parts: Any) -> T | None:
        """The same where the answer may be "there is none" (204)."""
        content = await self.content(method, path, **parts)
        return msgspec.json.decode(content, type=reply) if content else None

    async def media(self, method: str, path: str, types: Collection[str], **parts: Any) -> Media | None:
        """Do the call; the bytes it gives, which are of one of these media types. None when they are those that the caller has (304).

        Raises `Problem` or `Unreachable`.
        """
        response = await self.answer(method, path, **parts)
        if response.status_code == httpx.codes.NOT_MODIFIED:
            return None
        if response.status_code != httpx.codes.OK or media_type(response) not in types:
            raise problem_of(response)  # a page of somebody in between must not pass for a picture
        return Media(data=response.content, media_type=media_type(response), etag=response.headers.get("etag"))

    async def content(self, method: str, path: str, **parts: Any) -> bytes:
        """Do the call; the answer's bytes. Raises `Problem` or `Unreachable`."""
        return (await self.answer(method, path, **parts)).content

    async def answer(
        self,
        method: str,
        path: str,
        *,
        options: Mapping[str, Any],
        body: Any = None,
        data: bytes | None = None,
        query: Query | None = None,
        headers: Mapping[str, str | None] | None = None,
        command: bool = False,
        acts: bool = True,
    ) -> httpx.Response:
        """Do the call. Raises `Problem` or `Unreachable`.

        `body` is sent as JSON, `data` as it is, of `headers` what is not None. A `command` gets an idempotency key; where `acts` is False the call is
        the game server's own and names no member of staff.
        """
        sent = self._headers(options, command=command, acts=acts) | _given(headers or {})
        if body is not None:
            sent["Content-Type"] = "application/json"
            data = msgspec.json.encode(body)
        request = self.http.build_request(
            method,
            path,
            headers=sent,
            params=_given(query or {}),
            content=data,
            timeout=options.get("timeout", httpx.USE_CLIENT_DEFAULT),
        )
        response = await self._tried(request, sent.get("Idempotency-Key"))
        if response.status_code >= 400:
            raise problem_of(response)
        return response

    def _headers(self, options: Mapping[str, Any], *, command: bool, acts: bool) -> dict[str, str]:
        headers = {}
        acting = options.get("acting_staff", self.acting_staff)
        if acting is not None and acts:
            headers["Acting-Staff"] = acting
        if command:
            headers["Idempotency-Key"] = options.get("idempotency_key") or self.new_key()
        if "if_match" in options:
            headers["If-Match"] = f'"{options["if_match"]}"'
        return headers

    async def _tried(self, request: httpx.Request, key: str | None) -> httpx.Response:
        """The answer of the first try that is none of "not now", or of the last one."""
        deadline = self.monotonic() + self.retries.total_seconds
        for tried in range(1, self.retries.tries + 1):
            response, trouble = await self._once(request)
            if response is not None and response.status_code not in RETRIED_STATUSES:
                return response
            wait = self.retries.wait(tried, response)
            if tried == self.retries.tries or self.monotonic() + wait > deadline:
                if response is not None:
                    return response
                break
            await self.sleep(wait)
        message = f"no answer from {request.url.host} to {request.method} after {tried} tries: {type(trouble).__name__}"
        raise Unreachable(message, idempotency_key=key) from trouble

    async def _once(self, request: httpx.Request) -> tuple[httpx.Response | None, httpx.TransportError | None]:
        try:
            return await self.http.send(request), None
        except httpx.TransportError as trouble:
            return None, trouble


def segment(value: str) -> str:
    """A path parameter as one segment of a path, whatever it holds."""
    return quote(value, safe="")


def _given(parts: Query) -> dict[str, str]:
    """The query, or the headers, without what was not given."""
    return {name: _text(value) for name, value in parts.items() if value is not None}


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        if value.tzinfo is None:
            msg = f"a moment needs a time zone: {value.isoformat()}"
            raise ValueError(msg)
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    return str(value)
