"""The service's own endpoints: alive, ready, metrics, and the API's description. Public, and nothing here tells of people."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec
import structlog

from shared.http import docs
from shared.http.call import Call, Reply
from shared.http.codes import CODES
from shared.http.endpoint import Endpoint
from shared.observability import Metrics
from shared.refusal import Refusal, Unavailable

_log = structlog.stdlib.get_logger("operations")

Check = Callable[[], Awaitable[bool]]


class State(msgspec.Struct, frozen=True, kw_only=True):
    """The state of the process, in a word."""

    status: str


class Readiness:
    """Whether requests can be served: every named check says so (`database`, `migrations`)."""

    __slots__ = ("_checks",)

    def __init__(self, checks: Sequence[tuple[str, Check]]) -> None:
        self._checks = tuple(checks)

    async def failing(self) -> str | None:
        """The name of the first check that fails, None when all succeed."""
        for name, check in self._checks:
            try:
                if not await check():
                    return name
            except Exception as error:  # noqa: BLE001  whatever it is, the check did not succeed
                _log.warning("not_ready", check=name, error=type(error).__qualname__)
                return name
        return None


class Description:
    """The API's description, made once for all requests."""

    __slots__ = ("document", "json", "page")

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self.json = msgspec.json.encode(document)
        self.page = docs.page(document)


async def healthz(_call: Call) -> Reply:
    """The process answers."""
    return Reply.json(State(status="ok"))


async def readyz(call: Call) -> Reply:
    """The database answers and has the schema this program was made for."""
    failing = await call.get(Readiness).failing()
    if failing is not None:
        raise Unavailable(f"Not ready: {failing}.")
    return Reply.json(State(status="ready"))


async def metrics(call: Call) -> Reply:
    """The metrics in Prometheus' text format."""
    body, media_type = call.get(Metrics).render()
    return Reply(body=body, media_type=media_type)


async def openapi(call: Call) -> Reply:
    """The OpenAPI document."""
    return Reply(body=call.get(Description).json, headers={"Cache-Control": "public, max-age=60"})


async def docs_page(call: Call) -> Reply:
    """The description as a page."""
    return _page(call.get(Description).page)


async def problems(_call: Call) -> Reply:
    """All problem codes."""
    return _page(docs.problems_page())


async def problem(call: Call) -> Reply:
    """One problem code: where the `type` of a problem document leads."""
    code = call.path["code"]
    if code not in CODES:
        raise Refusal("not_found", "There is no such problem code.")
    return _page(docs.problems_page(code))


def _page(body: bytes) -> Reply:
    headers = {"Content-Security-Policy": docs.CSP, "Cache-Control": "public, max-age=60"}
    return Reply(body=body, media_type="text/html; charset=utf-8", headers=headers)


def _public(path: str, handler: Callable[[Call], Awaitable[Reply]], summary: str, **more: Any) -> Endpoint:
    return Endpoint(method="GET", path=path, handler=handler, summary=summary, public=True, tags=("operations",), **more)


ENDPOINTS = (
    _public("/healthz", healthz, "Whether the process answers", reply=State, reply_example={"status": "ok"}),
    _public("/readyz", readyz, "Whether requests can be served", reply=State, reply_example={"status": "ready"}),
    _public("/metrics", metrics, "Metrics for Prometheus", reply_type="text/plain"),
    _public("/openapi.json", openapi, "This description"),
    _public("/docs", docs_page, "This description as a page", reply_type="text/html"),
    _public("/problems", problems, "All problem codes", reply_type="text/html"),
    _public("/problems/{code}", problem, "One problem code", reply_type="text/html"),
)
