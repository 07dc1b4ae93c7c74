"""What can go wrong, as exceptions: the service said no (`Problem`), or could not be reached (`Unreachable`)."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import httpx
import msgspec

MEDIA_TYPE = "application/problem+json"


class FieldError(msgspec.Struct, frozen=True):
    """One field of the request and what is wrong with it."""

    field: str
    message: str


class _Document(msgspec.Struct, frozen=True):
    code: str
    title: str = ""
    detail: str = ""
    errors: list[FieldError] = []
    allowed: Any = None
    current: Any = None


class Problem(Exception):  # noqa: N818  the name of RFC 9457
    """The service refused, and nothing was recorded: a problem document.

    `code` is the slug to branch on (`docs/errors.md` lists them), `detail` a sentence for a person, `errors` the fields concerned, `allowed` what
    would be accepted, `current` the state that stood in the way, `retry_after` the seconds to wait (0: nothing was said). `code` is
    `unexpected_answer` for an error that is no problem document (a proxy's own page).
    """

    def __init__(self, *, status: int, document: _Document, request_id: str | None, retry_after: float) -> None:
        super().__init__(f"{document.code}: {document.detail or document.title}")
        self.status = status
        self.code = document.code
        self.title = document.title
        self.detail = document.detail
        self.errors = document.errors
        self.allowed = document.allowed
        self.current = document.current
        self.request_id = request_id
        self.retry_after = retry_after


class Unreachable(Exception):  # noqa: N818  not a fault of this program
    """No answer within the tries allowed. Whether a command took effect is not known: repeat it under the same `idempotency_key`."""

    def __init__(self, message: str, *, idempotency_key: str | None) -> None:
        super().__init__(message)
        self.idempotency_key = idempotency_key


def retry_after(response: httpx.Response | None) -> float:
    """The seconds that an answer asks to wait; 0 where it says nothing of use (a date is not ours)."""
    said = "" if response is None else response.headers.get("retry-after", "")
    return float(said) if said.isascii() and said.isdigit() and len(said) < 7 else 0.0


def media_type(response: httpx.Response) -> str:
    """What an answer says that it is, without parameters; empty where it says nothing."""
    return str(response.headers.get("content-type", "")).partition(";")[0].strip().lower()


def problem_of(response: httpx.Response) -> Problem:
    """The problem that an answer tells: one of 400 and above, or one that is not what was asked for."""
    document = _Document(code="unexpected_answer", title=f"HTTP {response.status_code}")
    if media_type(response) == MEDIA_TYPE:
        with suppress(msgspec.DecodeError):
            document = msgspec.json.decode(response.content, type=_Document)
    return Problem(status=response.status_code, document=document, request_id=response.headers.get("x-request-id"), retry_after=retry_after(response))
