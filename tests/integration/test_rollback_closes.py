"""What a rollback closes, what opens again with its reversal, and what does not (I-20, L07, L08)."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.support import database as databases
from tests.support.app import Service, fresh, serving
from tests.support.rollbacks import REASON, hire, reverse, roll_back, seen

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def service(database_server: databases.Server) -> AsyncIterator[Service]:
    database = database_server.create("mod_rollbacks")
    try:
        async with serving(database) as running:
            yield running
    finally:
        database_server.drop(database.name)


async def test_an_incident_that_a_rollback_overturned_is_closed_but_for_the_reversal(service: Service) -> None:
    """I-20, L08: adjusting, lifting and another rollback do nothing to it."""
    rogue, player = await hire(service, "admin"), fresh()
    incident = await rogue.issue(player, "hacking")
    done = await roll_back(service, rogue)
    assert (await service.admin.get(f"/v1/incidents/{incident['incident_id']}"))["rollback_id"] == done["rollback_id"]
    assert (await service.adjust(incident["incident_id"], {"kind": "warning"}, expect=409))["code"] == "incident_overturned"
    await service.head.refused("incident_overturned", f"/v1/incidents/{incident['incident_id']}/ip-ban/lift", REASON)
    again = await roll_back(service, rogue)
    assert [(item["incident_id"], item["why"]) for item in again["kept"]] == [(incident["incident_id"], "the incident was overturned before")]
    assert again["counts"]["players"] == 0
    await reverse(service, done)
    view = (await service.admin.get(f"/v1/incidents/{incident['incident_id']}")).body
    assert (view["status"], view["rollback_id"]) == ("in_force", None)
    await service.adjust(incident["incident_id"], {"kind": "warning"})


async def test_an_open_appeal_of_an_overturned_incident_is_still_decided_and_takes_nothing_twice(service: Service) -> None:
    """L07: two ways to overturn one strike; the count stays right, and the appeal's word is final also for the reversal."""
    rogue, player = await hire(service, "admin"), fresh()
    incident = await rogue.issue(player, "spam-major")
    await service.issue(player, "duel-notes-misuse")
    assert (await service.standing(player))["strikes"] == 2
    filed = {"player_id": player, "incident_id": incident["incident_id"], "grounds": "No."}
    appeal = (await service.game.post("/v1/appeals", filed, expect=201))["appeal_id"]
    done = await roll_back(service, rogue)
    preview = await service.senior.post(f"/v1/appeals/{appeal}/preview", {"outcome": "overturned"}, expect=200)
    verdict = {"outcome": "overturned", **REASON, "player_version": preview["player_version"]}
    await service.senior.post(f"/v1/appeals/{appeal}/decision", verdict, expect=200)
    assert (await service.standing(player))["strikes"] == 1
    back = await reverse(service, done)
    assert [item["why"] for item in back["kept"] if item["incident_id"] == incident["incident_id"]] == ["an appeal decided it since the rollback"]
    assert (await service.standing(player))["strikes"] == 1


async def test_a_linked_account_is_freed_and_banned_again(service: Service) -> None:
    rogue, main, alt = await hire(service, "admin"), fresh(), fresh()
    await rogue.issue(main, "multiple-accounts", alts=[alt])
    before = await seen(service, alt)
    done = await roll_back(service, rogue)
    assert {player["player_id"]: player["after"]["status"] for player in done["players"]} == {main: "good", alt: "good"}
    await reverse(service, done)
    assert await seen(service, alt) == before


async def test_what_changed_since_is_kept_and_says_why(service: Service) -> None:
    """An adjustment by another Head Admin after the rogue's stays, in the rollback and after it."""
    rogue, first, second = await hire(service, "head_admin"), fresh(), fresh()
    incident = await service.issue(first, "malicious-afk")
    warning = {"sanctions": [{"kind": "warning"}], "strike": True, **REASON}
    await rogue.post(f"/v1/incidents/{incident['incident_id']}/adjustments", warning, expect=201)
    await service.adjust(incident["incident_id"], {"kind": "ban", "days": 9})
    other = await service.issue(second, "malicious-afk")
    await rogue.post(f"/v1/incidents/{other['incident_id']}/adjustments", warning, expect=201)
    done = await roll_back(service, rogue)
    assert [item["why"] for item in done["kept"]] == ["another decision changed the incident since"]
    assert done["counts"]["reverted"] == 1
    await service.adjust(other["incident_id"], {"kind": "ban", "days": 8})
    back = await reverse(service, done)
    assert [(item["incident_id"], item["why"]) for item in back["kept"]] == [(other["incident_id"], "it changed since the rollback")]
    assert [item["days"] for item in await service.active(second)] == [8]
