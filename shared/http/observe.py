"""Around every request: its id, its record in log and metrics, the headers that every answer has, and the last catch."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass

import structlog
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shared.http import problems
from shared.ids import new_id
from shared.observability import request_id

_KEY = "moderation.request"
_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}\Z")
_log = structlog.stdlib.get_logger("access")

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""The methods that appear by name in log and metrics; a client can invent as many others as it likes."""

SECURITY_HEADERS = (
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
)


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
"""Told of every finished request (metrics)."""


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


class Observe:
    """Pure ASGI middleware."""

    def __init__(self, app: ASGIApp, *, record: Record | None = None, access_log: bool = True) -> None:
        self.app = app
        self.record = record
        self.access_log = access_log

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
                answer_headers = MutableHeaders(scope=message)
                answer_headers["x-request-id"] = info.request_id
                for name, value in SECURITY_HEADERS:
                    answer_headers.setdefault(name, value)
            await send(message)

        try:
            await self.app(scope, receive, sending)
        except Exception as error:
            if info.status:
                raise
            answer = problems.answer(error, request_id=info.request_id, route=info.route or "")
            await answer(scope, receive, sending)
        finally:
            info.seconds = time.perf_counter() - started
            self.finish(info)

    def finish(self, info: RequestInfo) -> None:
        """Log and count. The path itself is not logged: it holds ids of people."""
        if self.record is not None:
            self.record(info)
        if self.access_log:
            _log.info(
                "request",
                request_id=info.request_id,
                method=info.method if info.method in METHODS else "other",
                route=info.route,
                status=info.status,
                ms=round(info.seconds * 1000, 2),
                role=info.role,
                code=info.code,
            )
