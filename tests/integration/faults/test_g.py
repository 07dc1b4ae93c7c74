"""Fault G01 of the field: pages over rows of one moment, and while others write."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest

from tests.support.app import T0, Caller, Service, fresh, iso

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def nothing() -> None:
    """Nobody writes."""


async def pages(caller: Caller, path: str, limit: int, between: Callable[[], Awaitable[Any]] = nothing) -> list[list[Any]]:
    """The pages of a list, with something happening between them."""
    found: list[list[Any]] = []
    cursor: dict[str, Any] = {}
    while True:
        page = await caller.get(path, limit=limit, **cursor)
        found.append(page["items"])
        if page["next_cursor"] is None:
            return found
        assert cursor.get("cursor") != page["next_cursor"]
        cursor = {"cursor": page["next_cursor"]}
        await between()


async def at_one_moment(service: Service, player: str, number: int) -> None:
    """One transaction with so many incidents of the same `decided_at`."""
    row = {
        "player_id": player, "infraction": "spam-minor", "decided_at": iso(T0 - timedelta(days=9)), "decided_by": "former-admin", "strike": False,
        "sanctions": [{"kind": "warning"}],
    }  # fmt: skip
    rows = [{**row, "external_id": f"{player}-{n}"} for n in range(number)]
    assert (await service.head.post("/v1/incidents/import", {"incidents": rows}, expect=200))["imported"] == number


@pytest.mark.parametrize("limit", [1, 10, 25, 200])
async def test_g01_rows_of_one_moment_are_each_listed_once(service: Service, limit: int) -> None:
    """Newest first (incidents), oldest first (history), and what is in force."""
    player = fresh()
    await at_one_moment(service, player, 25)
    path = f"/v1/players/{player}"
    listed = [item["incident_id"] for page in await pages(service.game, f"{path}/incidents", limit) for item in page]
    told = [item["data"]["incident_id"] for page in await pages(service.auditor, f"{path}/history", limit) for item in page]
    assert len(listed) == len(set(listed)) == 25
    assert told == listed[::-1]
    active = [item["sanction_id"] for page in await pages(service.game, f"{path}/sanctions/active", limit) for item in page]
    assert len(active) == len(set(active)) == 25


async def test_g01_new_rows_neither_shift_nor_repeat_old_ones(service: Service) -> None:
    """Each page is followed by a new incident, now and in the past."""
    player = fresh()
    await at_one_moment(service, player, 25)
    old = {item["incident_id"] for item in await service.incidents(player)}

    async def write() -> None:
        service.clock.turn(seconds=1)
        await service.issue(player, "harassment-minor")

    seen = [item["incident_id"] for page in await pages(service.game, f"/v1/players/{player}/incidents", 4, write) for item in page]
    assert len(seen) == len(set(seen))
    assert set(seen) == old
    left = [3]

    async def a_few() -> None:
        if left[0]:
            left[0] -= 1
            await write()

    versions = [item["version"] for page in await pages(service.auditor, f"/v1/players/{player}/history", 10, a_few) for item in page]
    assert versions == list(range(1, len(versions) + 1))


async def test_g01_a_cursor_belongs_to_its_list_and_filter(service: Service) -> None:
    """Contract, Lists: another's is `invalid_request`, never the first page."""
    player = fresh()
    await at_one_moment(service, player, 3)
    cursor = (await service.game.get(f"/v1/players/{player}/incidents", limit=1, status="in_force"))["next_cursor"]
    for path, params in (
        (f"/v1/players/{player}/incidents", {}),
        (f"/v1/players/{player}/incidents", {"status": "overturned"}),
        (f"/v1/players/{fresh()}/incidents", {"status": "in_force"}),
        (f"/v1/players/{player}/sanctions/active", {}),
    ):
        refusal = await service.game.get(path, expect=422, limit=1, cursor=cursor, **params)
        assert refusal["code"] == "invalid_request"
