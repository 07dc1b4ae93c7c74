"""Faults N07 and N09 of the field: whom the IP ban of five linked accounts falls on, and that none outlives what imposed it (I-13, I-34)."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from tests.support.app import Service, fresh, offense
from tests.support.appealing import overturn

pytestmark = pytest.mark.asyncio(loop_scope="module")

REASON = {"reason": "A shared line."}
_lines = count(1)


async def bans_of(service: Service, *players: str) -> list[Any]:
    """The IP bans of these accounts in the list."""
    items = (await service.head.get("/v1/network-bans", limit=200))["items"]
    return [item for item in items if item["player_id"] in players]


async def five_at_once(service: Service) -> tuple[str, list[str], list[str]]:
    """A banned account charged with two others twice: the second incident gives all five an IP ban. The incidents' ids come last."""
    main, *alts = accounts = [fresh() for _ in range(5)]
    for account in accounts:
        await service.access(account, f"172.16.{next(_lines)}.7")
    await service.issue(main, "malicious-afk")
    charged = [await service.issue(main, offense("multiple-accounts", alts=two)) for two in (alts[:2], alts[2:])]
    assert [(await service.standing(account))["ip_banned"] for account in accounts] == [True] * 5
    return main, alts, [made["incident_id"] for made in charged]


@pytest.mark.parametrize("way", ["lift", "overturn"])
async def test_n07_no_ip_ban_is_left_behind_when_what_linked_the_account_was_overturned_before(service: Service, way: str) -> None:
    """N05, I-34: the second incident's IP ban of the accounts that the first one named goes with the second, though the first is gone."""
    main, alts, (first, second) = await five_at_once(service)
    await overturn(service, main, first)
    if way == "lift":
        await service.head.post(f"/v1/incidents/{second}/ip-ban/lift", REASON, expect=200)
    else:
        assert (await overturn(service, main, second))["freed"] == [alts[2], alts[3], alts[0], alts[1]]
    assert {ban["state"] for ban in await bans_of(service, main, *alts)} == {"lifted"}
    assert [(await service.standing(account))["status"] for account in alts[:2]] == ["good", "good"]


async def test_n07_the_ip_bans_go_with_the_incident_that_made_the_main_account_the_fifth(service: Service) -> None:
    """I-13, I-34: an incident without accounts of its own gave them, so it takes them away; the accounts' own bans are another incident's."""
    main, *alts = accounts = [fresh() for _ in range(5)]
    await service.issue(main, offense("multiple-accounts", alts=alts))
    fifth = await service.issue(main, "cheating")
    assert [(await service.standing(account))["ip_banned"] for account in accounts] == [True] * 5
    assert (await overturn(service, main, fifth["incident_id"]))["freed"] == alts
    assert [(await service.standing(account))["ip_banned"] for account in accounts] == [False] * 5
    assert {(await service.standing(account))["status"] for account in alts} == {"permanently_banned"}


async def test_n07_an_ip_ban_is_lifted_from_the_others_when_one_of_them_was_freed_by_appeal(service: Service) -> None:
    main, alts, (_, second) = await five_at_once(service)
    await overturn(service, alts[3], second)
    await service.head.post(f"/v1/incidents/{second}/ip-ban/lift", REASON, expect=200)
    assert {ban["state"] for ban in await bans_of(service, main, *alts)} == {"lifted"}


async def test_n09_an_account_that_its_appeal_cleared_is_no_alt_any_more_whatever_it_is_banned_for_later(service: Service) -> None:
    """Its ban for something else makes nobody the fifth, and it gets no ban along with the others."""
    main, cleared, *alts = accounts = [fresh() for _ in range(5)]
    await service.issue(main, "malicious-afk")
    charged = await service.issue(main, offense("multiple-accounts", alts=[cleared, *alts[:2]]))
    await overturn(service, cleared, charged["incident_id"])
    await service.issue(cleared, "spam-major")
    await service.issue(main, offense("multiple-accounts", alts=alts[2:]))
    assert [(await service.standing(account))["ip_banned"] for account in accounts] == [False] * 5
    assert (await service.standing(cleared))["status"] == "banned"
    await service.issue(main, offense("multiple-accounts", alts=[fresh()]))
    assert [(await service.standing(account))["ip_banned"] for account in accounts] == [True, False, True, True, True]
