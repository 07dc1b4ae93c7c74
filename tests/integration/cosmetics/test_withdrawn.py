"""Over HTTP: an image that its player replaced or deleted before a reviewer acted is removed for cause all the same (I-63, I-64, A-51, A-52)."""

from __future__ import annotations

from typing import Any

import pytest

from services.cosmetics.api import Forgetting
from services.cosmetics.reactors.restore import Restoring
from services.cosmetics.views.metrics import ReviewMetrics
from services.cosmetics.views.queries import CosmeticQueries
from shared.observability import Metrics
from tests.support import app
from tests.support.cosmetics import image, overturned, put, uploaded
from tests.support.database import Database
from tests.support.images import encode, texture
from tests.support.rebuilding import rebuilder

pytestmark = pytest.mark.asyncio(loop_scope="module")
withdrawn = pytest.mark.parametrize("was", ["replaced", "deleted"])


async def evaded(service: app.Service, data: bytes, was: str) -> tuple[str, dict[str, Any], dict[str, Any] | None]:
    """A reported image that its player took out of the slot at once: the player, the image, and the newer one if there is one."""
    player, made = await uploaded(service, data)
    await service.game.post(f"/v1/cosmetics/{made['cosmetic_id']}/reports", {"reporter_id": "r", "reason": "Offensive."}, expect=201)
    if was == "replaced":
        return player, made, (await uploaded(service, encode(texture(("newer", made["cosmetic_id"]))), player=player))[1]
    await emptied(service, player)
    return player, made, None


async def emptied(service: app.Service, player: str) -> None:
    await service.game.call("DELETE", f"/v1/players/{player}/cosmetics/avatar", expect=200)


async def states(service: app.Service, player: str) -> dict[str, str]:
    items = (await service.game.get(f"/v1/players/{player}/cosmetics"))["items"]
    return {item["cosmetic_id"]: item["state"] for item in items}


async def told(service: app.Service, player: str, after: int) -> list[str]:
    """The types of what the feed tells of the player's cosmetics after this position."""
    items = (await service.game.get("/v1/feed", after=after, limit=200))["items"]
    return [item["type"] for item in items if item.get("player_id") == player and item["type"].startswith("cosmetic.")]


async def review_list(service: app.Service) -> list[str]:
    ids, cursor = list[str](), None
    while True:
        page = await service.admin.get("/v1/cosmetics/review", limit=20, **({"cursor": cursor} if cursor else {}))
        ids += [item["cosmetic_id"] for item in page["items"]]
        if (cursor := page["next_cursor"]) is None:
            return ids


def body_of(made: dict[str, Any], sha256: str | None = None) -> dict[str, str]:
    return {"reason": "Offensive.", "sha256": sha256 or made["sha256"]}


@withdrawn
async def test_it_is_an_incident_with_its_evidence_and_the_image_is_barred_while_the_newer_one_stays(service: app.Service, was: str) -> None:
    data = encode(texture(("evading", was)))
    player, made, newer = await evaded(service, data, was)
    path, before = f"/v1/cosmetics/{made['cosmetic_id']}", await service.store.head()
    await service.admin.refused("image_replaced", f"{path}/removal", body_of(made, newer["sha256"] if newer else "0" * 64), expect=409)
    await service.admin.refused("image_replaced", f"{path}/approve", {}, expect=409)
    assert await service.store.head() == before
    done = await service.admin.post(f"{path}/removal", body_of(made), expect=201)
    assert (done["state"], done["incident_id"]) == ("removed", done["incident"]["incident_id"])
    assert await states(service, player) == {made["cosmetic_id"]: "removed", **({newer["cosmetic_id"]: "active"} if newer else {})}
    (charged,) = (await service.admin.get(f"/v1/players/{player}/incidents"))["items"]
    assert [one["infraction"] for one in charged["assessment"]] == ["custom-cosmetics"]
    (evidence,) = (await service.admin.get(f"/v1/incidents/{done['incident_id']}"))["evidence"]
    assert (evidence["ref"], evidence["sha256"]) == (made["cosmetic_id"], made["sha256"])
    assert [(await image(service, made["cosmetic_id"], by)).status_code for by in (service.senior, service.game)] == [200, 410]
    for uploader in (player, app.fresh()):
        assert (await put(service, uploader, data, "coin-heads")).json()["code"] == "previously_removed"
    await service.admin.refused("already_decided", f"{path}/removal", body_of(made), expect=409)
    if newer:
        assert (await image(service, newer["cosmetic_id"])).status_code == 200


@withdrawn
@pytest.mark.parametrize("emptied_since", [False, True])
async def test_overturned_it_may_be_uploaded_again_but_is_not_shown(service: app.Service, was: str, emptied_since: bool) -> None:  # noqa: FBT001
    """A10: not even into an empty slot. The feed tells nothing of a slot in which nothing changed."""
    data = encode(texture(("overturned", was, emptied_since)))
    player, made, _ = await evaded(service, data, was)
    if emptied_since:
        await emptied(service, player)
    start = await service.store.head()
    done = await service.admin.post(f"/v1/cosmetics/{made['cosmetic_id']}/removal", body_of(made), expect=201)
    before = await states(service, player)
    await overturned(service, player, done["incident_id"])
    await service.resources.get(Restoring).look()
    assert await states(service, player) == {**before, made["cosmetic_id"]: was}
    assert (await image(service, made["cosmetic_id"])).status_code == 410
    assert await told(service, player, start) == []
    assert (await put(service, app.fresh(), data)).status_code == 201
    assert (await put(service, player, data)).status_code == (200 if was == "replaced" and not emptied_since else 201)


async def test_the_feed_tells_of_a_removal_from_the_slot(service: app.Service) -> None:
    """The control of the silence above."""
    player, made = await uploaded(service, encode(texture("told")))
    start = await service.store.head()
    await service.admin.post(f"/v1/cosmetics/{made['cosmetic_id']}/removal", body_of(made), expect=201)
    assert await told(service, player, start) == ["cosmetic.removed"]


@withdrawn
async def test_what_was_reported_and_withdrawn_is_found_at_the_end_of_the_review_list_until_it_is_decided(service: app.Service, was: str) -> None:
    """A-52: with who reported it and why; images that are shown come first."""
    _, made, _ = await evaded(service, encode(texture(("found", was))), was)
    _, plain = await uploaded(service, encode(texture(("plain", was))))
    listed = await review_list(service)
    assert listed.index(plain["cosmetic_id"]) < listed.index(made["cosmetic_id"])
    path = f"/v1/cosmetics/{made['cosmetic_id']}"
    found = await service.admin.get(path)
    assert (found["state"], found["in_review"], found["reports"], len(found["reported"])) == (was, True, 1, 1)
    figures = await figure(service)
    await service.admin.post(f"{path}/removal", body_of(made), expect=201)
    assert made["cosmetic_id"] not in await review_list(service)
    assert await figure(service) == {**figures, "withdrawn": figures["withdrawn"] - 1}


@withdrawn
async def test_what_was_reported_and_withdrawn_is_approved_by_its_own_hash_and_then_listed_no_more(service: app.Service, was: str) -> None:
    """A-52."""
    player, made, _ = await evaded(service, encode(texture(("harmless", was))), was)
    done = await service.admin.post(f"/v1/cosmetics/{made['cosmetic_id']}/approve", {"sha256": made["sha256"]}, expect=200)
    assert (done["state"], done["in_review"]) == (was, False)
    assert made["cosmetic_id"] not in await review_list(service)
    assert (await states(service, player))[made["cosmetic_id"]] == was


async def figure(service: app.Service) -> dict[str, float]:
    metrics = service.resources.get(Metrics)
    await ReviewMetrics(service.resources.get(CosmeticQueries), metrics).refresh()
    return {name: metrics.cosmetics_to_review.labels(name)._value.get() for name in ("waiting", "reported", "withdrawn")}


@withdrawn
async def test_purged_or_erased_it_stays_without_bytes_whatever_becomes_of_its_removal(service: app.Service, was: str) -> None:
    """I-64, bar 14."""
    data = encode(texture(("purged", was)))
    player, made, _ = await evaded(service, data, was)
    done = await service.admin.post(f"/v1/cosmetics/{made['cosmetic_id']}/removal", body_of(made), expect=201)
    await service.head.post(f"/v1/cosmetics/{made['cosmetic_id']}/purge", expect=200)
    assert (await put(service, app.fresh(), data)).json()["code"] == "previously_removed"
    await overturned(service, player, done["incident_id"])
    await service.resources.get(Restoring).look()
    assert (await states(service, player))[made["cosmetic_id"]] == "purged"
    assert (await put(service, app.fresh(), data)).status_code == 201
    await service.head.post(f"/v1/players/{player}/erasure", {"reason": "Asked for."}, expect=200)
    await service.resources.get(Forgetting).look()
    assert set((await states(service, player)).values()) == {"purged"}


async def test_tables_folded_from_the_log_are_those_that_were_written(database: Database) -> None:
    """E05: with what a removal found remembered by the fold alone."""
    async with app.serving(database) as service:
        for was in ("replaced", "deleted"):
            player, made, _ = await evaded(service, encode(texture(("folded", was))), was)
            await evaded(service, encode(texture(("left in review", was))), was)
            done = await service.admin.post(f"/v1/cosmetics/{made['cosmetic_id']}/removal", body_of(made), expect=201)
            if was == "replaced":
                await overturned(service, player, done["incident_id"])
                await service.resources.get(Restoring).look()
        checked = await rebuilder(database).check()
    assert (checked.drifts, checked.unread) == ((), ())
    assert {table.table for table in checked.tables if table.rows} >= {"cosmetics", "known_images"}
