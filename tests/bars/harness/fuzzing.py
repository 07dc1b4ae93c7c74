"""Hooks for schemathesis: who calls, what is counted, and our own check that every refusal is a problem document.

Loaded by schemathesis' own command line (SCHEMATHESIS_HOOKS); `BARS_TOKENS` holds the tokens by role, `BARS_COUNTS` names the file for the counts.
"""

from __future__ import annotations

import atexit
import json
import os
import re
from collections import Counter
from pathlib import Path
from typing import Any

import schemathesis
from schemathesis.specs.openapi.checks import negative_data_rejection

from shared.http.types import GAME_ID_PATTERN

TOKENS: dict[str, str] = json.loads(os.environ["BARS_TOKENS"])
ORDER = ("head_admin", "senior_admin", "admin", "game_server", "auditor")
GAME_ID = re.compile(GAME_ID_PATTERN)
# The parser's words about a request's form. (JSON Schema takes 3.0 for an integer; the service does not.)
FORM = re.compile("(?!.*got `float`)(Expected |Invalid |This field is required|There is no such field)")
COUNTS: Counter[str] = Counter()
BAD: list[str] = []


@schemathesis.auth(refresh_interval=None)
class ByRole:
    """The token of a role that the operation is for."""

    def get(self, case: Any, _context: Any) -> str | None:
        """The role whose token it will be, None for a public operation."""
        roles = case.operation.definition.raw.get("x-roles", [])
        return next((role for role in ORDER if role in roles), None)

    def set(self, case: Any, data: str | None, _context: Any) -> None:
        """Send the token. A made-up `Acting-Staff` of the right form becomes the member's own id: else most requests would end at that header."""
        if data is None:
            return
        headers = {**(case.headers or {}), "Authorization": f"Bearer {TOKENS[data]}"}
        if data != "game_server" and GAME_ID.fullmatch(str(headers.get("Acting-Staff", ""))):
            headers["Acting-Staff"] = f"{data}-1"
        case.headers = headers


def expected(status: int, body: bytes) -> bool:
    """Whether a 5xx is the one that the contract has for `min_position`."""
    return status == 503 and b"is not here yet" in body


def faults(status: int, content_type: str, body: bytes) -> list[str]:
    """What is wrong with a reply, whatever the description says."""
    if status < 300 or status == 304:
        return []
    if content_type != "application/problem+json":
        return [f"{status} is no problem document but {content_type or 'nothing'}"]
    document = json.loads(body)
    wrong = [f"the problem document lacks {name}" for name in ("type", "title", "status", "detail", "code") if name not in document]
    return wrong if document.get("status") == status else [*wrong, f"it says {document.get('status')} and is {status}"]


@schemathesis.hook
def after_call(_context: Any, case: Any, response: Any) -> None:
    """Count every reply, also those to requests that schemathesis sends for its own purposes."""
    COUNTS["503 for a position that is not here yet" if expected(response.status_code, response.content) else str(response.status_code)] += 1
    content_type = (response.headers.get("content-type") or [""])[0]
    BAD.extend(f"{case.method} {case.path}: {fault}" for fault in faults(response.status_code, content_type, response.content))


@schemathesis.check
def refusals_are_problem_documents(_context: Any, response: Any, _case: Any) -> bool | None:
    """Bar 17: every non-2xx is a problem document."""
    content_type = (response.headers.get("content-type") or [""])[0]
    found = faults(response.status_code, content_type, response.content)
    if found:
        raise AssertionError("; ".join(found))
    return None


@schemathesis.check
def valid_requests_are_not_called_invalid(_context: Any, response: Any, case: Any) -> bool | None:
    """A request that fits the description is refused for what it asks (a code of its own), not for its form.

    schemathesis' own check of this kind takes every 412 and 422 for a fault, though rules of the domain and versions can't be told by a schema.
    """
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code not in {400, 415, 422}:
        return None
    document = json.loads(response.content)
    fields = [error["field"] for error in document.get("errors", [])]
    if document["code"] in {"malformed_request", "unsupported_media_type"} or FORM.match(document["detail"]):
        raise AssertionError(f"{document['code']} {fields}: {document['detail'][:300]}")
    return None


@schemathesis.check
def invalid_requests_are_refused(context: Any, response: Any, case: Any) -> bool | None:
    """The check of schemathesis itself, but that 412 and 413 are refusals too, and that a dry run ignores its idempotency key (contract, General)."""
    if response.status_code in {412, 413} or str((case.query or {}).get("dry_run")).lower() == "true":
        return None
    found: bool | None = negative_data_rejection(context, response, case)
    return found


@schemathesis.check
def no_server_error(_context: Any, response: Any, _case: Any) -> bool | None:
    """Bar 17: no 5xx, but for the 503 that the contract has for a position that never comes."""
    if response.status_code >= 500 and not expected(response.status_code, response.content):
        raise AssertionError(f"{response.status_code}: {response.content[:300]!r}")
    return None


def _write() -> None:
    Path(os.environ["BARS_COUNTS"]).write_text(json.dumps({"counts": COUNTS, "bad": BAD[:50]}))


atexit.register(_write)
