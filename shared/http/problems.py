"""RFC 9457 problem documents: the one shape of every answer that is a "no" or a "not now"."""

from __future__ import annotations

import traceback
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import structlog
from starlette.responses import Response

from shared.http.codes import code_of
from shared.observability import report_unreadable
from shared.refusal import Refusal, Unavailable
from shared.unreadable import UnreadableEvent

MEDIA_TYPE = "application/problem+json"
CHALLENGE = 'Bearer realm="moderation"'

_log = structlog.stdlib.get_logger("http")
_encode = msgspec.json.Encoder().encode


def invalid(field: str, message: str, *, allowed: Any = None) -> Refusal:
    """A 422 `invalid_request` that names the field."""
    return Refusal("invalid_request", message, field=field, allowed=allowed)


def document(refusal: Refusal) -> dict[str, Any]:
    """The members of the problem document: `type` is a relative reference that leads to the code's description."""
    code = code_of(refusal.code)
    members: dict[str, Any] = {
        "type": f"/problems/{code.code}",
        "title": code.title,
        "status": code.status,
        "detail": refusal.detail,
        "code": code.code,
    }
    if refusal.field is not None:
        members["errors"] = [{"field": refusal.field, "message": refusal.detail}]
    if refusal.allowed is not None:
        members["allowed"] = refusal.allowed
    if refusal.current is not None:
        members["current"] = refusal.current
    return members


def response(refusal: Refusal, headers: Mapping[str, str] | None = None) -> Response:
    """The refusal as an HTTP answer; raises `KeyError` for an unregistered code."""
    members = document(refusal)
    extra = {"Cache-Control": "no-store", **(headers or {})}
    if members["status"] == 401:
        extra.setdefault("WWW-Authenticate", CHALLENGE)
    if members["status"] in (429, 503):
        extra.setdefault("Retry-After", "1")
    return Response(_encode(members), members["status"], extra, MEDIA_TYPE)


def unavailable(problem: Unavailable) -> Response:
    """503 with `Retry-After`."""
    return response(Refusal("unavailable", problem.detail), {"Retry-After": str(problem.retry_after)})


def answer(error: Exception, *, request_id: str, route: str) -> Response:
    """The answer to whatever was raised: a refusal as it is, anything unexpected a 503 that tells nothing but the request's id."""
    try:
        if isinstance(error, Refusal):
            return response(error)
        if isinstance(error, Unavailable):
            if isinstance(error, UnreadableEvent):
                report_unreadable(error)
            return unavailable(error)
    except Exception as defect:  # noqa: BLE001  an unregistered code, a value that is no JSON: the caller still gets a problem document
        error = defect
    report(error, request_id=request_id, route=route)
    return unavailable(Unavailable(f"The service could not answer; the request id is {request_id}."))


def reason_of(error: Exception) -> str:
    """Why there is no answer now, in a word: what 503s are counted by."""
    if isinstance(error, UnreadableEvent):
        return "unreadable"
    return "database" if isinstance(error, Unavailable) else "unexpected"


def report(error: BaseException, *, request_id: str, route: str) -> None:
    """Log an unexpected error by its type and place. Its words are left out: drivers put values, so personal data, into them."""
    chain: list[str] = []
    cause: BaseException | None = error
    while cause is not None and len(chain) < 5:
        chain.append(type(cause).__qualname__)
        cause = cause.__cause__ or cause.__context__
    _log.error("unexpected_error", request_id=request_id, route=route, error=chain, where=_places(error))


def _places(error: BaseException) -> Sequence[str]:
    """The innermost frames, outermost first, as file:line function."""
    frames = traceback.extract_tb(error.__traceback__)[-12:]
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
