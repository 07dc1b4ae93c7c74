"""Faults L06, L07, L08 and L12 of the field: what an overturn takes off the ladder, and what stays, over HTTP on PostgreSQL."""

from __future__ import annotations

import pytest

from tests.support.app import Service, fresh, iso, offense
from tests.support.appealing import overturn

pytestmark = pytest.mark.asyncio(loop_scope="module")

REASON = {"reason": "On review."}


async def test_l06_what_was_overturned_pushes_nothing_up_the_ladder_and_stays_listed(service: Service) -> None:
    player = fresh()
    first = await service.issue(player, "spam-major")
    await overturn(service, player, first["incident_id"])
    assert (await service.issue(player, "trolling-major"))["column"] == 1
    assert sorted(item["status"] for item in await service.incidents(player)) == ["in_force", "overturned"]
    warned = await service.issue(player, "spam-minor")
    await overturn(service, player, warned["incident_id"])
    service.clock.turn(days=2)
    again = await service.issue(player, "spam-minor")
    assert again["assessment"][0]["upgradable_to"] is None


async def test_l07_the_count_is_never_below_zero(service: Service) -> None:
    player = fresh()
    warned, struck = await service.issue(player, "harassment-minor"), await service.issue(player, "spam-major")
    for made in (warned, struck):
        await overturn(service, player, made["incident_id"])
        second = {"player_id": player, "incident_id": made["incident_id"], "grounds": "Again."}
        assert (await service.game.post("/v1/appeals", second)).status == 409
    standing = await service.standing(player)
    assert (standing["strikes"], standing["warnings"], standing["status"]) == (0, 0, "good")


async def test_l08_nothing_more_is_done_to_what_was_overturned(service: Service) -> None:
    """Raised, lowered, lifted: 409 each; and evasion finds no ban to lengthen."""
    player = fresh()
    made = await service.issue(player, "hacking")
    await overturn(service, player, made["incident_id"])
    path = f"/v1/incidents/{made['incident_id']}"
    for sanctions in ([{"kind": "permanent_ban"}], [{"kind": "warning"}], []):
        await service.head.refused("incident_overturned", f"{path}/adjustments", {"sanctions": sanctions, "strike": True, **REASON})
    await service.head.refused("incident_overturned", f"{path}/ip-ban/lift", REASON)
    charge = offense("multiple-accounts", alts=[fresh()], evasion=True)
    await service.admin.refused("not_evasion", "/v1/incidents", {"player_id": player, "offenses": [charge]})
    assert len(await service.history(player)) == 4


async def test_l12_a_punishment_ends_by_its_own_end_lift_or_overturn_only(service: Service) -> None:
    """Three strikes and a fourth that is permanent; the reviewer of the second leaves later ones alone, then the fourth falls."""
    player = fresh()
    made = []
    for _ in range(4):
        made.append((await service.issue(player, "trolling-major"))["incident_id"])
        service.clock.turn(days=40)
    assert (await service.standing(player))["status"] == "permanently_banned"
    await overturn(service, player, made[1], cascade=False)
    standing = await service.standing(player)
    assert (standing["status"], standing["strikes"]) == ("permanently_banned", 3)
    await overturn(service, player, made[3])
    after = await service.standing(player, as_of=iso(service.clock.now()))
    assert (after["status"], after["ban"]) == ("warned", None)
