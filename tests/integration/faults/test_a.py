"""Faults A01 to A09 of the field: appeals, over HTTP on PostgreSQL. A10 needs images and is tested with them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.support.app import Service, fresh, offense
from tests.support.appealing import WORDS, decide, file, overturn, preview

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a01_one_appeal_and_one_second_decision(service: Service) -> None:
    """Again, for another account, and five at once: 409, or not theirs. A Senior's first decision is appealed like any other."""
    player = fresh()
    done = await service.issue(player, "spam-major", by=service.senior)
    body = {"player_id": player, "incident_id": done["incident_id"], "grounds": "All at once."}
    replies = await asyncio.gather(*(service.game.post("/v1/appeals", body) for _ in range(5)))
    assert sorted(reply.status for reply in replies) == [201, 409, 409, 409, 409]
    appeal = next(reply for reply in replies if reply.status == 201)["appeal_id"]
    await service.game.refused("not_the_subject", "/v1/appeals", {**body, "player_id": fresh()})
    version = (await service.staff["head_admin"].post(f"/v1/appeals/{appeal}/preview", {"outcome": "upheld"}, expect=200))["player_version"]
    verdict = {"outcome": "upheld", **WORDS, "player_version": version}
    await service.senior.refused("conflict_of_interest", f"/v1/appeals/{appeal}/decision", verdict)
    await service.head.post(f"/v1/appeals/{appeal}/decision", verdict, expect=200)
    await service.game.refused("decision_final", "/v1/appeals", body, headers={"Idempotency-Key": "another"})


async def test_an_adjustment_of_another_player_is_not_theirs_to_appeal(service: Service) -> None:
    """As for an incident: 403, and 404 only for what nobody ever decided."""
    player, other = fresh(), fresh()
    done = await service.issue(player, "spam-major")
    adjusted = await service.adjust(done["incident_id"], {"kind": "warning"})
    body = {"player_id": other, "adjustment_id": adjusted["adjustment_id"], "grounds": "It is about me, somehow."}
    assert (await service.game.refused("not_the_subject", "/v1/appeals", body)).status == 403
    await service.game.refused("not_found", "/v1/appeals", {**body, "adjustment_id": done["incident_id"]})
    await service.game.post("/v1/appeals", {**body, "player_id": player}, expect=201)


async def test_a02_the_outcomes_say_what_becomes_of_the_sanction_and_none_lingers(service: Service) -> None:
    expected = {"upheld": "banned", "overturned": "good", "modified": "warned"}
    for outcome, status in expected.items():
        player = fresh()
        done = await service.issue(player, "cheating")
        appeal = (await file(service, player, done["incident_id"]))["appeal_id"]
        pending = [item["appeal_id"] for item in (await service.senior.get("/v1/appeals", state="open", limit=200))["items"]]
        assert pending.count(appeal) == 1
        extra: dict[str, Any] = {"sanctions": [{"kind": "warning"}], "strike": False} if outcome == "modified" else {}
        assert (await decide(service, appeal, outcome, **extra))["state"] == "decided"
        assert (await service.standing(player))["status"] == status
        pending = [item["appeal_id"] for item in (await service.senior.get("/v1/appeals", state="open", limit=200))["items"]]
        assert appeal not in pending


async def test_a03_the_banned_reach_the_appeal_and_nobody_turns_it_away(service: Service) -> None:
    for row in ("doxing", "faking-evidence", "lurking"):
        player = fresh()
        await service.access(player, "203.0.113.77")
        done = await service.issue(player, row)
        appeal = (await file(service, player, done["incident_id"]))["appeal_id"]
        for path in (f"/v1/appeals/{appeal}", f"/v1/appeals/{appeal}/decision"):
            assert (await service.head.call("DELETE", path)).status in (404, 405)
        for outcome in ("rejected", "closed", ""):
            await service.head.refused("invalid_request", f"/v1/appeals/{appeal}/decision", {"outcome": outcome, **WORDS, "player_version": 2})
        assert (await service.head.post(f"/v1/appeals/{appeal}/withdraw", {"player_id": player})).status == 403
        assert (await service.senior.get(f"/v1/appeals/{appeal}"))["state"] == "open"


async def test_a04_two_opposite_decisions_have_one_winner(service: Service) -> None:
    """Eight rounds here; the bar of simultaneous commands has more."""
    for _ in range(8):
        player = fresh()
        done = await service.issue(player, "cheating")
        appeal = (await file(service, player, done["incident_id"]))["appeal_id"]
        version = (await preview(service, appeal))["player_version"]
        choices = (("overturned", service.senior, "good"), ("upheld", service.head, "banned"))
        replies = await asyncio.gather(
            *(by.post(f"/v1/appeals/{appeal}/decision", {"outcome": o, **WORDS, "player_version": version}) for o, by, _ in choices)
        )
        assert sorted(reply.status for reply in replies) in ([200, 409], [200, 412])
        won = next(status for reply, (_, _, status) in zip(replies, choices, strict=True) if reply.status == 200)
        assert (await service.standing(player))["status"] == won
        assert (await service.standing(player, at_version=version + 1))["status"] in (won, "banned")


async def test_a06_an_overturned_ban_is_over_for_account_and_network(service: Service) -> None:
    """And the alts of who evaded it are listed, neither kept nor freed in silence."""
    player, alt, address = fresh(), fresh("alt"), "198.51.100.66"
    await service.access(player, address)
    done = await service.issue(player, "doxing")
    evasion = await service.issue(player, offense("multiple-accounts", alts=[alt]))
    assert not (await service.access(player, address))["allowed"]
    assert not (await service.access(fresh(), address))["allowed"]
    await overturn(service, player, done["incident_id"])
    assert (await service.access(player, address))["allowed"]
    assert (await service.access(fresh(), address))["allowed"]
    assert (await service.standing(alt))["status"] == "permanently_banned"
    freed = await overturn(service, player, evasion["incident_id"])
    assert freed["freed"] == [alt]
    assert (await service.standing(alt))["status"] == "good"


async def test_a06_linked_evasions_are_in_the_preview(service: Service) -> None:
    player, alt = fresh(), fresh("alt")
    done = await service.issue(player, "cheating")
    evasion = await service.issue(player, offense("multiple-accounts", alts=[alt]))
    shown = await preview(service, (await file(service, player, done["incident_id"]))["appeal_id"])
    assert shown["linked"] == [{"incident_id": evasion["incident_id"], "player_ids": [alt]}]


async def test_a06_an_account_that_its_own_appeal_freed_is_not_freed_again(service: Service) -> None:
    """The preview and the decision name those on whom the incident still stands."""
    main, first, second = fresh(), fresh(), fresh()
    charged = offense("multiple-accounts", alts=[first, second])
    incident_id = (await service.admin.post("/v1/incidents", {"player_id": main, "offenses": [charged]}, expect=201))["incident_id"]
    await overturn(service, first, incident_id)
    appeal = (await file(service, main, incident_id))["appeal_id"]
    assert (await preview(service, appeal))["freed"] == [second]
    assert (await decide(service, appeal))["freed"] == [second]
    assert (await service.standing(second))["status"] == "good"


async def test_a07_undoing_one_leaves_the_other(service: Service) -> None:
    """Parity: overturning one of two bans leaves the other, its end unmoved."""
    player = fresh()
    first, second = await service.issue(player, "hacking"), await service.issue(player, "lurking")
    await overturn(service, player, first["incident_id"])
    after = await service.standing(player)
    assert (after["status"], after["ban"]["incident_ids"]) == ("permanently_banned", [second["incident_id"]])


async def test_a08_an_appeal_outlives_what_comes_after(service: Service) -> None:
    """A permanent ban for something else, and the end of the appealed ban: decidable still, and the strike goes."""
    player = fresh()
    done = await service.issue(player, "spam-major")
    appeal = (await file(service, player, done["incident_id"]))["appeal_id"]
    for step in range(3):
        assert (await service.senior.get(f"/v1/appeals/{appeal}"))["state"] == "open"
        assert (await preview(service, appeal))["after"]["strikes"] == (1 if step else 0)
        if step == 0:
            await service.issue(player, "lurking")
        else:
            service.clock.turn(days=5)
    await decide(service, appeal)
    after = await service.standing(player)
    assert (after["strikes"], after["status"]) == (1, "permanently_banned")


async def test_a09_an_appeal_opens_when_its_staff_have_left(service: Service) -> None:
    """The stable ids, and who of them is former staff."""
    leaver, reviewer = fresh("staff"), fresh("staff")
    for staff_id in (leaver, reviewer):
        entry = {"level": "senior_admin", "player_id": fresh("own"), "active": True}
        await service.head.call("PUT", f"/v1/staff/{staff_id}", entry, expect=201)
    player = fresh()
    body = {"player_id": player, "offenses": [{"infraction": "spam-major"}]}
    done = await service.game.post("/v1/incidents", body, expect=201, headers={"Acting-Staff": leaver})
    appeal = (await file(service, player, done["incident_id"]))["appeal_id"]
    version = (await preview(service, appeal))["player_version"]
    verdict = {"outcome": "upheld", **WORDS, "player_version": version}
    await service.game.post(f"/v1/appeals/{appeal}/decision", verdict, expect=200, headers={"Acting-Staff": reviewer})
    for staff_id in (leaver, reviewer):
        own = (await service.head.get(f"/v1/staff/{staff_id}"))["player_id"]
        await service.head.call("PUT", f"/v1/staff/{staff_id}", {"level": "admin", "player_id": own, "active": False}, expect=200)
    shown = await service.senior.get(f"/v1/appeals/{appeal}")
    assert (shown["decided_by"], shown["former_staff"]) == (reviewer, sorted([leaver, reviewer]))
    assert appeal in [item["appeal_id"] for item in (await service.senior.get("/v1/appeals", state="decided", limit=200))["items"]]
