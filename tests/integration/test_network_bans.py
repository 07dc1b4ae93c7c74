"""Network bans over HTTP and PostgreSQL: what is shown, to whom, and what is kept (contract, "Incidents and sanctions")."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from tests.support.app import Answer, Service, iso, serving
from tests.support.database import Database, run

RANGE = "203.0.113.0/24"
REASON = {"reason": "canary-reason"}


@pytest.fixture
async def service(database: Database) -> AsyncIterator[Service]:
    async with serving(database) as running:
        yield running


async def ban(service: Service, network: str, *, expect: int = 201, **more: Any) -> Answer:
    return await service.head.post("/v1/network-bans", {"network": network, **REASON, **more}, expect=expect)


async def listed(service: Service) -> list[Any]:
    return list((await service.head.get("/v1/network-bans"))["items"])


async def test_a_network_ban_is_shown_as_it_was_made(service: Service) -> None:
    made = (await ban(service, RANGE)).body
    assert made == {
        "network_ban_id": made["network_ban_id"], "source": "network", "network": RANGE, "reason": "canary-reason", "networks": 1,
        "incident_id": None, "player_id": None, "created_at": iso(service.clock.now()), "created_by": "head-1", "ends_at": None,
        "state": "active", "lifted": None, "exemptions": [], "version": 1, "position": made["position"],
    }  # fmt: skip
    del made["position"]
    assert await listed(service) == [made]


async def test_nobody_exempts_their_own_account(service: Service) -> None:
    """Contract: `conflict_of_interest`; another Head Admin may."""
    path = f"/v1/network-bans/{(await ban(service, RANGE))['network_ban_id']}/exemptions"
    own = {"player_id": "head-1-player", **REASON}
    await service.head.refused("conflict_of_interest", path, own, expect=403)
    await service.staff["head_admin_b"].post(path, own, expect=201)


async def test_a_ban_of_the_past_or_of_more_than_ten_years_is_refused(service: Service) -> None:
    now = service.clock.now()
    for ends_at, code in ((now, "invalid_request"), (now + timedelta(days=3650, seconds=1), "duration_too_long")):
        refused = await ban(service, RANGE, ends_at=iso(ends_at), expect=422)
        assert (refused["code"], refused["errors"][0]["field"]) == (code, "ends_at")
    assert (await ban(service, RANGE, ends_at="9999-12-31T23:59:59Z", expect=422))["code"] == "duration_too_long"
    await ban(service, RANGE, ends_at=iso(now + timedelta(days=3650)))


async def test_lifting_twice_records_one_event_and_a_stale_version_is_refused(service: Service) -> None:
    path = f"/v1/network-bans/{(await ban(service, RANGE))['network_ban_id']}/lift"
    assert (await service.head.post(path, REASON, expect=412, headers={"If-Match": '"2"'}))["code"] == "stale_version"
    lifted = await service.staff["head_admin_b"].post(path, REASON, expect=200, headers={"If-Match": '"1"'})
    assert (lifted["state"], lifted["version"]) == ("lifted", 2)
    assert lifted["lifted"] == {"at": iso(service.clock.now()), "by": "head-2", "reason": "canary-reason"}
    again = await service.head.post(path, {"reason": "Again."}, expect=200)
    assert again.body == {**lifted.body, "position": None}


async def test_only_head_admins_touch_network_bans(service: Service) -> None:
    """L13: 403 before anything is looked up."""
    path = f"/v1/network-bans/{(await ban(service, RANGE))['network_ban_id']}"
    calls: list[tuple[str, str, Any]] = [
        ("POST", "/v1/network-bans", {"network": RANGE, **REASON}),
        ("GET", "/v1/network-bans", None),
        ("POST", f"{path}/lift", REASON),
        ("POST", f"{path}/exemptions", {"player_id": "p1", **REASON}),
    ]
    others = [(service.admin, "head_admin_required"), (service.senior, "head_admin_required")]
    others += [(service.auditor, "forbidden"), (service.game, "forbidden")]
    for method, where, body in calls:
        for who, code in others:
            assert (await who.call(method, where, body, expect=403))["code"] == code
    unknown = "/v1/network-bans/01890a5d-ac96-774b-bcce-b302099a8057"
    await service.head.refused("not_found", f"{unknown}/lift", REASON, expect=404)
    await service.head.refused("not_found", f"{unknown}/exemptions", {"player_id": "p1", **REASON}, expect=404)


async def test_the_list_is_paged_newest_first(service: Service) -> None:
    """G01: stable while others write."""
    made = []
    for number in range(5):
        made.append((await ban(service, f"203.0.113.{number}"))["network_ban_id"])
        service.clock.turn(seconds=number % 2)  # some of one moment
    seen: list[str] = []
    more: dict[str, Any] = {}
    while True:
        page = await service.head.get("/v1/network-bans", limit=2, **more)
        seen += [item["network_ban_id"] for item in page["items"]]
        if page["next_cursor"] is None:
            break
        more = {"cursor": page["next_cursor"]}
        await ban(service, f"198.51.100.{len(seen)}")
    assert seen == made[::-1]


async def test_neither_networks_nor_reasons_are_kept_in_clear_and_what_was_answered_is_answered_again(service: Service, database: Database) -> None:
    """Architecture, "Personal data": also under idempotency keys and in the list's rows; a replay after erasure gives null."""
    body, head = {"network": RANGE, **REASON}, service.head
    keys = [{"Idempotency-Key": f"k{number}"} for number in range(3)]
    first = await head.post("/v1/network-bans", body, expect=201, headers=keys[0])
    path = f"/v1/network-bans/{first['network_ban_id']}"
    words = {"player_id": "p1", "reason": "canary-of-p1"}
    freed = await head.post(f"{path}/exemptions", words, expect=201, headers=keys[1])
    lifted = await head.post(f"{path}/lift", REASON, expect=200, headers=keys[2])
    assert (await head.post("/v1/network-bans", body, expect=201, headers=keys[0])).body == first.body
    assert (await head.post(f"{path}/exemptions", words, expect=201, headers=keys[1])).body == freed.body
    assert (await head.post(f"{path}/lift", REASON, expect=200, headers=keys[2])).body == lifted.body
    for table, column in (("events", "payload"), ("idempotency", "reply"), ("network_ban_list", "body"), ("outbox", "data")):
        rows = await asyncio.to_thread(run, database.superuser, f"SELECT convert_from({column}, 'UTF8') FROM {table}")  # noqa: S608
        text = json.dumps([row[0] for row in rows])
        assert "canary" not in text
        assert "203.0.113" not in text
    await asyncio.to_thread(run, database.superuser, "DELETE FROM data_keys WHERE subject = 'p1'")
    (shown,) = await listed(service)
    assert (shown["network"], shown["exemptions"][0]["reason"]) == (RANGE, None)
    assert (await head.post(f"{path}/exemptions", words, expect=201, headers=keys[1]))["exemptions"][0]["reason"] is None
