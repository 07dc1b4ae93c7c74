"""The look at answers finds each kind of answer that its operation does not declare; it is what every test over HTTP relies on."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from services.gateway.app import describe
from services.gateway.routes import ENDPOINTS
from shared.http.openapi import example_of
from tests.support.declared import as_declared, undeclared

PATH = "/v1/players/p1/standing"
OPERATION: dict[str, Any] = json.loads(json.dumps(describe(ENDPOINTS)))["paths"]["/v1/players/{player_id}/standing"]["get"]
STANDING = OPERATION["responses"]["200"]["content"]["application/json"]["examples"]["example"]["value"]
JSON, PROBLEM = {"content-type": "application/json"}, {"content-type": "application/problem+json"}


def problem(code: str, /, **changed: Any) -> bytes:
    """A problem document, changed."""
    return json.dumps({**example_of(code), **changed}).encode()


FINE: dict[str, tuple[int, dict[str, str], bytes]] = {
    "a standing": (200, {**JSON, "etag": 'W/"1"', "x-request-id": "r", "cache-control": "no-cache"}, json.dumps(STANDING).encode()),
    "nothing new": (304, {"etag": 'W/"1"'}, b""),
    "a refusal": (422, PROBLEM, problem("invalid_request")),
    "not now": (503, {**PROBLEM, "retry-after": "1"}, problem("unavailable")),
    "another method": (405, {**PROBLEM, "allow": "GET, HEAD"}, problem("method_not_allowed")),
}
WRONG: dict[str, tuple[int, dict[str, str], bytes, str]] = {
    "a status": (202, JSON, b"{}", "the status 202"),
    "a header": (200, {**JSON, "x-count": "1"}, b"{}", "the header x-count"),
    "a media type": (200, {"content-type": "text/html"}, b"", "200 as text/html"),
    "a body where there is none": (304, JSON, b"{}", "304 with a body"),
    "a refusal in words": (422, {"content-type": "text/plain"}, b"no", "422 as text/plain"),
    "a code of other operations": (422, PROBLEM, problem("unknown_infraction"), "422 with the code unknown_infraction"),
    "a code that nobody registered": (422, PROBLEM, problem("invalid_request", code="mood"), "unregistered code mood"),
    "a status that the document contradicts": (422, PROBLEM, problem("invalid_request", status=400), "422 that says 400"),
    "a status that is not the code's": (422, PROBLEM, problem("not_found", status=422), "with the code not_found"),
    "a problem document without its title": (422, PROBLEM, b'{"type":"","status":422,"detail":"","code":"invalid_request"}', "without title"),
    "another code for another method": (405, PROBLEM, problem("not_found", status=405), "with the code not_found"),
}


@pytest.mark.parametrize("name", FINE)
def test_a_declared_answer_is_fine(name: str) -> None:
    assert undeclared(OPERATION, *FINE[name]) == []


@pytest.mark.parametrize("name", WRONG)
def test_an_undeclared_answer_is_found(name: str) -> None:
    status, headers, body, words = WRONG[name]
    assert words in "; ".join(undeclared(OPERATION, status, headers, body))


async def test_a_client_that_looks_raises_for_a_reply_of_another_shape() -> None:
    """Also the shape of JSON replies is looked at, and a path that nobody declares is not."""
    answers = {PATH: {**STANDING, "strikes": "many"}, "/elsewhere": {"any": "thing"}}
    transport = httpx.MockTransport(lambda request: httpx.Response(200, json=answers[request.url.path]))
    async with httpx.AsyncClient(transport=transport, base_url="http://service", event_hooks={"response": [as_declared]}) as client:
        assert (await client.get("/elsewhere")).json() == {"any": "thing"}
        with pytest.raises(AssertionError, match="standing answers 200 with strikes"):
            await client.get(PATH)
