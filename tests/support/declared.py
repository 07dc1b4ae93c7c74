"""Whether an answer is one that its operation declares: status, media type, headers, problem code and, of JSON, its shape.

Every test that asks the service over HTTP (`app.py`, `live.py`) has its answers looked at, and so does the fuzzing of bar 17: what a description
leaves out is found wherever it is first answered.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import httpx
import jsonschema_rs

from services.gateway.app import describe
from services.gateway.routes import ENDPOINTS
from shared.http.codes import CODES
from shared.http.dispatch import Table
from shared.http.observe import SECURITY_HEADERS
from shared.http.problems import MEDIA_TYPE

OF_THE_PROTOCOL = frozenset(name.decode() for name, _ in SECURITY_HEADERS) | {
    "allow", "cache-control", "connection", "content-disposition", "content-length", "content-type", "cross-origin-resource-policy", "date",
    "transfer-encoding", "vary", "x-accel-buffering", "x-request-id",
}  # fmt: skip
"""Headers that say nothing of this API, and the one that every answer has."""


def undeclared(operation: Mapping[str, Any], status: int, headers: Mapping[str, str], body: bytes) -> list[str]:
    """What of an answer its operation (of the OpenAPI document) does not declare."""
    declared = operation["responses"].get(str(status))
    if status == 405:  # another method than the operation's: every path answers it alike
        declared = {"content": {MEDIA_TYPE: {"examples": {"method_not_allowed": {}}}}}
    if declared is None:
        return [f"the status {status}"]
    allowed = OF_THE_PROTOCOL | {name.lower() for name in declared.get("headers", ())}
    wrong = [f"{status} with the header {name}" for name in headers if name.lower() not in allowed]
    media_type = headers.get("content-type", "").partition(";")[0]
    content = declared.get("content", {})
    if not content:
        return [*wrong, *([f"{status} with a body"] if body else [])]
    if media_type not in content:
        return [*wrong, f"{status} as {media_type or 'nothing'}"]
    if media_type == MEDIA_TYPE:
        wrong += _undeclared_problem(content[MEDIA_TYPE]["examples"], status, body)
    return wrong


def _undeclared_problem(codes: Mapping[str, Any], status: int, body: bytes) -> list[str]:
    document = json.loads(body)
    lacking = [f"{status} without {name}" for name in ("type", "title", "status", "detail", "code") if name not in document]
    code = document.get("code")
    if lacking or code not in CODES:
        return [*lacking, *([] if code in CODES else [f"{status} with the unregistered code {code}"])]
    wrong = [] if CODES[code].status == document["status"] == status else [f"{status} that says {document['status']} with the code {code}"]
    return wrong if code in codes else [*wrong, f"{status} with the code {code}"]


class Description:
    """The API as it describes itself, and what of an answer is not of the described shape."""

    def __init__(self) -> None:
        self._document: dict[str, Any] = json.loads(json.dumps(describe(ENDPOINTS)))
        self._table = Table()
        for endpoint in ENDPOINTS:
            self._table.add(endpoint.method, endpoint.path, endpoint)  # type: ignore[arg-type]  # only looked up here, never run
        self._validators: dict[tuple[str, int], Any] = {}

    def wrong(self, method: str, path: str, response: httpx.Response) -> list[str]:
        """What is not as described in an answer that has been read; nothing of a path that nobody declares."""
        found = self._table.find(method, path)
        if found is None or isinstance(found, list):
            return []
        endpoint: Any = found[0]
        operation = self._document["paths"][endpoint.path][endpoint.method.lower()]
        said = undeclared(operation, response.status_code, response.headers, response.content)
        if not said and method != "HEAD" and response.headers.get("content-type") == "application/json":
            said = self._misshapen(operation, response)
        return [f"{endpoint.method} {endpoint.path} answers {one}" for one in said]

    def _misshapen(self, operation: Mapping[str, Any], response: httpx.Response) -> list[str]:
        key = operation["operationId"], response.status_code
        if key not in self._validators:
            schema = operation["responses"][str(response.status_code)]["content"]["application/json"]["schema"]
            self._validators[key] = jsonschema_rs.validator_for({**schema, "components": self._document["components"]})
        errors = self._validators[key].iter_errors(json.loads(response.content))
        return [f"{response.status_code} with {'.'.join(map(str, error.instance_path))}: {error.message[:200]}" for error in errors][:3]


@cache
def description() -> Description:
    """The one of this process."""
    return Description()


async def as_declared(response: httpx.Response) -> None:
    """A hook for httpx clients: `AssertionError` for an answer that its operation does not declare. An endless stream is left alone."""
    if response.headers.get("content-type", "").startswith("text/event-stream"):
        return
    await response.aread()
    said = description().wrong(response.request.method, response.request.url.path, response)
    assert not said, "; ".join(said)
