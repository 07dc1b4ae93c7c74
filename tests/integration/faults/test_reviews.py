"""Who reviews an appeal, by what was looked up; that the decision is its preview; and what an auditor is told of it."""

from __future__ import annotations

import pytest

from tests.support.app import T0, Service, fresh, iso, offense
from tests.support.appealing import decide, file, overturn, preview, without

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_who_acts_through_the_game_server_is_who_decides(service: Service) -> None:
    """I-31: the member of staff is refused by the same facts, whichever door they take; their linked accounts count."""
    staff_id, own, player = fresh("staff"), fresh("own"), fresh()
    await service.head.call("PUT", f"/v1/staff/{staff_id}", {"level": "senior_admin", "player_id": own, "active": True}, expect=201)
    acting = {"Acting-Staff": staff_id}
    await service.issue(player, offense("multiple-accounts", alts=[own, fresh("alt")]))
    spam = await service.issue(player, "spam-major")
    for target, incident_id in ((player, spam["incident_id"]),):
        appeal = (await file(service, target, incident_id))["appeal_id"]
        answer = await service.game.post(f"/v1/appeals/{appeal}/preview", {"outcome": "upheld"}, headers=acting)
        assert (answer.status, answer["code"]) == (403, "conflict_of_interest")


async def test_the_owner_of_a_sibling_account_does_not_decide_an_alts_appeal(service: Service) -> None:
    """I-31, linked accounts: two alts of one main account."""
    staff_id, own, alt = fresh("staff"), fresh("own"), fresh("alt")
    await service.head.call("PUT", f"/v1/staff/{staff_id}", {"level": "senior_admin", "player_id": own, "active": True}, expect=201)
    done = await service.issue(fresh(), offense("multiple-accounts", alts=[own, alt]))
    appeal = (await file(service, alt, done["incident_id"]))["appeal_id"]
    answer = await service.game.post(f"/v1/appeals/{appeal}/preview", {"outcome": "upheld"}, headers={"Acting-Staff": staff_id})
    assert (answer.status, answer["code"]) == (403, "conflict_of_interest")
    freed = await decide(service, appeal)
    assert (freed["after"]["status"], (await service.standing(own))["status"]) == ("good", "permanently_banned")


async def test_who_had_the_call_does_not_decide_about_what_came_of_it(service: Service) -> None:
    """Bar 16: a Senior takes the call and lets it go, an Admin takes it next and decides; the appeal is another Senior's."""
    duel, player = fresh("duel"), fresh()
    await service.game.call("PUT", f"/v1/duels/{duel}", {"format": "tcg", "players": [player, fresh()], "kind": "match"})
    body = {"duel_id": duel, "caller_id": player, "category": "cheating", "message": "m", "origin": "duel"}
    call = (await service.game.post("/v1/calls", body, expect=201))["call_id"]
    await service.senior.post(f"/v1/calls/{call}/take", expect=200)
    await service.senior.post(f"/v1/calls/{call}/release", expect=200)
    await service.admin.post(f"/v1/calls/{call}/take", expect=200)
    charged = {"player_id": player, "offenses": [{"infraction": "spam-major"}]}
    decision = {"kind": "penalty", "text": "t", "incident": charged, "sources": []}
    await service.admin.post(f"/v1/calls/{call}/decisions", decision, expect=201)
    (incident,) = await service.incidents(player)
    appeal = (await file(service, player, incident["incident_id"]))["appeal_id"]
    await service.senior.refused("conflict_of_interest", f"/v1/appeals/{appeal}/preview", {"outcome": "upheld"})
    await service.staff["senior_admin_b"].post(f"/v1/appeals/{appeal}/preview", {"outcome": "upheld"}, expect=200)


async def test_the_decider_of_an_ip_ban_does_not_decide_about_its_network(service: Service) -> None:
    """I-31: the ban of the network is their decision."""
    player, address = fresh(), "198.51.100.91"
    await service.access(player, address)
    await service.issue(player, "doxing", by=service.senior)
    listed = (await service.head.get("/v1/network-bans", limit=200))["items"]
    ban = next(item["network_ban_id"] for item in listed if item.get("player_id") == player)
    other = fresh()
    body = {"player_id": other, "network_ban_id": ban, "grounds": "My flatmate's."}
    appeal = (await service.game.post("/v1/appeals", body, expect=201))["appeal_id"]
    await service.senior.refused("conflict_of_interest", f"/v1/appeals/{appeal}/preview", {"outcome": "modified"})
    await service.head.post(f"/v1/appeals/{appeal}/preview", {"outcome": "modified"}, expect=200)


async def test_the_decision_is_its_preview_byte_for_byte_apart_from_times(service: Service) -> None:
    """I-34, I-35: with later incidents read again, kept and linked."""
    player = fresh()
    first = await service.issue(player, "spam-major")
    await service.issue(player, "spam-severe")
    await service.issue(player, "harassment-major")
    await service.issue(player, offense("multiple-accounts", alts=[fresh("alt")]))
    appeal = (await file(service, player, first["incident_id"]))["appeal_id"]
    shown = await preview(service, appeal)
    service.clock.turn(seconds=3)
    done = await decide(service, appeal)
    names = set(shown.body)
    # `version` counts the events, in both; the moments at which the standing is taken differ
    assert without(shown.body, "as_of") == without({name: done[name] for name in names}, "as_of")
    assert without((await service.standing(player)).body, "as_of") == without(done["after"], "as_of")


async def test_as_of_and_known_at_of_an_import_differ(service: Service) -> None:
    """Contract, Standing: what held then by today's record, and what was known then."""
    player = fresh()
    await service.strikes(player, 1)
    long_ago = iso(T0.replace(year=2026, month=6))
    assert (await service.standing(player, as_of=long_ago))["strikes"] == 1
    assert (await service.standing(player, known_at=long_ago))["strikes"] == 0


async def test_a_what_if_reads_again_records_nothing_and_the_replay_ends_at_the_standing(service: Service) -> None:
    player = fresh()
    first = await service.issue(player, "spam-major")
    await service.issue(player, "cheating")
    path = f"/v1/players/{player}/what-if"
    told = await service.auditor.post(path, {"without_incidents": [first["incident_id"]]}, expect=200)
    assert (told["standing"]["strikes"], told["standing"]["status"]) == (1, "banned")
    overturned = await overturn(service, player, first["incident_id"])
    assert without(overturned["after"], "version", "as_of") == without(told["standing"], "version", "as_of")
    steps = (await service.auditor.get(f"/v1/players/{player}/replay", limit=200))["items"]
    assert without(steps[-1]["standing"], "as_of") == without((await service.standing(player)).body, "as_of")
    before = steps[2]["standing"]
    diff = await service.auditor.get(f"/v1/players/{player}/diff", **{"from": 3, "to": len(steps)})
    assert without(diff["before"], "as_of") == without(before, "as_of")
    assert {change["path"] for change in diff["changes"]} >= {"status", "strikes"}
