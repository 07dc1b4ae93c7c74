"""Rolling back a member of staff over HTTP and PostgreSQL (contract, "Incidents and sanctions"; I-20)."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.support import database as databases
from tests.support.app import Service, fresh, iso, serving
from tests.support.rollbacks import REASON, hire, reverse, roll_back, seen, stripped

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def service(database_server: databases.Server) -> AsyncIterator[Service]:
    database = database_server.create("mod_rollbacks")
    try:
        async with serving(database) as running:
            yield running
    finally:
        database_server.drop(database.name)


async def test_the_preview_says_what_the_rollback_does_and_the_reversal_puts_all_back(service: Service) -> None:
    """One batch: a strike with a later ban on it, an adjustment, a lift of an IP ban, one of a proxy ban, one of a network ban."""
    rogue = await hire(service, "head_admin")
    struck, adjusted, networked = fresh(), fresh(), fresh()
    await rogue.issue(struck, "spam-major")
    later = await service.issue(struck, "cheating")
    harsh = await service.issue(adjusted, "malicious-afk")
    await service.game.post("/v1/access-checks", {"player_id": networked, "ip": "203.0.113.9"}, expect=200)
    barred = await service.issue(networked, "hacking")
    network = await service.head.post("/v1/network-bans", {"network": "198.51.100.7", **REASON}, expect=201)
    service.clock.turn(hours=1)
    body = {"sanctions": [{"kind": "warning"}], "strike": False, **REASON}
    adjustment = await rogue.post(f"/v1/incidents/{harsh['incident_id']}/adjustments", body, expect=201)
    await rogue.post(f"/v1/incidents/{barred['incident_id']}/ip-ban/lift", REASON, expect=200)
    await rogue.post(f"/v1/network-bans/{network['network_ban_id']}/lift", REASON, expect=200)
    players = (struck, adjusted, networked)
    before = [await seen(service, player) for player in players]
    service.clock.turn(hours=1)

    preview = await roll_back(service, rogue, expect=200, dry_run="true")
    assert [await seen(service, player) for player in players] == before
    done = await roll_back(service, rogue)
    assert stripped(preview.body) == stripped(done.body)
    assert done["counts"] == {"players": 3, "overturned": 1, "reverted": 1, "reimposed": 2, "reassessed": 1, "kept": 0, "listed": 0}
    assert done["network_bans"] == [network["network_ban_id"]]
    shown = {player["player_id"]: player for player in done["players"]}
    assert [item["incident_id"] for item in shown[struck]["reassessed"]] == [later["incident_id"]]
    assert shown[struck]["after"]["strikes"] == 1
    assert {change["path"] for change in shown[adjusted]["changes"]} >= {"status", "strikes", "ban"}
    assert shown[networked]["reimposed"] == [{"kind": "ip_ban", "incident_id": barred["incident_id"]}]
    stands = (await service.admin.get(f"/v1/incidents/{harsh['incident_id']}")).body
    assert [(item["kind"], item["days"], item["state"]) for item in stands["sanctions"]] == [("ban", 3, "active")]
    assert [(item["adjustment_id"], item["reverted"]) for item in stands["adjustments"]] == [(adjustment["adjustment_id"], True)]
    assert stands["replaced_by"] is None
    assert not (await service.access(fresh(), ip="203.0.113.9"))["allowed"]
    assert not (await service.access(fresh(), ip="198.51.100.7"))["allowed"]

    service.clock.turn(hours=1)
    dry = await reverse(service, done, dry_run="true")
    back = await reverse(service, done)
    assert stripped(dry.body) == stripped(back.body)
    assert back["kept"] == []
    assert [await seen(service, player) for player in players] == before
    assert (await service.access(fresh(), ip="203.0.113.9"))["allowed"]
    assert (await service.access(fresh(), ip="198.51.100.7"))["allowed"]
    assert (await reverse(service, done, expect=409))["code"] == "invalid_transition"


async def test_a_rollback_is_kept_with_its_reasons_and_listed(service: Service) -> None:
    rogue = await hire(service, "admin")
    incident = await rogue.issue(fresh(), "spam-major")
    done = await roll_back(service, rogue)
    await reverse(service, done)
    full = (await service.auditor.get(f"/v1/rollbacks/{done['rollback_id']}")).body
    assert (full["state"], full["reason"], full["reversal"]["reason"]) == ("reversed", "canary-reason", "canary-reason")
    assert full["players"][0]["overturned"] == full["reversal"]["players"][0]["incidents"] == [incident["incident_id"]]
    page = (await service.head.get("/v1/rollbacks", limit=1)).body
    assert page["items"][0]["rollback_id"] == done["rollback_id"]
    assert (await service.head.get("/v1/rollbacks", cursor=page["next_cursor"]))["items"]
    await service.head.get("/v1/rollbacks/01890a5d-ac96-774b-bcce-b302099a8057", expect=404)
    stored = await service.store.fetch("SELECT reply FROM idempotency WHERE position($1 in reply) > 0", b"canary-reason")
    assert stored == []


async def test_nobody_rolls_back_their_own_decisions_or_decisions_about_their_own_account(service: Service) -> None:
    rogue, player = await hire(service, "head_admin"), fresh()
    own = await rogue.issue("head-1-player", "spam-major")
    charged = await rogue.issue(player, "spam-major")
    body = {"from": charged["decided_at"], "to": charged["decided_at"], **REASON}
    mine = await rogue.post(f"/v1/staff/{rogue.staff_id}/rollback", body, expect=403)
    assert mine["code"] == "conflict_of_interest"
    done = await roll_back(service, rogue)
    assert [(item["incident_id"], item["why"]) for item in done["kept"]] == [(own["incident_id"], "conflict_of_interest")]
    assert (await service.standing("head-1-player"))["strikes"] == 1
    assert (await service.standing(player))["strikes"] == 0
    mine = await rogue.post(f"/v1/rollbacks/{done['rollback_id']}/reverse", REASON, expect=403)
    assert mine["code"] == "conflict_of_interest"
    rest = await roll_back(service, rogue, by=service.staff["head_admin_b"])
    assert rest["counts"]["overturned"] == 1


async def test_decisions_of_appeals_are_listed_and_not_undone(service: Service) -> None:
    """I-20."""
    rogue, player = await hire(service, "senior_admin"), fresh()
    incident = await service.issue(player, "spam-major")
    filed = {"player_id": player, "incident_id": incident["incident_id"], "grounds": "No."}
    appeal = (await service.game.post("/v1/appeals", filed, expect=201))["appeal_id"]
    preview = await rogue.post(f"/v1/appeals/{appeal}/preview", {"outcome": "overturned"}, expect=200)
    verdict = {"outcome": "overturned", **REASON, "player_version": preview["player_version"]}
    await rogue.post(f"/v1/appeals/{appeal}/decision", verdict, expect=200)
    done = await roll_back(service, rogue)
    assert (done["players"], [(item["kind"], item["decision_id"]) for item in done["listed"]]) == ([], [("appeal_decision", appeal)])
    assert (await service.standing(player))["strikes"] == 0


async def test_an_import_falls_with_whoever_imported_it(service: Service) -> None:
    rogue, player = await hire(service, "head_admin"), fresh()
    row = {
        "player_id": player, "infraction": "spam-major", "decided_at": iso(service.clock.now().replace(year=2025)), "decided_by": "former-admin",
        "strike": True, "sanctions": [{"kind": "permanent_ban"}], "external_id": fresh("old"),
    }  # fmt: skip
    await rogue.post("/v1/incidents/import", {"incidents": [row]}, expect=200)
    assert (await service.standing(player))["status"] == "permanently_banned"
    body = {"from": iso(service.clock.now()), "to": iso(service.clock.now()), **REASON}
    await service.head.post(f"/v1/staff/{rogue.staff_id}/rollback", body, expect=201)
    assert (await service.standing(player))["status"] == "good"


async def test_wrong_requests_are_refused(service: Service) -> None:
    now = iso(service.clock.now())
    rogue = await hire(service, "admin")
    path = f"/v1/staff/{rogue.staff_id}/rollback"
    for staff in (service.admin, service.senior):
        await staff.refused("head_admin_required", path, {"from": now, "to": now, **REASON}, expect=403)
    await service.auditor.refused("forbidden", path, {"from": now, "to": now, **REASON}, expect=403)
    early = iso(service.clock.now().replace(year=2025))
    await service.head.refused("invalid_request", path, {"from": now, "to": early, **REASON}, expect=422)
    await service.head.refused("invalid_request", path, {"from": now, "to": now, "reason": ""}, expect=422)
    await service.head.refused("not_found", "/v1/staff/nobody-at-all/rollback", {"from": now, "to": now, **REASON}, expect=404)
    await service.head.refused("not_found", "/v1/rollbacks/01890a5d-ac96-774b-bcce-b302099a8057/reverse", REASON, expect=404)
    empty = await roll_back(service, rogue)
    assert (empty["players"], empty["counts"]["overturned"]) == ([], 0)


async def test_the_same_key_rolls_back_once(service: Service) -> None:
    rogue, player = await hire(service, "admin"), fresh()
    await rogue.issue(player, "spam-major")
    body = {"from": iso(service.clock.now().replace(year=2020)), "to": iso(service.clock.now()), **REASON}
    path, headers = f"/v1/staff/{rogue.staff_id}/rollback", {"Idempotency-Key": fresh("key")}
    first = await service.head.post(path, body, expect=201, headers=headers)
    again = await service.head.post(path, body, expect=201, headers=headers)
    assert (again.body, again.headers["Idempotency-Replayed"]) == (first.body, "true")
    assert len(await service.history(player)) == 2
