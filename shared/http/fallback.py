"""What no route answers, on every path of the service: 404 and 405, as problem documents too."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match

from shared.http import problems
from shared.http.auth import Authenticator, caller
from shared.http.observe import info_of
from shared.http.server import lingering
from shared.refusal import Refusal, Unavailable


def install(app: FastAPI) -> None:
    """Answer the router's own refusals, and whatever gets past every other catch."""

    async def refused(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 503
        stranger = await _stranger(app, request)
        if stranger is not None:
            return lingering(stranger, request.scope)
        return lingering(_answer(app, request, status, error), request.scope)

    app.add_exception_handler(HTTPException, refused)


async def _stranger(app: FastAPI, request: Request) -> Response | None:
    """Below /v1 who calls comes first, also where there is nothing: a stranger learns no paths."""
    path: str = request.scope["path"]
    if path != "/v1" and not path.startswith("/v1/"):
        return None
    try:
        await caller(request.scope, app.state.resources.get(Authenticator))
    except (Refusal, Unavailable) as refusal:
        info_of(request.scope).code = getattr(refusal, "code", "unavailable")
        return problems.answer(refusal, request_id=info_of(request.scope).request_id, route="")
    return None


def _answer(app: FastAPI, request: Request, status: int, error: Exception) -> Response:
    info = info_of(request.scope)
    if status == 404:
        info.code = "not_found"
        return problems.response(Refusal("not_found", "There is nothing at this path."))
    if status == 405:
        info.code = "method_not_allowed"
        methods = allowed_methods(app, request)
        refusal = Refusal("method_not_allowed", "This path does not take this method.", allowed=methods)
        return problems.response(refusal, {"Allow": ", ".join(methods)})
    return problems.answer(error, request_id=info.request_id, route=info.route or "")


def allowed_methods(app: FastAPI, request: Request) -> list[str]:
    """The methods of all routes at the request's path."""
    methods: set[str] = set()
    for route in app.router.routes:
        if route.matches(request.scope)[0] is not Match.NONE:
            methods |= getattr(route, "methods", None) or set()
    return sorted(methods)
