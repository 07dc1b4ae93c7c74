"""Contract, Audit: what the history says beside an event, whichever command it came with."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.app import Service, fresh

pytestmark = pytest.mark.asyncio(loop_scope="module")

MOMENTS = ("2024-03-01T12:00:00Z", "2024-05-01T12:00:00Z")


@pytest.mark.parametrize("number", [1, 2])
async def test_each_imported_incident_has_its_own_moment_and_the_table_of_the_import(service: Service, number: int) -> None:
    """However many of one player are imported together."""
    player, version = fresh(), (await service.head.get("/v1/policy"))["version"]
    row: dict[str, Any] = {"player_id": player, "infraction": "spam-major", "decided_by": "former-admin", "strike": True, "sanctions": []}
    rows = [{**row, "decided_at": at, "external_id": at} for at in MOMENTS[:number]]
    await service.head.post("/v1/incidents/import", {"incidents": rows})
    history = await service.history(player)
    assert [(item["occurred_at"], item["policy_version"]) for item in history] == [(at, version) for at in MOMENTS[:number]]


async def test_an_adjustment_names_the_table_it_was_checked_by(service: Service) -> None:
    player, version = fresh(), (await service.head.get("/v1/policy"))["version"]
    incident = await service.issue(player, "spam-major")
    body = {"sanctions": [{"kind": "ban", "days": 2}], "strike": True, "reason": "Twice the size."}
    await service.head.post(f"/v1/incidents/{incident['incident_id']}/adjustments", body)
    assert [item["policy_version"] for item in await service.history(player)] == [version, version]
