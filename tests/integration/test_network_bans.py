"""Networks over HTTP and PostgreSQL: who is barred from where, from when, until when (I-12 to I-14, N01 to N09)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from services.commands.seeding import GAME_SERVER
from shared.eventstore.postgres import PostgresEventStore
from tests.support.database import Database, run
from tests.support.live import Live, live

ADDRESS, RANGE = "203.0.113.7", "203.0.113.0/24"
REASON = {"reason": "canary-reason"}


@pytest.fixture
async def service(database: Database) -> AsyncIterator[Live]:
    async with live(database) as running:
        yield running


async def ban(service: Live, network: str, *, expect: int = 201, **more: Any) -> Any:
    return await service.post("/v1/network-bans", {"network": network, **REASON, **more}, expect=expect)


async def listed(service: Live) -> list[Any]:
    return list((await service.get("/v1/network-bans"))["items"])


async def ends(service: Live, **ahead: float) -> str:
    return (service.clock.now() + timedelta(**ahead)).isoformat().replace("+00:00", "Z")


async def test_a_network_ban_is_shown_as_it_was_made(service: Live) -> None:
    made = await ban(service, RANGE)
    assert made == {
        "network_ban_id": made["network_ban_id"], "source": "network", "network": RANGE, "reason": "canary-reason", "networks": 1,
        "incident_id": None, "player_id": None, "created_at": made["created_at"], "created_by": "head-1", "ends_at": None,
        "state": "active", "lifted": None, "exemptions": [], "version": 1, "position": made["position"],
    }  # fmt: skip
    del made["position"]
    assert await listed(service) == [made]


async def test_n01_a_ban_and_a_check_know_one_form_of_an_address(service: Live) -> None:
    spellings = (ADDRESS, "::ffff:203.0.113.7", "::ffff:cb00:7107", "0:0:0:0:0:FFFF:203.0.113.7")
    for notation in spellings:
        made = await ban(service, notation)
        assert made["network"] == "203.0.113.7/32"
        for seen in spellings:
            check = await service.access("p1", seen)
            assert [reason["code"] for reason in check["reasons"]] == ["ip_banned"]
        await service.post(f"/v1/network-bans/{made['network_ban_id']}/lift", REASON)
    assert await service.allowed("p1", "203.0.113.8")


async def test_n02_an_ipv6_ban_covers_the_line_and_not_the_next(service: Live) -> None:
    await ban(service, "2001:db8:1:2::5")
    assert not await service.allowed("p1", "2001:db8:1:2:ffff::9")
    assert await service.allowed("p1", "2001:db8:1:3::5")
    assert not await service.allowed("p1", "2001:0DB8:0001:0002:0:0:0:5")


async def test_n04_a_range_over_a_banned_address_is_another_ban_and_the_same_range_again_is_not(service: Live) -> None:
    inside, around = await ban(service, ADDRESS), await ban(service, RANGE)
    again = await ban(service, RANGE, expect=200, reason="Another reason.")
    assert inside["network_ban_id"] != around["network_ban_id"]
    assert again == {**around, "position": None}
    until = await ends(service, days=2)
    other = await ban(service, RANGE, ends_at=until)
    assert other["network_ban_id"] not in {inside["network_ban_id"], around["network_ban_id"]}
    assert (await ban(service, RANGE, ends_at=until, expect=200))["network_ban_id"] == other["network_ban_id"]
    assert len(await listed(service)) == 3
    for made in (inside, around, other):
        assert not await service.allowed("p1", ADDRESS)
        await service.post(f"/v1/network-bans/{made['network_ban_id']}/lift", REASON)
    assert await service.allowed("p1", ADDRESS)
    fresh = await ban(service, RANGE)  # the ban that said so is over
    assert fresh["network_ban_id"] != around["network_ban_id"]


async def test_n04_who_bans_the_same_network_at_once_makes_one_ban(service: Live) -> None:
    body = {"network": RANGE, **REASON}
    made = await asyncio.gather(*(service.client.post("/v1/network-bans", json=body, headers=head) for head in heads(service, 8)))
    assert sorted(reply.status_code for reply in made) == [200] * 7 + [201]
    assert len({reply.json()["network_ban_id"] for reply in made}) == 1


async def test_n04_two_processes_that_ban_the_same_network_at_once_make_one_ban(service: Live, database: Database) -> None:
    """The register of the network decides, whoever writes."""
    async with live(database) as second:
        body = {"network": RANGE, **REASON}
        asked = [where.client.post("/v1/network-bans", json=body, headers=head) for head in heads(second, 4) for where in (service, second)]
        made = await asyncio.gather(*asked)
    assert sorted(reply.status_code for reply in made) == [200] * 7 + [201]


def heads(service: Live, count: int) -> list[dict[str, str]]:
    return [{"Authorization": f"Bearer {service.tokens['head-1' if n % 2 else 'head-2']}"} for n in range(count)]


async def test_n05_odd_and_oversized_networks_are_refused_and_leave_nothing(service: Live) -> None:
    before = await service.resources.get(PostgresEventStore).head()
    for network in ("203.0.113.7/24", " 203.0.113.7", "010.0.0.1", "1.2.3", "fe80::1%eth0", "0.0.0.0/0", "10.0.0.0/15", "2001:db8::/31"):
        refused = await ban(service, network, expect=422)
        assert (refused["code"], refused["errors"][0]["field"]) == ("invalid_network", "network")
    assert await service.resources.get(PostgresEventStore).head() == before
    assert await listed(service) == []


async def test_n06_an_exemption_frees_one_account_at_once_and_is_recorded(service: Live) -> None:
    made = await ban(service, RANGE)
    path = f"/v1/network-bans/{made['network_ban_id']}/exemptions"
    assert not await service.allowed("roommate", ADDRESS)
    assert await service.allowed("roommate", "198.51.100.1")
    done = await service.post(path, {"player_id": "roommate", "reason": "A roommate."}, expect=201)
    (exemption,) = done["exemptions"]
    assert (exemption["player_id"], exemption["created_by"], exemption["reason"], done["version"]) == ("roommate", "head-1", "A roommate.", 2)
    assert await service.allowed("roommate", ADDRESS)
    assert not await service.allowed("stranger", ADDRESS)
    standing = await service.standing("roommate")
    assert (standing["status"], standing["strikes"], standing["version"]) == ("good", 0, 0)
    again = await service.post(path, {"player_id": "roommate", "reason": "Again."}, expect=200)
    assert again == {**done, "position": None}
    assert (await listed(service))[0]["exemptions"] == done["exemptions"]


async def test_n06_an_exemption_from_an_incidents_ip_ban_works_too(service: Live) -> None:
    await service.access("banned", ADDRESS)
    await service.issue("banned", "doxing")
    (shown,) = await listed(service)
    assert (shown["source"], shown["player_id"], shown["networks"], shown["network"], shown["version"]) == ("incident", "banned", 1, None, 0)
    path = f"/v1/network-bans/{shown['network_ban_id']}"
    done = await service.post(f"{path}/exemptions", {"player_id": "brother", "reason": "A brother."}, expect=201, If_Match='"0"')
    assert (done["version"], done["source"], done["exemptions"][0]["reason"]) == (1, "incident", "A brother.")
    assert await service.allowed("brother", ADDRESS)
    assert not await service.allowed("banned", ADDRESS)
    assert not await service.allowed("stranger", ADDRESS)
    refused = await service.post(f"{path}/lift", REASON, expect=409)
    assert (refused["code"], refused["allowed"]) == ("invalid_transition", [f"/v1/incidents/{shown['incident_id']}/ip-ban/lift"])
    await service.post(refused["allowed"][0], REASON)
    (after,) = await listed(service)
    assert (after["state"], [item["player_id"] for item in after["exemptions"]]) == ("lifted", ["brother"])
    await service.post(f"{path}/exemptions", {"player_id": "sister", "reason": "Late."}, expect=409)


async def test_n06_nobody_exempts_their_own_account(service: Live) -> None:
    made = await ban(service, RANGE)
    path = f"/v1/network-bans/{made['network_ban_id']}/exemptions"
    refused = await service.post(path, {"player_id": "head-1-player", "reason": "Me."}, expect=403)
    assert refused["code"] == "conflict_of_interest"
    await service.post(path, {"player_id": "head-1-player", "reason": "Theirs."}, as_="head-2", expect=201)


async def test_n07_lowering_an_ip_ban_to_seven_days_frees_the_networks_and_then_the_account(service: Live) -> None:
    await service.access("p1", ADDRESS)
    done = await service.issue("p1", "doxing")
    path = f"/v1/incidents/{done['incident_id']}/adjustments"
    await service.post(path, {"sanctions": [{"kind": "ban", "days": 7}], "strike": True, **REASON}, expect=201)
    assert await service.allowed("stranger", ADDRESS)
    assert not await service.allowed("p1", "198.51.100.1")
    service.clock.by = timedelta(days=7)
    assert await service.allowed("p1", ADDRESS)
    assert [shown["state"] for shown in await listed(service)] == ["lifted"]


async def test_n07_of_two_punishments_that_share_a_network_each_bars_it_alone(service: Live) -> None:
    for player in ("p1", "p2"):
        await service.access(player, ADDRESS)
    ids = [(await service.issue(player, "wagering"))["incident_id"] for player in ("p1", "p2")]
    own = await ban(service, RANGE)
    for path in (*(f"/v1/incidents/{incident_id}/ip-ban/lift" for incident_id in ids), f"/v1/network-bans/{own['network_ban_id']}/lift"):
        assert not await service.allowed("stranger", ADDRESS)
        await service.post(path, REASON)
    assert await service.allowed("stranger", ADDRESS)


async def test_n08_a_header_neither_bars_nor_frees(service: Live) -> None:
    await ban(service, ADDRESS)
    for claim in (ADDRESS, "198.51.100.1", "garbage, ,;"):
        spoofed = {"X_Forwarded_For": claim, "Forwarded": f"for={claim}", "X_Real_IP": claim}
        assert (await service.access("p1", "198.51.100.2", **spoofed))["allowed"]
        assert not (await service.access("p1", ADDRESS, **spoofed))["allowed"]


async def test_n09_five_linked_accounts_banned_at_once_get_one_ip_ban_each_and_repeats_count_nothing(service: Live) -> None:
    """I-13: the main account is one of the five."""
    accounts = ["main", "alt-1", "alt-2", "alt-3", "alt-4"]
    await service.issue("main", "cheating")
    for number, account in enumerate(accounts):
        await service.access(account, f"198.51.100.{number}")
    await service.issue("main", "multiple-accounts", alts=accounts[1:4])
    end = (await service.standing("main"))["ban"]["ends_at"]
    for _ in range(10):
        await service.access("alt-3", "198.51.100.3")
    body = {"player_id": "main", "offenses": [{"infraction": "multiple-accounts", "alts": ["alt-3"]}]}
    await service.post("/v1/incidents", body, as_="admin-1", expect=201)
    assert (await service.standing("main"))["ban"]["ends_at"] == end
    assert await listed(service) == []
    fifth = {"player_id": "main", "offenses": [{"infraction": "multiple-accounts", "alts": ["alt-4"]}]}
    first = await service.post("/v1/incidents", fifth, as_="admin-1", expect=201, Idempotency_Key="fifth")
    assert await service.post("/v1/incidents", fifth, as_="admin-1", expect=201, Idempotency_Key="fifth") == first
    shown = await listed(service)
    assert sorted(item["player_id"] for item in shown) == sorted(accounts)
    for number, account in enumerate(accounts):
        assert (await service.standing(account))["ip_banned"]
        assert not await service.allowed("stranger", f"198.51.100.{number}")


async def test_d01_a_network_ban_ends_by_itself(service: Live) -> None:
    made = await ban(service, RANGE, ends_at=await ends(service, days=2))
    assert (await service.access("p1", ADDRESS))["reasons"] == [{"code": "ip_banned", "ends_at": made["ends_at"], "incident_id": None}]
    service.clock.by = timedelta(days=2)
    assert await service.allowed("p1", ADDRESS)
    (shown,) = await listed(service)
    assert (shown["state"], shown["lifted"]) == ("expired", None)
    done = await service.post(f"/v1/network-bans/{made['network_ban_id']}/lift", REASON)
    assert (done["state"], done["position"]) == ("expired", None)


async def test_a_ban_of_the_past_or_of_more_than_ten_years_is_refused(service: Live) -> None:
    assert (await ban(service, RANGE, ends_at=await ends(service, seconds=-1), expect=422))["code"] == "invalid_request"
    assert (await ban(service, RANGE, ends_at=await ends(service, days=3651), expect=422))["code"] == "duration_too_long"
    assert (await ban(service, RANGE, ends_at="9999-12-31T23:59:59Z", expect=422))["code"] == "duration_too_long"


async def test_lifting_twice_records_one_event_and_a_stale_version_is_refused(service: Live) -> None:
    made = await ban(service, RANGE)
    path = f"/v1/network-bans/{made['network_ban_id']}/lift"
    assert (await service.post(path, REASON, expect=412, If_Match='"2"'))["code"] == "stale_version"
    lifted = await service.post(path, REASON, as_="head-2", If_Match='"1"')
    assert (lifted["state"], lifted["lifted"]["by"], lifted["lifted"]["reason"], lifted["version"]) == ("lifted", "head-2", "canary-reason", 2)
    again = await service.post(path, {"reason": "Again."})
    assert again == {**lifted, "position": None}


async def test_only_head_admins_touch_network_bans(service: Live) -> None:
    """L13: 403 before anything is looked up."""
    made = await ban(service, RANGE)
    path = f"/v1/network-bans/{made['network_ban_id']}"
    calls: list[tuple[str, str, Any]] = [
        ("POST", "/v1/network-bans", {"network": ADDRESS, **REASON}),
        ("GET", "/v1/network-bans", None),
        ("POST", f"{path}/lift", REASON),
        ("POST", f"{path}/exemptions", {"player_id": "p1", **REASON}),
    ]
    others = {"admin-1": "head_admin_required", "senior-1": "head_admin_required", "auditor-1": "forbidden", GAME_SERVER: "forbidden"}
    for method, where, body in calls:
        for who, code in others.items():
            assert (await service.ask(method, where, body, as_=who, expect=403))["code"] == code
    unknown = "/v1/network-bans/01890a5d-ac96-774b-bcce-b302099a8057"
    assert (await service.post(f"{unknown}/lift", REASON, expect=404))["code"] == "not_found"
    assert (await service.post(f"{unknown}/exemptions", {"player_id": "p1", **REASON}, expect=404))["code"] == "not_found"


async def test_the_list_is_paged_newest_first(service: Live) -> None:
    """G01: stable while others write."""
    made = [(await ban(service, f"203.0.113.{number}"))["network_ban_id"] for number in range(5)]
    seen: list[str] = []
    cursor = ""
    while True:
        page = await service.get(f"/v1/network-bans?limit=2{cursor}")
        seen += [item["network_ban_id"] for item in page["items"]]
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
        await ban(service, f"198.51.100.{len(seen)}")
    assert seen == made[::-1]


async def test_neither_networks_nor_reasons_are_kept_in_clear_and_what_was_answered_is_answered_again(service: Live, database: Database) -> None:
    """Architecture, "Personal data": also under idempotency keys and in the list's rows; a replay after erasure gives null."""
    body = {"network": RANGE, **REASON}
    first = await service.post("/v1/network-bans", body, expect=201, Idempotency_Key="k1")
    path = f"/v1/network-bans/{first['network_ban_id']}"
    words = {"player_id": "p1", "reason": "canary-of-p1"}
    freed = await service.post(f"{path}/exemptions", words, expect=201, Idempotency_Key="k2")
    lifted = await service.post(f"{path}/lift", REASON, Idempotency_Key="k3")
    assert await service.post("/v1/network-bans", body, expect=201, Idempotency_Key="k1") == first
    assert await service.post(f"{path}/exemptions", words, expect=201, Idempotency_Key="k2") == freed
    assert await service.post(f"{path}/lift", REASON, Idempotency_Key="k3") == lifted
    for table, column in (("events", "payload"), ("idempotency", "reply"), ("network_ban_list", "body"), ("outbox", "data")):
        rows = await asyncio.to_thread(run, database.superuser, f"SELECT convert_from({column}, 'UTF8') FROM {table}")  # noqa: S608
        text = json.dumps([row[0] for row in rows])
        assert "canary" not in text
        assert "203.0.113" not in text
    await asyncio.to_thread(run, database.superuser, "DELETE FROM data_keys WHERE subject = 'p1'")
    (shown,) = await listed(service)
    assert (shown["network"], shown["exemptions"][0]["reason"]) == (RANGE, None)
    assert (await service.post(f"{path}/exemptions", words, expect=201, Idempotency_Key="k2"))["exemptions"][0]["reason"] is None
