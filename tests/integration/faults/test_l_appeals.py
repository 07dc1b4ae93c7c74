"""Faults L06, L07, L08 and L12 of the field, and D03 and D08 as far as they need appeals."""

from __future__ import annotations

import pytest

from tests.support.app import Service, fresh, offense
from tests.support.appealing import WORDS, decide, file, overturn, preview

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_l06_what_was_overturned_pushes_nothing_up(service: Service) -> None:
    """The next is in column 1; a second Spam (Minor) is no repeat of an overturned one; what was overturned stays listed as that."""
    player = fresh()
    done = await service.issue(player, "spam-major")
    await overturn(service, player, done["incident_id"])
    assert (await service.issue(player, "trolling-major"))["column"] == 1
    other = fresh()
    warning = await service.issue(other, "spam-minor")
    await overturn(service, other, warning["incident_id"])
    service.clock.turn(days=2)
    again = await service.issue(other, "spam-minor")
    assert again["assessment"][0]["upgradable_to"] is None
    assert {item["incident_id"]: item["status"] for item in await service.incidents(other)}[warning["incident_id"]] == "overturned"


async def test_l07_overturned_twice_it_counts_once(service: Service) -> None:
    """By two appeals of the same incident, and again under the same key; a warning's overturn changes no count, nor does its expiry."""
    player = fresh()
    done = await service.issue(player, "spam-major")
    incident_id = done["incident_id"]
    adjusted = await service.adjust(incident_id, {"kind": "ban", "days": 2})
    by_adjustment = await service.game.post(
        "/v1/appeals", {"player_id": player, "adjustment_id": adjusted["adjustment_id"], "grounds": "g"}, expect=201
    )
    appeal = (await file(service, player, incident_id))["appeal_id"]
    version = (await preview(service, appeal))["player_version"]
    body = {"outcome": "overturned", **WORDS, "player_version": version}
    key = {"Idempotency-Key": fresh("key")}
    first = await service.senior.post(f"/v1/appeals/{appeal}/decision", body, expect=200, headers=key)
    assert (await service.senior.post(f"/v1/appeals/{appeal}/decision", body, expect=200, headers=key)).body == first.body
    await service.senior.refused("already_decided", f"/v1/appeals/{appeal}/decision", {**body, "player_version": version + 2})
    await decide(service, by_adjustment["appeal_id"])
    assert (await service.standing(player))["strikes"] == 0
    service.clock.turn(days=30)
    assert (await service.standing(player))["strikes"] == 0
    warned = fresh()
    await overturn(service, warned, (await service.issue(warned, "harassment-minor"))["incident_id"])
    assert (await service.standing(warned))["strikes"] == 0


async def test_l08_an_overturned_incident_is_closed(service: Service) -> None:
    """Raising, lowering, lifting and evading it."""
    player = fresh()
    await service.access(player, "203.0.113.8")
    done = await service.issue(player, "doxing")
    await overturn(service, player, done["incident_id"])
    path = f"/v1/incidents/{done['incident_id']}"
    for wanted in ([{"kind": "permanent_ban"}], [{"kind": "warning"}]):
        await service.head.refused("incident_overturned", f"{path}/adjustments", {"sanctions": wanted, "strike": True, "reason": "r"})
    await service.head.refused("incident_overturned", f"{path}/ip-ban/lift", {"reason": "r"})
    charged = {"player_id": player, "offenses": [offense("multiple-accounts", alts=[fresh("alt")], evasion=True)]}
    await service.admin.refused("not_evasion", "/v1/incidents", charged)


async def test_l12_a_punishment_ends_by_its_own_end_lift_or_overturn(service: Service) -> None:
    """Three strikes and a fourth. Declined, the permanent ban stays as issued (total 3); overturned itself, the player is free at once."""
    player = fresh()
    await service.strikes(player, 1)
    second = await service.issue(player, "spam-major")
    await service.issue(player, "spam-major")
    fourth = await service.issue(player, "trolling-major")
    service.clock.turn(days=10)
    await overturn(service, player, second["incident_id"], cascade=False)
    after = await service.standing(player)
    assert (after["strikes"], after["status"]) == (3, "permanently_banned")
    await overturn(service, player, fourth["incident_id"])
    assert (await service.standing(player))["ban"] is None
    assert (await service.access(player))["allowed"]


async def test_d03_an_overturned_permanent_ban_ends_at_once(service: Service) -> None:
    player = fresh()
    done = await service.issue(player, "lurking")
    assert not (await service.access(player))["allowed"]
    await overturn(service, player, done["incident_id"])
    assert (await service.access(player))["allowed"]
    assert (await service.standing(player))["ban"] is None


async def test_d08_a_ban_made_permanent_in_an_appeal_outlives_its_old_end(service: Service) -> None:
    player = fresh()
    done = await service.issue(player, "harassment-major")
    appeal = (await file(service, player, done["incident_id"]))["appeal_id"]
    await decide(service, appeal, "modified", sanctions=[{"kind": "permanent_ban"}], strike=True)
    service.clock.turn(days=40)
    assert (await service.standing(player))["status"] == "permanently_banned"
