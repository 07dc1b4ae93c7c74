"""Rolling back a member of staff over HTTP and PostgreSQL (contract, "Incidents and sanctions"; I-20; L07, L08)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from tests.support import database as databases
from tests.support.app import Answer, Caller, Service, fresh, iso, serving

REASON = {"reason": "canary-reason"}
IDS = {"rollback_id", "at", "as_of", "position", "sanction_id", "version"}

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def service(database_server: databases.Server) -> AsyncIterator[Service]:
    database = database_server.create("mod_rollbacks")
    try:
        async with serving(database) as running:
            yield running
    finally:
        database_server.drop(database.name)


class Acting:
    """A new member of staff, acting through the game server."""

    def __init__(self, service: Service, staff_id: str) -> None:
        self.service, self.staff_id = service, staff_id
        self.headers = {"Acting-Staff": staff_id}

    async def post(self, path: str, body: Any, *, expect: int) -> Answer:
        return await self.service.game.post(path, body, expect=expect, headers=self.headers)

    async def issue(self, player_id: str, infraction: str, **fields: Any) -> Answer:
        return await self.post("/v1/incidents", {"player_id": player_id, "offenses": [{"infraction": infraction, **fields}]}, expect=201)


async def hire(service: Service, level: str) -> Acting:
    staff_id = fresh("staff")
    entry = {"level": level, "player_id": fresh("own"), "active": True}
    await service.head.call("PUT", f"/v1/staff/{staff_id}", entry, expect=201)
    return Acting(service, staff_id)


async def roll_back(service: Service, rogue: Acting, *, expect: int = 201, by: Caller | None = None, **params: Any) -> Answer:
    """Everything that the rogue decided until now."""
    body = {"from": iso(service.clock.now().replace(year=2020)), "to": iso(service.clock.now()), **REASON}
    return await (by or service.head).post(f"/v1/staff/{rogue.staff_id}/rollback", body, expect=expect, **params)


async def reverse(service: Service, rollback: Answer, *, expect: int = 200, by: Caller | None = None, **params: Any) -> Answer:
    return await (by or service.staff["head_admin_b"]).post(f"/v1/rollbacks/{rollback['rollback_id']}/reverse", REASON, expect=expect, **params)


async def seen(service: Service, player_id: str) -> tuple[Any, Any, Any]:
    """What the API says of the player, but for versions and moments."""
    standing = {name: value for name, value in (await service.standing(player_id)).body.items() if name not in ("version", "as_of")}
    return standing, await service.incidents(player_id), await service.active(player_id)


def stripped(value: Any) -> Any:
    """The value without ids and times."""
    if isinstance(value, dict):
        return {name: stripped(item) for name, item in value.items() if name not in IDS}
    return [stripped(item) for item in value] if isinstance(value, list) else value


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
    assert await service.adjust(incident["incident_id"], {"kind": "warning"})


async def test_an_open_appeal_of_an_overturned_incident_is_still_decided_and_takes_nothing_twice(service: Service) -> None:
    """L07: two ways to overturn one strike; the count stays right, and the appeal's word is final also for the reversal."""
    rogue, player = await hire(service, "admin"), fresh()
    incident = await rogue.issue(player, "spam-major")
    other = await service.issue(player, "duel-notes-misuse")
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
    assert (await service.admin.get(f"/v1/incidents/{other['incident_id']}"))["column"] in (1, 2)


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
