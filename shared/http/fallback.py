"""What no endpoint answers, on every path of the service: 404, and 405 for routes of the framework, as problem documents too."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match

from shared.http import problems
from shared.http.dispatch import method_not_allowed, stranger_at
from shared.http.lingering import lingering
from shared.http.observe import info_of
from shared.refusal import Refusal


def install(app: FastAPI) -> None:
    """Answer the router's own refusals, and whatever gets past every other catch."""

    async def refused(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 503
        stranger = await stranger_at(request.scope, app.state.resources)
        if stranger is not None:
            return lingering(stranger, request.scope)
        return lingering(_answer(app, request, status, error), request.scope)

    app.add_exception_handler(HTTPException, refused)


def _answer(app: FastAPI, request: Request, status: int, error: Exception) -> Response:
    info = info_of(request.scope)
    if status == 404:
        info.code = "not_found"
        return problems.response(Refusal("not_found", "There is nothing at this path."))
    if status == 405:
        info.code = "method_not_allowed"
        return method_not_allowed(allowed_methods(app, request))
    return problems.answer(error, request_id=info.request_id, route=info.route or "")


def allowed_methods(app: FastAPI, request: Request) -> list[str]:
    """The methods of all routes at the request's path."""
    methods: set[str] = set()
    for route in app.router.routes:
        if route.matches(request.scope)[0] is not Match.NONE:
            methods |= getattr(route, "methods", None) or set()
    return sorted(methods)
