"""The composition root: the application, its life, and everything it is made of. Nothing imports this but what starts it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig
from starlette.types import ASGIApp, Receive, Scope, Send

from services.gateway.openers import OPENERS, Opener
from services.gateway.operations import Description
from services.gateway.routes import ENDPOINTS
from shared.feed.hub import FeedHub
from shared.http import fallback, openapi
from shared.http.access_log import access_log
from shared.http.dispatch import Dispatch
from shared.http.endpoint import Endpoint
from shared.http.observe import METHODS, Observe, Record, RequestInfo
from shared.http.resources import Resources
from shared.http.server import Server
from shared.observability import METRICS
from shared.settings import Settings

TITLE = "Conduct record and moderation"
ABOUT = (
    "Strikes, bans, appeals and calls of an online card-duel site. Errors are problem documents (RFC 9457) with a `code`; commands take "
    "`Idempotency-Key` and, about a player, `If-Match`; lists come in pages. Times are RFC 3339 in UTC."
)

_NO_TELEMETRY: TelemetryConfig = {"tracing": False, "metrics": False, "logs": False, "auto_configure": False}
"""The framework's own would send paths, so ids of people, to whatever the environment names."""


class Gateway(FastAPI):
    """What is declared is answered ahead of the framework's own layers, none of which it needs; whatever else is asked goes through them."""

    def __init__(self, server: Server, records: Sequence[Record], **settings: Any) -> None:
        super().__init__(**settings)
        self._server = server
        self._records = records

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve (ASGI): as the framework does, without its two layers above the stack, which set the path's prefix that we have none of."""
        if self.middleware_stack is None:
            self.middleware_stack = self.build_middleware_stack()
        scope["app"] = self
        await self.middleware_stack(scope, receive, send)

    def build_middleware_stack(self) -> ASGIApp:
        """The framework's, inside ours."""
        return Observe(Dispatch(super().build_middleware_stack(), table=self._server.table, resources=self._server.resources), records=self._records)


def describe(endpoints: Sequence[Endpoint]) -> dict[str, Any]:
    """The OpenAPI document of these endpoints."""
    return openapi.describe(endpoints, title=TITLE, version=_version(), description=ABOUT)


def create_app(
    settings: Settings, *, resources: Resources | None = None, endpoints: Sequence[Endpoint] = ENDPOINTS, openers: Sequence[Opener] = OPENERS
) -> FastAPI:
    """The application. With `resources`, these are used as they are and nothing is opened (tests); else the openers run in its lifespan."""
    held = Resources() if resources is None else resources

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as opened:
            if resources is None:
                for opener in openers:
                    await opened.enter_async_context(opener(settings, held))
            yield

    server = Server(held)
    log = access_log(settings.log_level, settings.log_format)
    app = Gateway(
        server,
        (_record,) if log is None else (_record, log),
        title=TITLE,
        version=_version(),
        lifespan=lifespan,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        telemetry=_NO_TELEMETRY,
    )
    server.register(endpoints)
    description = held.add(Description, Description(describe(endpoints)))
    app.openapi = lambda: description.document  # type: ignore[method-assign]  # FastAPI's own hook for a document made elsewhere
    app.state.resources = held
    app.state.endpoints = tuple(server.endpoints)
    app.state.drain = partial(_drain, held)
    fallback.install(app)
    return app


def _drain(resources: Resources) -> None:
    """The server ends: what would go on for ever ends now, so that nobody waits for it."""
    with suppress(LookupError):
        resources.get(FeedHub).drain()


def _record(info: RequestInfo) -> None:
    """Count the request by its route's template (paths name people and have no end)."""
    METRICS.observe_request(info.method if info.method in METHODS else "other", info.route or "none", info.status, info.seconds)


def _version() -> str:
    try:
        return version("simorg-moderation")
    except PackageNotFoundError:
        return "0.1.0"
