"""Hooks for schemathesis: who calls, with which names, what is counted, and checks of our own.

Loaded by schemathesis' own command line (SCHEMATHESIS_HOOKS); `BARS_TOKENS` holds the tokens by role, `BARS_COUNTS` names the file for the counts,
`BARS_SEED` is the seed of every choice made here.
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

from shared.http.codes import CODES
from shared.http.types import GAME_ID_PATTERN
from tests.bars.harness.known import EVEN, KINDS, OFTEN, Known
from tests.support.declared import undeclared

TOKENS: dict[str, str] = json.loads(os.environ["BARS_TOKENS"])
ORDER = ("head_admin", "senior_admin", "admin", "game_server", "auditor")
GAME_ID = re.compile(GAME_ID_PATTERN)
# The parser's words about a request's form. (JSON Schema takes 3.0 for an integer; the service does not.)
FORM = re.compile("(?!.*got `float`)(Expected |Invalid |This field is required|There is no such field)")
LONG_POLL = re.compile("[2-9]|[12][0-9]|30")
FAR_POSITION = re.compile("[1-9][0-9]+")
QUIET_SECONDS = 0.1
COUNTS: Counter[str] = Counter()
SUCCEEDED: set[str] = set()
ASKED: set[str] = set()
BAD: list[str] = []
KNOWN = Known(int(os.environ["BARS_SEED"]))


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
        roles = case.operation.definition.raw["x-roles"]
        role = KNOWN.chance.choice(roles) if KNOWN.chance.random() < EVEN else data
        headers = {**(case.headers or {}), "Authorization": f"Bearer {TOKENS[role]}"}
        if GAME_ID.fullmatch(str(headers.get("Acting-Staff", ""))):
            if role == "game_server":
                del headers["Acting-Staff"]
            else:
                headers["Acting-Staff"] = f"{role}-1"
        case.headers = headers


@schemathesis.hook
def before_call(_context: Any, case: Any, kwargs: dict[str, Any]) -> None:
    """Put in names of what there is, and spare the run the waiting that a caller may ask for.

    A long poll lasts a second. A stream, which never ends, is read until it has nothing more to say: schemathesis would read for its ten
    seconds.
    """
    for name, value in (case.path_parameters or {}).items():
        if name in KINDS:
            case.path_parameters[name] = KNOWN.name(name, value)
    query = case.query or {}
    if LONG_POLL.fullmatch(str(query.get("wait", ""))):
        query["wait"] = 1
    if FAR_POSITION.fullmatch(str(query.get("min_position", ""))) and KNOWN.chance.random() < OFTEN:
        query["min_position"] = 1
    if case.headers:
        case.headers = KNOWN.headers(case.headers, case.formatted_path)
    if case.meta is not None and case.meta.generation.mode.is_positive:
        if isinstance(case.body, dict):
            case.body = KNOWN.names_in(case.body)
        elif str(case.media_type).startswith("image/") and KNOWN.chance.random() < EVEN:
            case.body = KNOWN.picture()
    _ask_for_any_type(case)
    kwargs["hooks"] = {"response": _read_what_is_there}


def _ask_for_any_type(case: Any) -> None:
    """Ask for one of the media types that the operation has, where it has several."""
    declared = [*case.operation.definition.raw["responses"].get("200", {}).get("content", {})]
    if len(declared) > 1:
        case.headers = {**(case.headers or {}), "Accept": KNOWN.chance.choice(declared)}


def _read_what_is_there(response: Any, **_more: Any) -> None:
    if response.headers.get("content-type", "").startswith("text/event-stream"):
        response.raw.connection.sock.settimeout(QUIET_SECONDS)


def expected(status: int, body: bytes) -> bool:
    """Whether a 5xx is the one that the contract has for `min_position`."""
    return status == 503 and b"is not here yet" in body


def faults(case: Any, response: Any) -> list[str]:
    """What is wrong with a reply beside its shape: a refusal that is no problem document (RFC 9457) with a registered code, and all undeclared."""
    status, body = response.status_code, response.content
    headers = {name: values[0] for name, values in response.headers.items()}
    if status >= 300 and status != 304:
        if headers.get("content-type") != "application/problem+json":
            return [f"{status} is no problem document but {headers.get('content-type', 'nothing')}"]
        if json.loads(body).get("code") not in CODES:
            return [f"{status} has no registered code: {body[:100]!r}"]
    return undeclared(case.operation.definition.raw, status, headers, body)


@schemathesis.hook
def after_call(_context: Any, case: Any, response: Any) -> None:
    """Count every reply, also those to requests that schemathesis sends for its own purposes, and learn from the successes."""
    COUNTS["503 for a position that is not here yet" if expected(response.status_code, response.content) else str(response.status_code)] += 1
    label = f"{case.operation.method.upper()} {case.operation.path}"
    BAD.extend(f"{label}: {fault}" for fault in faults(case, response))
    ASKED.add(label)
    if response.status_code < 300 or response.status_code == 304:
        SUCCEEDED.add(label)
        is_json = response.headers.get("content-type") == ["application/json"]
        KNOWN.learn(case.path_parameters or {}, case.formatted_path, response.headers, json.loads(response.content) if is_json else None)


@schemathesis.check
def answers_are_declared(_context: Any, response: Any, case: Any) -> bool | None:
    """Bar 17: every non-2xx is a problem document with a registered code; status, media type, headers and code are the operation's."""
    found = faults(case, response)
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
    """The check of schemathesis itself, but that 412 and 413 are refusals too, and that a dry run ignores its idempotency key (contract, General).

    A picture of ours is bytes, which no JSON Schema of a string takes for valid.
    """
    if response.status_code in {412, 413} or str((case.query or {}).get("dry_run")).lower() == "true" or isinstance(case.body, bytes):
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
    told = {"counts": COUNTS, "bad": BAD[:50], "asked": sorted(ASKED), "succeeded": sorted(SUCCEEDED)}
    Path(os.environ["BARS_COUNTS"]).write_text(json.dumps(told))


atexit.register(_write)
