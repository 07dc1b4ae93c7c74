"""Paths find their endpoint."""

from __future__ import annotations

import pytest
from starlette.requests import Request
from starlette.responses import Response

from shared.http.dispatch import Run, Table


def runner() -> Run:
    """Something to run."""

    async def run(_request: Request) -> Response:
        return Response()

    return run


ONE, IMPORT, ACK, ROOT = runner(), runner(), runner(), runner()


@pytest.fixture
def table() -> Table:
    """Four endpoints."""
    made = Table()
    made.add("GET", "/v1/incidents/{incident_id}", ONE)
    made.add("POST", "/v1/incidents/import", IMPORT)
    made.add("POST", "/v1/incidents/{incident_id}/effects/{effect}/ack", ACK)
    made.add("GET", "/", ROOT)
    return made


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("GET", "/v1/incidents/7", (ONE, {"incident_id": "7"})),
        ("HEAD", "/v1/incidents/7", (ONE, {"incident_id": "7"})),
        ("POST", "/v1/incidents/import", (IMPORT, {})),
        ("GET", "/v1/incidents/import", ["POST"]),
        ("POST", "/v1/incidents/7/effects/game_loss/ack", (ACK, {"incident_id": "7", "effect": "game_loss"})),
        ("GET", "/", (ROOT, {})),
        ("PUT", "/v1/incidents/import", ["POST"]),
        ("POST", "/v1/incidents/7", ["GET", "HEAD"]),
        ("GET", "/v1/incidents/", None),
        ("GET", "/v1/incidents", None),
        ("GET", "/v1/incidents/7/", None),
        ("POST", "/v1/incidents//effects/x/ack", None),
        ("GET", "", None),
        ("GET", "*", None),
        ("GET", "//", None),
    ],
)
def test_a_path_finds_its_endpoint_its_methods_or_nothing(table: Table, method: str, path: str, expected: object) -> None:
    """A path without parameters is that one alone; 405 lists all methods of the path; no empty parameter."""
    assert table.find(method, path) == expected
