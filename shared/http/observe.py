"""Around every request: its id, its record for log and metrics, the headers that every answer has, and the last catch."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shared.http import problems
from shared.ids import new_id
from shared.observability import request_id

_KEY = "moderation.request"
_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}\Z")

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""The methods that appear by name in log and metrics; a client can invent as many others as it likes."""

SECURITY_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
)
_SECURITY_NAMES = frozenset(name for name, _ in SECURITY_HEADERS)


@dataclass(slots=True, kw_only=True)
class RequestInfo:
    """What is known of a request, filled in on its way: the route's template (None: no route), the role, a refusal's code."""

    request_id: str
    method: str
    route: str | None = None
    role: str | None = None
    code: str | None = None
    status: int = 0
    seconds: float = 0.0
    body_read: bool = False


Record = Callable[[RequestInfo], None]
"""Told of every finished request: the metrics, the access log."""


def info_of(scope: Scope) -> RequestInfo:
    """The request's record; made on the spot when no middleware did."""
    info: RequestInfo | None = scope.get(_KEY)
    if info is None:
        info = scope[_KEY] = RequestInfo(request_id=_request_id(scope), method=scope.get("method", ""))
    return info


def _request_id(scope: Scope) -> str:
    """The caller's `X-Request-Id` when it is a plain one, else a new id."""
    for name, value in scope["headers"]:
        if name == b"x-request-id" and _ID.match(value):
            return str(value, "ascii")
    return new_id()


def with_our_headers(given: Iterable[tuple[bytes, bytes]], request_id: str) -> list[tuple[bytes, bytes]]:
    """The answer's headers (names in lower case) with the request's id and those security headers that it does not set itself."""
    headers = [*given, (b"x-request-id", request_id.encode("latin-1"))]
    own = [name for name, _ in headers if name in _SECURITY_NAMES]
    headers += [pair for pair in SECURITY_HEADERS if pair[0] not in own] if own else SECURITY_HEADERS
    return headers


class Observe:
    """Pure ASGI middleware."""

    def __init__(self, app: ASGIApp, *, records: Sequence[Record] = ()) -> None:
        self.app = app
        self.records = tuple(records)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request (ASGI)."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        info = info_of(scope)
        started = time.perf_counter()
        request_id.set(info.request_id)

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                info.status = message["status"]
                message["headers"] = with_our_headers(message.get("headers", ()), info.request_id)
            await send(message)

        try:
            await self.app(scope, receive, sending)
        except ClientDisconnect:
            info.status = info.status or 499  # nobody is there to see it; the log and the metrics are
        except Exception as error:
            if info.status:
                raise
            answer = problems.answer(error, request_id=info.request_id, route=info.route or "")
            await answer(scope, receive, sending)
        finally:
            info.seconds = time.perf_counter() - started
            for record in self.records:
                record(info)
