"""Declarations: what can't be registered, and the description made of what is."""

from __future__ import annotations

import difflib
import json
import os
from pathlib import Path
from typing import Any

import httpx
import jsonschema_rs
import msgspec
import pytest

from services.gateway.app import describe
from services.gateway.routes import ENDPOINTS
from shared.http.call import Call, Reply
from shared.http.codes import CODES
from shared.http.endpoint import GIVES, READS, STAFF, Endpoint
from shared.http.openapi import codes_of
from shared.http.resources import Resources
from shared.http.server import Server
from shared.security.roles import Role
from tests.support import http as support

GOLDEN = Path(__file__).parents[2] / "golden" / "openapi.json"


async def _nothing(_call: Call) -> Reply:
    return Reply(status=204)


WRONG: dict[str, dict[str, Any]] = {
    "no roles": {"roles": frozenset()},
    "public and for roles": {"public": True},
    "no summary": {"summary": " "},
    "no handler": {"handler": None},
    "an unknown code": {"codes": ("no_such_code",)},
    "a role code that is no 403": {"role_code": {Role.AUDITOR: "not_found"}},
    "a role code of a role that may": {"role_code": {Role.ADMIN: "forbidden"}},
    "a body on GET": {"body": support.Body, "body_example": support.EXAMPLE},
    "a command on GET": {"command": True},
    "a dry run of no command": {"method": "POST", "dry_run": True},
    "a body without an example": {"method": "POST", "body": support.Body},
    "an example of another type": {"method": "POST", "body": support.Body, "body_example": {"a": 1}},
    "a reply without an example": {"reply": support.Body},
    "an unknown method": {"method": "BREW"},
    "a header that nobody describes": {"reads": ("X-Mood",)},
    "an ETag without its condition": {"gives": ("ETag",)},
    "a condition without 304": {"reads": ("If-None-Match",), "gives": ("ETag",)},
}


@pytest.mark.parametrize("change", WRONG)
def test_a_declaration_that_leaves_something_open_is_an_error(change: str) -> None:
    """Bar 15: a route without a declaration of who may call it fails the build."""
    fine: dict[str, Any] = {"method": "GET", "path": "/v1/x", "summary": "X", "handler": _nothing, "roles": STAFF}
    assert Endpoint(**fine).name == "get_v1_x"
    with pytest.raises(ValueError, match="/v1/x"):
        Endpoint(**{**fine, **WRONG[change]})


def test_an_endpoint_is_declared_once() -> None:
    """The second would never be reached."""
    endpoint = Endpoint(method="GET", path="/v1/x", summary="X", handler=_nothing, roles=STAFF)
    with pytest.raises(ValueError, match="twice"):
        Server(Resources()).register([endpoint, endpoint])
    other = Endpoint(method="GET", path="/v1/y/{player_id}", summary="Y", handler=_nothing, roles=STAFF)
    same = Endpoint(method="POST", path="/v1/y/{duel_id}", summary="Y", handler=_nothing, roles=STAFF)
    with pytest.raises(ValueError, match="other names"):
        Server(Resources()).register([other, same])


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda e: f"{e.method} {e.path}")
def test_every_endpoint_is_described_and_guarded(endpoint: Endpoint) -> None:
    """Outside /v1 public, inside for roles; tags; codes that exist."""
    assert endpoint.public is not endpoint.path.startswith("/v1/")
    assert endpoint.tags
    assert set(codes_of(endpoint)) <= CODES.keys()


def test_the_description_has_an_example_for_every_operation_and_code() -> None:
    """Issue, point 6: from the declarations, with roles, headers and parameters."""
    document = describe(support.ENDPOINTS)
    operation = document["paths"]["/v1/players/{player_id}/echo"]["post"]
    names = {p.get("$ref", p.get("name")).rsplit("/", 1)[-1] for p in operation["parameters"]}
    assert names == {"player_id", "DryRun", "IdempotencyKey", "IfMatch", "ActingStaff"}
    assert operation["x-roles"] == ["admin", "senior_admin", "head_admin"]
    assert operation["security"] == [{"token": []}]
    assert set(operation["responses"]) == {"200", "201", "400", "401", "403", "404", "409", "412", "413", "415", "422", "503"}
    for status, answer in operation["responses"].items():
        (content,) = answer["content"].values()
        assert content["examples"]
        if status >= "400":
            for code, example in content["examples"].items():
                assert (example["value"]["code"], example["value"]["status"]) == (code, int(status))
    query = {p["name"]: p for p in document["paths"]["/v1/numbers"]["get"]["parameters"] if "name" in p}
    assert query["limit"]["schema"] == {"type": "integer", "minimum": 1, "maximum": 200, "default": 50}
    assert query["since"]["schema"]["format"] == "date-time"
    text = json.dumps(document)
    assert "\\\\Z" not in text
    for reference in {part.split('"')[0] for part in text.split('"$ref": "#/')[1:]}:
        found: Any = document
        for step in reference.split("/"):
            found = found[step]
        assert found


def test_every_example_is_of_its_schema() -> None:
    """What people copy from the description must work: bodies, replies and problems of every operation."""
    document = json.loads(json.dumps(describe(ENDPOINTS)))
    checked = 0
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            answers = [operation.get("requestBody", {}), *operation["responses"].values()]
            for content in [content for answer in answers for content in answer.get("content", {}).values()]:
                validator = jsonschema_rs.validator_for({**content["schema"], "components": document["components"]})
                for name, example in content.get("examples", {}).items():
                    wrong = [error.message for error in validator.iter_errors(example["value"])]
                    assert not wrong, f"{method} {path} {name}: {wrong[:3]}"
                    checked += 1
    assert checked > 20


def test_headers_that_only_some_operations_have_are_described() -> None:
    """What an endpoint may name is in the description; what the handlers of today read and give is there under the header's own name."""
    components = describe(ENDPOINTS)["components"]
    by_name = {part["name"]: reference for reference, part in components["parameters"].items() if part["in"] == "header"}
    assert {name: by_name[name] for name in READS} == {name: name.replace("-", "") for name in READS}
    assert components["headers"].keys() >= GIVES
    assert {name for endpoint in ENDPOINTS for name in endpoint.reads} == READS
    assert {name for endpoint in ENDPOINTS for name in endpoint.gives} == GIVES


async def test_description_and_page_are_served_and_self_contained(http: httpx.AsyncClient) -> None:
    """No script, nothing from elsewhere."""
    document = (await http.get("/openapi.json")).json()
    assert "/v1/numbers" in document["paths"]
    page = await http.get("/docs")
    assert page.headers["content-type"].startswith("text/html")
    assert "/v1/players/{player_id}/echo" in page.text
    assert "<script" not in page.text
    assert "http://" not in page.text.replace("http://service", "")
    assert "default-src 'none'" in page.headers["content-security-policy"]


def test_the_description_is_the_golden_one() -> None:
    """The golden file (`make golden` writes it): a change of the API is seen in review."""
    current = msgspec.json.format(msgspec.json.encode(describe(ENDPOINTS), order="sorted"), indent=1).decode() + "\n"
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.write_text(current)
    golden = GOLDEN.read_text()
    diff = list(difflib.unified_diff(golden.splitlines(), current.splitlines(), "golden", "now", lineterm="", n=1))
    assert not diff, "the API's description has changed; if so meant: make golden\n" + "\n".join(diff[:60])
