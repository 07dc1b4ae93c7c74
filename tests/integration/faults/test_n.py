"""Faults N01 to N09 of the field: networks, and D01 for them, over HTTP on PostgreSQL."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from itertools import count
from typing import Any

import pytest

from tests.support.app import Answer, Caller, Service, fresh, incident, iso, offense, serving
from tests.support.database import Database

pytestmark = pytest.mark.asyncio(loop_scope="module")

REASON = {"reason": "A shared line."}
_blocks = count(1)


def block() -> str:
    """The first three numbers of a /24 that no other test uses."""
    number = next(_blocks)
    return f"10.{number // 250 + 1}.{number % 250 + 1}"


def spellings(address: str) -> tuple[str, ...]:
    a, b, c, d = (int(part) for part in address.split("."))
    return address, f"::ffff:{address}", f"::ffff:{a:02x}{b:02x}:{c:02x}{d:02x}", f"0:0:0:0:0:FFFF:{address}"


async def ban(service: Service, network: str, *, expect: int = 201, by: Caller | None = None, **more: Any) -> Answer:
    return await (by or service.head).post("/v1/network-bans", {"network": network, **REASON, **more}, expect=expect)


async def lift(service: Service, made: Answer) -> Answer:
    return await service.head.post(f"/v1/network-bans/{made['network_ban_id']}/lift", REASON, expect=200)


async def allowed(service: Service, address: str, player: str = "") -> bool:
    return bool((await service.access(player or fresh("stranger"), address))["allowed"])


async def bans_of(service: Service, *players: str) -> list[Any]:
    """The IP bans of these accounts in the list."""
    items = (await service.head.get("/v1/network-bans", limit=200))["items"]
    return [item for item in items if item["player_id"] in players]


async def test_n01_a_ban_and_a_check_know_one_form_of_an_address(service: Service) -> None:
    address = f"{block()}.7"
    for notation in spellings(address):
        made = await ban(service, notation)
        assert made["network"] == f"{address}/32"
        for seen in spellings(address):
            assert [reason["code"] for reason in (await service.access(fresh(), seen))["reasons"]] == ["ip_banned"]
        await lift(service, made)
    assert await allowed(service, address)


async def test_n01_an_incidents_ip_ban_knows_the_same_form(service: Service) -> None:
    player, address = fresh(), f"{block()}.7"
    await service.access(player, spellings(address)[2])
    await service.issue(player, "doxing")
    assert [await allowed(service, seen) for seen in spellings(address)] == [False] * 4


async def test_n02_an_ipv6_ban_covers_the_line_and_not_the_next(service: Service) -> None:
    player = fresh()
    await service.access(player, "2001:db8:1:2::5")
    await service.issue(player, "doxing")
    assert not await allowed(service, "2001:db8:1:2:ffff::9")
    assert not await allowed(service, "2001:0DB8:0001:0002:0:0:0:5")
    assert await allowed(service, "2001:db8:1:3::5")
    await ban(service, "2001:db8:7::5")
    assert [await allowed(service, f"2001:db8:7:{line}::9") for line in ("0", "1")] == [False, True]


async def test_n04_a_range_over_a_banned_address_is_another_ban(service: Service) -> None:
    net = block()
    inside, around = await ban(service, f"{net}.9"), await ban(service, f"{net}.0/24")
    assert inside["network_ban_id"] != around["network_ban_id"]
    for made in (inside, around):
        assert not await allowed(service, f"{net}.9")
        await lift(service, made)
    assert await allowed(service, f"{net}.9")


async def test_n04_the_same_network_with_the_same_end_is_one_ban(service: Service) -> None:
    """Exact means network and end; another end is a ban of its own, and so is one after the first is over."""
    network = f"{block()}.0/24"
    first = await ban(service, network)
    assert (await ban(service, network, expect=200, reason="Another reason.")).body == {**first.body, "position": None}
    until = iso(service.clock.now() + timedelta(days=365))
    other = await ban(service, network, ends_at=until)
    assert other["network_ban_id"] != first["network_ban_id"]
    assert (await ban(service, network, ends_at=until, expect=200))["network_ban_id"] == other["network_ban_id"]
    await lift(service, first)
    assert (await ban(service, network))["network_ban_id"] != first["network_ban_id"]


async def test_n04_who_bans_the_same_network_at_once_makes_one_ban(service: Service) -> None:
    network = f"{block()}.0/24"
    callers = (service.head, service.staff["head_admin_b"]) * 4
    made = await asyncio.gather(*(by.post("/v1/network-bans", {"network": network, **REASON}) for by in callers))
    assert sorted(answer.status for answer in made) == [200] * 7 + [201]
    assert len({answer["network_ban_id"] for answer in made}) == 1


async def test_n05_odd_and_oversized_networks_are_refused_and_leave_nothing(service: Service) -> None:
    before = await service.store.head()
    for network in ("203.0.113.7/24", " 203.0.113.7", "010.0.0.1", "1.2.3", "fe80::1%eth0", "0.0.0.0/0", "10.0.0.0/15", "2001:db8::/31"):
        refused = await service.head.refused("invalid_network", "/v1/network-bans", {"network": network, **REASON})
        assert (refused.status, refused["errors"][0]["field"]) == (422, "network")
    assert await service.store.head() == before


async def test_n06_an_exemption_frees_one_account_at_once_and_is_recorded(service: Service) -> None:
    address, roommate = f"{block()}.7", fresh()
    made = await ban(service, address)
    path = f"/v1/network-bans/{made['network_ban_id']}/exemptions"
    assert not await allowed(service, address, roommate)
    assert await allowed(service, f"{block()}.7", roommate)
    done = await service.head.post(path, {"player_id": roommate, "reason": "A roommate."}, expect=201)
    (exemption,) = done["exemptions"]
    assert (exemption["player_id"], exemption["created_by"], exemption["reason"]) == (roommate, "head-1", "A roommate.")
    assert (await allowed(service, address, roommate), await allowed(service, address)) == (True, False)
    standing = await service.standing(roommate)
    assert (standing["status"], standing["strikes"], standing["version"]) == ("good", 0, 0)
    again = await service.head.post(path, {"player_id": roommate, "reason": "Again."}, expect=200)
    assert again.body == {**done.body, "position": None}


async def test_n06_an_exemption_from_an_incidents_ip_ban_works_too(service: Service) -> None:
    """It has the sanction's id; it is lifted on its incident, and its exemptions stay on record."""
    player, brother, address = fresh(), fresh(), f"{block()}.7"
    await service.access(player, address)
    await service.issue(player, "doxing")
    (shown,) = await bans_of(service, player)
    assert (shown["source"], shown["networks"], shown["network"], shown["version"]) == ("incident", 1, None, 0)
    path = f"/v1/network-bans/{shown['network_ban_id']}"
    done = await service.head.post(f"{path}/exemptions", {"player_id": brother, **REASON}, expect=201, headers={"If-Match": '"0"'})
    assert (done["version"], done["source"], done["exemptions"][0]["reason"]) == (1, "incident", REASON["reason"])
    assert [await allowed(service, address, who) for who in (brother, player, fresh())] == [True, False, False]
    refused = await service.head.refused("invalid_transition", f"{path}/lift", REASON)
    assert refused["allowed"] == [f"/v1/incidents/{shown['incident_id']}/ip-ban/lift"]
    await service.head.post(refused["allowed"][0], REASON, expect=200)
    (after,) = await bans_of(service, player)
    assert (after["state"], [item["player_id"] for item in after["exemptions"]]) == ("lifted", [brother])
    await service.head.refused("invalid_transition", f"{path}/exemptions", {"player_id": fresh(), **REASON})


async def test_n07_lowering_an_ip_ban_to_seven_days_frees_the_networks_and_then_the_account(service: Service) -> None:
    player, address = fresh(), f"{block()}.7"
    await service.access(player, address)
    done = await service.issue(player, "doxing")
    await service.adjust(done["incident_id"], {"kind": "ban", "days": 7})
    assert await allowed(service, address)
    assert not await allowed(service, f"{block()}.7", player)
    service.clock.turn(days=7)
    assert await allowed(service, address, player)
    assert [shown["state"] for shown in await bans_of(service, player)] == ["lifted"]


async def test_n07_of_several_bans_that_share_a_network_each_bars_it_alone(service: Service) -> None:
    players, address = (fresh(), fresh()), f"{block()}.7"
    for player in players:
        await service.access(player, address)
    ids = [(await service.issue(player, "wagering"))["incident_id"] for player in players]
    own = (await ban(service, address))["network_ban_id"]
    for path in (*(f"/v1/incidents/{incident_id}/ip-ban/lift" for incident_id in ids), f"/v1/network-bans/{own}/lift"):
        assert not await allowed(service, address)
        await service.head.post(path, REASON, expect=200)
    assert await allowed(service, address)


async def test_n08_a_header_neither_bars_nor_frees(service: Service) -> None:
    barred, free = f"{block()}.7", f"{block()}.7"
    await ban(service, barred)
    for claim in (barred, free, "garbage, ,;"):
        spoofed = {"X-Forwarded-For": claim, "Forwarded": f"for={claim}", "X-Real-IP": claim}
        for ip, right in ((free, True), (barred, False)):
            check = await service.game.post("/v1/access-checks", {"player_id": fresh(), "ip": ip}, expect=200, headers=spoofed)
            assert check["allowed"] is right


async def test_n09_five_linked_accounts_banned_at_once_get_one_ip_ban_each_and_repeats_count_nothing(service: Service) -> None:
    """I-13: the main account is one of the five; ten logins, the same alt again and a repeated request add nothing."""
    main, *alts = accounts = [fresh() for _ in range(5)]
    addresses = [f"{block()}.7" for _ in accounts]
    await service.issue(main, "cheating")
    for account, address in zip(accounts, addresses, strict=True):
        await service.access(account, address)
    await service.issue(main, offense("multiple-accounts", alts=alts[:3]))
    end = (await service.standing(main))["ban"]["ends_at"]
    for _ in range(10):
        await service.access(alts[2], addresses[3])
    await service.issue(main, offense("multiple-accounts", alts=[alts[2]]))
    assert (await service.standing(main))["ban"]["ends_at"] == end
    assert await bans_of(service, *accounts) == []
    fifth, key = incident(main, offense("multiple-accounts", alts=[alts[3]])), {"Idempotency-Key": f"fifth-{main}"}
    first, again = [await service.admin.post("/v1/incidents", fifth, expect=201, headers=key) for _ in range(2)]
    assert first.body == again.body
    assert sorted(shown["player_id"] for shown in await bans_of(service, *accounts)) == sorted(accounts)
    for account, address in zip(accounts, addresses, strict=True):
        assert (await service.standing(account))["ip_banned"]
        assert not await allowed(service, address)


async def test_d01_a_network_ban_ends_by_itself(service: Service) -> None:
    """Nothing runs: the end and the moment asked decide."""
    address = f"{block()}.7"
    made = await ban(service, address, ends_at=iso(service.clock.now() + timedelta(days=2)))
    assert (await service.access(fresh(), address))["reasons"] == [{"code": "ip_banned", "ends_at": made["ends_at"], "incident_id": None}]
    service.clock.turn(days=2)
    assert await allowed(service, address)
    over = await lift(service, made)
    assert (over["state"], over["lifted"], over["position"]) == ("expired", None, None)


@pytest.mark.asyncio(loop_scope="function")
async def test_n04_two_processes_that_ban_the_same_network_at_once_make_one_ban(database: Database) -> None:
    """The register of the network decides, whoever writes."""
    async with serving(database) as one, serving(database, one.clock, tokens=one.tokens) as two:
        body = {"network": "203.0.113.0/24", **REASON}
        made = await asyncio.gather(*(where.head.post("/v1/network-bans", body) for where in (one, two) * 4))
    assert sorted(answer.status for answer in made) == [200] * 7 + [201]
