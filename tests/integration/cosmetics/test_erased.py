"""An erasure reaches the player's images: the bytes go at once, whatever ends in between, and nobody else's do (bar 14)."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from services.cosmetics.api import Forgetting
from services.cosmetics.slots.pictures import Pictures
from services.cosmetics.slots.repository import Slots, stream_of
from shared.blobs.store import BlobStore
from shared.refusal import Unavailable
from tests.support import app
from tests.support.cosmetics import image, put, removed, uploaded
from tests.support.images import encode, texture

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.bar(14)]
REASON = {"reason": "Asked for."}


async def keys(service: app.Service, *cosmetics: dict[str, Any]) -> list[str]:
    """The blobs of these cosmetics."""
    blobs: AsyncIterator[Any] = service.resources.get(BlobStore).blobs("images/")
    names = tuple(f"images/{made['cosmetic_id']}/" for made in cosmetics)
    return [blob.key async for blob in blobs if blob.key.startswith(names)]


async def states(service: app.Service, player: str) -> dict[str, str]:
    items = (await service.game.get(f"/v1/players/{player}/cosmetics"))["items"]
    return {item["cosmetic_id"]: item["state"] for item in items}


async def test_an_erasure_destroys_the_bytes_of_every_image_of_the_player_and_of_no_other(service: app.Service) -> None:
    """Live, replaced and removed ones; another player's equal image stays; what was barred for cause stays barred."""
    shared, barred = encode(texture("erased")), encode(texture("erased and barred"))
    player, gone = await removed(service, barred)
    _, old = await uploaded(service, shared, player=player)
    _, new = await uploaded(service, encode(texture("erased later")), player=player)
    _, others = await uploaded(service, shared)
    assert len(await keys(service, gone, old, new)) == 9
    await service.head.post(f"/v1/players/{player}/erasure", REASON, expect=200)
    assert await keys(service, gone, old, new) == []
    for made in (gone, old, new):
        assert (await image(service, made["cosmetic_id"], service.head)).status_code == 410
    assert set((await states(service, player)).values()) == {"purged"}
    assert (await image(service, others["cosmetic_id"])).status_code == 200
    assert (await put(service, app.fresh(), barred)).json()["code"] == "previously_removed"
    assert (await put(service, app.fresh(), encode(texture("erased later")))).status_code == 201


async def test_after_an_erasure_the_log_does_not_tell_what_an_image_looked_like(service: app.Service) -> None:
    """Unless it was barred: then by these fingerprints, also in tables that are made anew."""
    player, gone = await removed(service, encode(texture("looked at")))
    _, made = await uploaded(service, encode(texture("looked like")), player=player)
    slots = service.resources.get(Slots)
    prints = {item["cosmetic_id"]: await slots.prints_of(player, item["cosmetic_id"]) for item in (gone, made)}
    await service.head.post(f"/v1/players/{player}/erasure", REASON, expect=200)
    assert await slots.prints_of(player, made["cosmetic_id"]) == ()
    log = b"".join(item.payload for item in await service.store.read(stream_of(player)))
    assert [prints[item["cosmetic_id"]][0].encode() in log for item in (gone, made)] == [True, False]
    row = "SELECT convert_from(prints, 'UTF8') FROM known_images WHERE name = $1"
    assert json.loads(await service.store.fetch_value(row, gone["cosmetic_id"])) == list(prints[gone["cosmetic_id"]])
    state = await slots.load(player)
    assert (state.cosmetics[gone["cosmetic_id"]].prints, state.cosmetics[made["cosmetic_id"]].prints) == (prints[gone["cosmetic_id"]], ())


async def test_an_image_uploaded_after_the_erasure_stays_until_the_next_one(service: app.Service) -> None:
    """A repeated request destroys nothing newer, and a new erasure is recorded although no word came since."""
    player, old = await uploaded(service, encode(texture("before")))
    key = {"Idempotency-Key": f"erase-{player}"}
    first = await service.head.post(f"/v1/players/{player}/erasure", REASON, headers=key, expect=200)
    service.clock.turn(minutes=1)
    _, new = await uploaded(service, encode(texture("after")), player=player)
    await service.head.post(f"/v1/players/{player}/erasure", REASON, headers=key, expect=200)
    assert await service.resources.get(Forgetting).look() == 0
    assert await states(service, player) == {old["cosmetic_id"]: "purged", new["cosmetic_id"]: "active"}
    service.clock.turn(minutes=1)
    second = await service.head.post(f"/v1/players/{player}/erasure", REASON, expect=200)
    assert second["erasure_id"] != first["erasure_id"]
    assert second["position"] is not None
    assert await keys(service, old, new) == []


async def test_an_erasure_that_was_cut_off_is_finished_by_the_service_itself(service: app.Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed between the erasure's event and the images; also what a ledger told a restored backup."""
    player, made = await uploaded(service, encode(texture("cut off")))

    async def nothing(*_: Any) -> None:
        return

    with monkeypatch.context() as cut:
        cut.setattr(Forgetting, "forget", nothing)
        await service.head.post(f"/v1/players/{player}/erasure", REASON, expect=200)
    assert len(await keys(service, made)) == 3
    assert await service.resources.get(Forgetting).look() == 1
    assert await keys(service, made) == []


async def test_an_erasure_is_answered_only_once_the_bytes_are_gone(service: app.Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """The store of images is away: 503, nobody sees the image any more, and the same request again finishes it."""
    player, made = await uploaded(service, encode(texture("away")))
    path, key = f"/v1/players/{player}/erasure", {"Idempotency-Key": f"away-{player}"}

    async def away(*_: Any) -> None:
        detail = "The image store can't be reached now."
        raise Unavailable(detail)

    with monkeypatch.context() as cut:
        cut.setattr(Pictures, "destroy", away)
        assert (await service.head.post(path, REASON, headers=key)).status == 503
    assert (await image(service, made["cosmetic_id"], service.head)).status_code == 410
    assert len(await keys(service, made)) == 3
    await service.head.post(path, REASON, headers=key, expect=200)
    assert await keys(service, made) == []


async def test_what_is_off_the_list_keeps_no_fingerprint(service: app.Service) -> None:
    """I-63: a row that bars nothing holds nothing of what the image looked like."""
    card, head = app.fresh("card"), {"Authorization": f"Bearer {service.tokens.game_server}"}
    assert (await service.http.put(f"/v1/gallery/{card}", content=encode(texture(card)), headers=head)).status_code == 201
    row = "SELECT length(prints) FROM known_images WHERE name = $1"
    assert await service.store.fetch_value(row, f"gallery:{card}") > 800
    assert (await service.http.delete(f"/v1/gallery/{card}", headers=head)).status_code == 200
    assert await service.store.fetch_value(row, f"gallery:{card}") == 2
