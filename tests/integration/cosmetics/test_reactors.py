"""What follows the log: nobody waits for anybody else's (I-63, A10, bar 14)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from services.commands.seeding import STAFF
from services.cosmetics.api import Forgetting
from services.cosmetics.reactors import restore
from services.cosmetics.reactors.restore import Restoring
from services.cosmetics.slots.repository import Slots
from services.moderation.api import Conduct
from shared.commands import Executor
from shared.context import CommandContext
from shared.refusal import Unavailable
from tests.support import app
from tests.support.cosmetics import image, put, removed, uploaded
from tests.support.images import encode, texture

pytestmark = pytest.mark.asyncio(loop_scope="module")


class Asked:
    """The record, noting which removals were asked about; that of `away` can't be read."""

    def __init__(self, conduct: Conduct) -> None:
        self._conduct = conduct
        self.away: str | None = None
        self.incidents: list[str] = []

    async def removal_stands(self, player_id: str, incident_id: str) -> bool:
        self.incidents.append(incident_id)
        if player_id == self.away:
            detail = "The record can't be read."
            raise Unavailable(detail)
        return await self._conduct.removal_stands(player_id, incident_id)


def restoring(service: app.Service) -> tuple[Restoring, Asked]:
    """Another process that was started just now."""
    get, asked = service.resources.get, Asked(service.resources.get(Conduct))
    given: dict[str, Any] = {"slots": get(Slots), "executor": get(Executor), "fetch": service.store.fetch, "head": service.store.head}
    return Restoring(conduct=asked, **given), asked  # type: ignore[arg-type]


async def test_every_removal_is_looked_at_however_many_stand(service: app.Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """More than a page of them that stand: the ones behind it have their turn as well."""
    done = [(await removed(service, encode(texture(("page", n)))))[1]["incident"]["incident_id"] for n in range(5)]
    monkeypatch.setattr(restore, "_PAGE", 2)
    looking, asked = restoring(service)
    await looking.look()
    assert set(done) <= set(asked.incidents)
    assert len(asked.incidents) == len(set(asked.incidents))


async def test_a_record_that_cannot_be_read_holds_up_nobody_elses_and_is_asked_again(service: app.Service) -> None:
    one = await removed(service, encode(texture("unreadable")))
    other = await removed(service, encode(texture("readable")))
    looking, asked = restoring(service)
    asked.away = one[0]
    await looking.look()
    assert other[1]["incident"]["incident_id"] in asked.incidents
    for away in (one[0], None):
        asked.away, asked.incidents = away, []
        await looking.look()
        assert asked.incidents == [one[1]["incident"]["incident_id"]]
    asked.incidents = []
    await looking.look()
    assert asked.incidents == []


async def test_an_erased_player_whose_images_cannot_be_destroyed_holds_up_nobody_elses(
    service: app.Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bar 14: whichever comes first."""
    forget = Forgetting.forget
    players = [(await uploaded(service, encode(texture(("held up", n)))))[0] for n in range(3)]
    stuck = {*players}

    async def partly(self: Forgetting, ctx: CommandContext, player_id: str) -> None:
        if player_id in stuck:
            detail = "Not now."
            raise Unavailable(detail)
        await forget(self, ctx, player_id)

    monkeypatch.setattr(Forgetting, "forget", partly)
    for player in players:
        assert (await service.head.post(f"/v1/players/{player}/erasure", {"reason": "Asked for."})).status == 503
    stuck.intersection_update({min(players)})
    looking = service.resources.get(Forgetting)
    await looking.look()
    held = {player: await looking.held(player) for player in players}
    assert held == {player: int(player == min(players)) for player in players}
    stuck.clear()
    await looking.look()
    assert [await looking.held(player) for player in players] == [0, 0, 0]


async def test_a_removal_whose_rollback_is_reversed_removes_the_image_again(service: app.Service) -> None:
    """I-20, I-63: out of the slot and back on the list."""
    data = encode(texture("reversed"))
    service.clock.moment = app.T0 + timedelta(days=1)  # nobody else's decisions are rolled back
    player, made = await removed(service, data)
    looking, _ = restoring(service)
    window = {"from": service.clock.now().isoformat(), "to": service.clock.now().isoformat(), "reason": "Looked at again."}
    undone = await service.head.post(f"/v1/staff/{STAFF['admin'][0]}/rollback", window, expect=201)
    await looking.look()
    assert (await image(service, made["cosmetic_id"])).status_code == 200
    await service.head.post(f"/v1/rollbacks/{undone['rollback_id']}/reverse", {"reason": "It was right."}, expect=200)
    await looking.look()
    shown = await image(service, made["cosmetic_id"])
    assert (shown.status_code, shown.json()["current"]) == (410, {"state": "removed"})
    assert (await put(service, app.fresh(), data)).json()["code"] == "previously_removed"
    assert (await put(service, player, data)).json()["code"] == "previously_removed"


async def test_an_image_purged_after_its_removal_was_overturned_stays_barred(service: app.Service) -> None:
    """I-64."""
    data = encode(texture("purged later"))
    player, made = await removed(service, data)
    body = {"sanctions": [], "strike": False, "reason": "Allowed after all."}
    await service.head.post(f"/v1/incidents/{made['incident']['incident_id']}/adjustments", body, expect=201)
    looking, _ = restoring(service)
    await looking.look()
    await service.head.post(f"/v1/cosmetics/{made['cosmetic_id']}/purge", {"reason": "Illegal."}, expect=200)
    assert (await put(service, app.fresh(), data)).json()["code"] == "previously_removed"
    await service.head.post("/v1/incidents", {"player_id": player, "offenses": [{"infraction": "spam-minor"}]}, expect=201)
    await looking.look()
    assert (await put(service, app.fresh(), data)).json()["code"] == "previously_removed"
