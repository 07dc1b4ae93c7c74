"""Fault N09 of the field, whatever bans the fifth: an alt's own incident, an import, an adjustment, an appeal, two of them at once (I-13)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
import pytest_asyncio

from tests.support.app import Service, fresh, iso, offense, serving
from tests.support.appealing import decide, file
from tests.support.database import Server

pytestmark = pytest.mark.asyncio(loop_scope="module")

ROUNDS = 10
PERMANENT = {"sanctions": [{"kind": "permanent_ban"}], "strike": False, "reason": "Raised."}
WARNING = {"sanctions": [{"kind": "warning"}], "strike": False, "reason": "Lowered."}
_lines = count(1)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pair(database_server: Server) -> AsyncIterator[tuple[Service, Service]]:
    """Two processes over one database: nothing but PostgreSQL between them."""
    database = database_server.create("mod_five")
    try:
        async with serving(database) as one, serving(database, one.clock, tokens=one.tokens) as two:
            yield one, two
    finally:
        database_server.drop(database.name)


async def four_of_five(service: Service) -> tuple[str, list[str], str]:
    """A free account with four alts that are banned, all of them seen somewhere; and the incident that charged them."""
    main, *alts = accounts = [fresh() for _ in range(5)]
    for account in accounts:
        await service.access(account, f"172.17.{next(_lines)}.7")
    done = await service.issue(main, offense("multiple-accounts", alts=alts))
    assert await ip_banned(service, accounts) == [False] * 5
    return main, alts, done["incident_id"]


async def ip_banned(service: Service, accounts: list[str]) -> list[bool]:
    return [(await service.standing(account))["ip_banned"] for account in accounts]


async def adjust(service: Service, incident_id: str, player: str, body: dict[str, Any]) -> Any:
    return await service.head.post(f"/v1/incidents/{incident_id}/adjustments", {**body, "player_id": player}, expect=201)


async def test_n09_an_import_that_bans_the_main_account_makes_the_fifth(service: Service) -> None:
    """I-22: a ban taken over that still runs is a ban; one that is over is none."""
    main, alts, _ = await four_of_five(service)
    old = {"player_id": main, "infraction": "spam-major", "decided_by": "former-admin", "strike": True, "sanctions": [{"kind": "ban", "days": 5}]}
    for days_ago, right in ((9, False), (1, True)):
        row = {**old, "decided_at": iso(service.clock.moment - timedelta(days=days_ago)), "external_id": fresh("old")}
        await service.head.post("/v1/incidents/import", {"incidents": [row]}, expect=200)
        assert await ip_banned(service, [main, *alts]) == [right] * 5
    assert (await service.standing(main))["status"] == "permanently_banned"  # I-12


async def test_n09_an_adjustment_that_bans_the_main_account_makes_the_fifth(service: Service) -> None:
    main, alts, charge = await four_of_five(service)
    await service.adjust(charge, {"kind": "ban", "days": 3})
    assert await ip_banned(service, [main, *alts]) == [True] * 5
    why = (await service.senior.get(f"/v1/incidents/{charge}/explanation"))["sanctions"]
    assert {sanction["kind"]: sanction["why"] for sanction in why}["ip_ban"] == ["Five or more linked accounts were banned at once (I-13)."]
    await service.head.post(f"/v1/incidents/{charge}/ip-ban/lift", {"reason": "A shared line."}, expect=200)
    assert await ip_banned(service, [main, *alts]) == [False] * 5


async def test_n09_an_alts_own_incident_makes_the_fifth_when_it_was_free(service: Service) -> None:
    """A Head Admin had lowered its ban; the next thing it does bans it again, beside four others."""
    main, alts, charge = await four_of_five(service)
    await adjust(service, charge, alts[0], WARNING)
    await service.issue(main, "cheating")
    assert await ip_banned(service, [main, *alts]) == [False] * 5
    await service.issue(alts[0], "spam-minor")
    assert await ip_banned(service, [main, *alts]) == [False] * 5
    await service.issue(alts[0], "cheating")
    assert await ip_banned(service, [main, *alts]) == [True] * 5
    assert (await service.standing(alts[0]))["status"] == "permanently_banned"


async def test_n09_a_modified_decision_makes_the_fifth_and_its_preview_says_so(service: Service) -> None:
    main, alts, charge = await four_of_five(service)
    appeal = (await file(service, main, charge))["appeal_id"]
    named: dict[str, Any] = {"sanctions": [{"kind": "ban", "days": 3}], "strike": True}
    shown = await service.senior.post(f"/v1/appeals/{appeal}/preview", {"outcome": "modified", **named}, expect=200)
    assert shown["after"]["ip_banned"]
    done = await decide(service, appeal, "modified", **named)
    assert done["changes"] == shown["changes"]
    assert await ip_banned(service, [main, *alts]) == [True] * 5


async def test_n09_two_bans_at_once_that_make_the_fourth_and_the_fifth_are_five(pair: tuple[Service, Service]) -> None:
    """Neither may count on the other account being free still: who comes second decides again, on the new count."""
    for number in range(ROUNDS):
        one, two = pair if number % 2 else reversed(pair)
        main, alts, charge = await four_of_five(one)
        await adjust(one, charge, alts[0], WARNING)
        await asyncio.gather(adjust(one, charge, alts[0], PERMANENT), two.issue(main, "malicious-afk"))
        assert await ip_banned(one, [main, *alts]) == [True] * 5, f"round {number}"


async def test_an_alt_charged_in_two_incidents_is_free_when_both_fell(service: Service) -> None:
    """I-34: overturning the first leaves what the second imposed."""
    main, alt = fresh(), fresh("alt")
    charges = [(await service.issue(main, offense("multiple-accounts", alts=[alt])))["incident_id"] for _ in range(2)]
    for charge, status in zip(charges, ("permanently_banned", "good"), strict=True):
        appeal = (await file(service, main, charge))["appeal_id"]
        assert (await decide(service, appeal))["freed"] == [alt]
        assert (await service.standing(alt))["status"] == status


async def test_an_alts_own_sanction_is_read_explained_stated_and_adjusted(service: Service) -> None:
    """I-20, I-30: what an incident imposed on the alt is asked for with the alt's id; without, it is about the main account."""
    main, alt = fresh(), fresh("alt")
    await service.issue(main, "cheating")
    charge = (await service.issue(main, offense("multiple-accounts", alts=[alt])))["incident_id"]
    path = f"/v1/incidents/{charge}"
    shown = await service.senior.get(path, player_id=alt)
    assert (shown["player_id"], shown["linked_to"], [s["kind"] for s in shown["sanctions"]]) == (alt, main, ["permanent_ban"])
    assert (await service.senior.get(path))["sanctions"] == []
    told = await service.game.get(f"{path}/statement", player_id=alt)
    assert (told["player_id"], [s["kind"] for s in told["sanctions"]]) == (alt, ["permanent_ban"])
    assert main not in str(told.body)
    why = await service.senior.get(f"{path}/explanation", player_id=alt)
    assert why["sanctions"][0]["why"] == [f"An alt of {main} (I-13)."]
    done = await adjust(service, charge, alt, {**PERMANENT, "sanctions": [{"kind": "ban", "days": 2}]})
    assert (done["player_id"], done["standing"]["status"], done["strike"]) == (alt, "banned", None)
    assert (await service.senior.get(path, player_id=alt))["adjustments"][0]["adjustment_id"] == done["adjustment_id"]
    await service.head.refused("invalid_request", f"{path}/adjustments", {**PERMANENT, "strike": True, "player_id": alt})
    for stranger in (fresh(), "no-such-player"):
        assert (await service.senior.get(path, player_id=stranger, expect=404))["code"] == "not_found"
        await service.head.refused("not_found", f"{path}/adjustments", {**PERMANENT, "player_id": stranger})
    whole = (await file(service, main, charge))["appeal_id"]  # I-31: who adjusted it on the alt has adjusted it
    await service.head.refused("conflict_of_interest", f"/v1/appeals/{whole}/preview", {"outcome": "upheld"})
    await service.staff["head_admin_b"].post(f"/v1/appeals/{whole}/preview", {"outcome": "upheld"}, expect=200)
    filed = await service.game.post(
        "/v1/appeals", {"player_id": alt, "adjustment_id": done["adjustment_id"], "grounds": "It is my sister's."}, expect=201
    )
    assert (await service.senior.get(f"/v1/appeals/{filed['appeal_id']}"))["player_id"] == alt
