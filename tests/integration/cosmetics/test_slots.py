"""Slots over HTTP: what is removed, replaced, restored, and what survives a crash (I17 to I20, A10)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from services.cosmetics.imaging.decoders import Decoders
from services.cosmetics.reactors.collect import Collector
from services.cosmetics.reactors.restore import Restoring
from services.cosmetics.slots.pictures import Pictures
from shared.blobs.store import BlobStore
from shared.eventstore.postgres import PostgresEventStore
from shared.refusal import Unavailable
from tests.support import app
from tests.support.cosmetics import image, overturned, put, removed, uploaded
from tests.support.images import encode, texture

pytestmark = pytest.mark.asyncio(loop_scope="module")
LIMIT = 20_971_520
MARK = b"hunter2-marker"


async def test_i17_equal_bytes_of_two_players_have_lives_of_their_own(service: app.Service) -> None:
    """I17: purging one leaves the other."""
    data = encode(texture("i17"))
    (_, one), (_, other) = await uploaded(service, data), await uploaded(service, data)
    assert one["sha256"] == other["sha256"]
    await service.head.post(f"/v1/cosmetics/{one['cosmetic_id']}/purge", expect=200)
    assert (await image(service, one["cosmetic_id"], service.head)).status_code == 410
    assert (await image(service, other["cosmetic_id"])).status_code == 200
    blobs = [blob.key async for blob in service.resources.get(BlobStore).blobs(f"images/{one['cosmetic_id']}/")]
    assert blobs == []


async def test_i18_a_removed_image_is_gone_at_once_and_barred(service: app.Service) -> None:
    """I18: no cache keeps it, and its bytes are refused for everybody."""
    data = encode(texture("i18"))
    player, gone = await removed(service, data)
    reply = await image(service, gone["cosmetic_id"])
    assert (reply.status_code, reply.headers["cache-control"]) == (410, "no-store")
    assert (await put(service, player, data)).json()["code"] == "previously_removed"


async def test_i19_a_ban_counts_at_the_commit(service: app.Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """I19, I-62: banned while the picture was being decoded."""
    player, decoders = app.fresh(), service.resources.get(Decoders)
    fit = decoders.fit

    async def slowly(*given: Any) -> Any:
        answer = await fit(*given)
        await service.issue(player, "spam-major")
        return answer

    monkeypatch.setattr(Decoders, "fit", lambda _, *given: slowly(*given))
    assert (await put(service, player, encode(texture("i19")))).json()["code"] == "banned"


async def test_n10_a_ban_stops_who_is_logged_in_already_and_leaves_the_appeal(service: app.Service) -> None:
    """N10: upload and call are refused from the ban on, an appeal is taken, and no answer about access is kept; when it ends all is as before."""
    player, data = app.fresh(), encode(texture("n10"))
    call = {"caller_id": player, "category": "harassment", "origin": "lobby", "message": "Please help."}
    assert (await put(service, player, data)).status_code == 201
    call_id = (await service.game.post("/v1/calls", call, expect=201))["call_id"]
    done = await service.issue(player, "spam-major")
    assert (await put(service, player, data)).json()["code"] == "banned"
    assert (await service.game.refused("banned", "/v1/calls", {**call, "category": "cheating"})).status == 403
    await service.game.post(f"/v1/calls/{call_id}/cancel", {"caller_id": player}, expect=200)
    appeal = {"player_id": player, "incident_id": done["incident_id"], "grounds": "It was my cat."}
    await service.game.post("/v1/appeals", appeal, expect=201)
    check = await service.access(player)
    assert (check["allowed"], check.headers["cache-control"]) == (False, "no-store")
    assert (await service.standing(player)).headers["cache-control"] == "private, no-cache"
    service.clock.turn(days=1)
    assert (await put(service, player, data)).status_code in (200, 201)
    await service.game.post("/v1/calls", call, expect=201)
    assert (await service.access(player))["allowed"]


async def test_who_is_banned_for_a_proxy_uploads_and_calls_no_more_until_a_head_admin_lifts_it(service: app.Service) -> None:
    """I-15, I-62: the account is banned, whatever its standing says of bans with an end."""
    player, data = app.fresh(), encode(texture("proxy"))
    call = {"caller_id": player, "category": "harassment", "origin": "lobby", "message": "Please help."}
    policy = dict((await service.head.get("/v1/policy")).body)
    for switch in ("automatic", "off"):
        edited = {**policy, "settings": {**policy["settings"], "proxy_ban": switch}, "note": "Proxies."}
        await service.head.post("/v1/policy", edited, expect=201)
        if switch == "automatic":
            await service.game.post("/v1/access-checks", {"player_id": player, "ip": "198.51.100.9", "proxy": True}, expect=200)
    assert (await put(service, player, data)).json()["code"] == "banned"
    assert (await service.game.refused("banned", "/v1/calls", call)).status == 403
    await service.head.post(f"/v1/players/{player}/proxy-ban/lift", {"reason": "At work."}, expect=200)
    assert (await put(service, player, data)).status_code == 201
    await service.game.post("/v1/calls", call, expect=201)


async def test_i20_no_name_is_a_path(service: app.Service) -> None:
    """I20: keys are ours."""
    reply = await put(service, app.fresh(), encode(texture("i20")), **{"Content-Disposition": 'attachment; filename="../../etc/passwd"'})
    assert reply.status_code == 201
    assert "passwd" not in reply.text


@pytest.mark.parametrize("used_again", [False, True])
async def test_a10_a_reviewer_sees_the_exact_bytes_and_overturning_restores_them(service: app.Service, used_again: bool) -> None:  # noqa: FBT001
    """A10, I-63: the public sees nothing meanwhile, the look is recorded once, and a slot that was used again stays as it is."""
    player, gone = await removed(service, encode(texture(("a10", used_again))))
    cosmetic_id = gone["cosmetic_id"]
    seen = await image(service, cosmetic_id, service.senior)
    assert (seen.status_code, seen.headers["cache-control"]) == (200, "no-store")
    looks = (await service.auditor.get("/v1/reads", player_id=player))["items"]
    assert [(look["reader"], look["what"], look["subject"]) for look in looks] == [("senior-1", "cosmetic_image", cosmetic_id)]
    assert (await image(service, cosmetic_id, service.auditor)).status_code == 410
    if used_again:
        await uploaded(service, encode(texture("a10 again")), player=player)
    await overturned(service, player, gone["incident_id"])
    await service.resources.get(Restoring).look()
    back = await image(service, cosmetic_id)
    assert back.status_code == (410 if used_again else 200)
    if not used_again:
        assert back.content == seen.content
    assert (await put(service, app.fresh(), encode(texture(("a10", used_again))))).status_code == 201


async def test_bytes_without_an_event_are_collected_and_those_with_one_stay(service: app.Service) -> None:
    """Issue 5: bytes first, event second; a crash between them leaves only what the collector takes."""
    _, made = await uploaded(service, encode(texture("collected")))
    blobs = service.resources.get(BlobStore)
    await blobs.put("images/019ad000-0000-7000-8000-0000000000ff/orphan.webp", b"x")
    collector = Collector(blobs, service.resources.get(PostgresEventStore).fetch, service.clock)
    assert await collector.collect(timedelta(days=36_500)) == 0
    assert await collector.collect(timedelta(days=-36_500)) == 1
    assert (await image(service, made["cosmetic_id"])).status_code == 200


async def test_bytes_that_an_event_names_stay_although_their_row_is_missing(service: app.Service) -> None:
    """E06: tables that were rebuilt around an event that can't be read lack rows; the images of that player are not the collector's."""
    _, made = await uploaded(service, encode(texture("no row")))
    blobs, key = service.resources.get(BlobStore), f"images/{made['cosmetic_id']}/{made['sha256']}.webp"
    await service.store.fetch("DELETE FROM cosmetics WHERE cosmetic_id = $1", made["cosmetic_id"])
    collector = Collector(blobs, service.resources.get(PostgresEventStore).fetch, service.clock)
    assert await collector.collect(timedelta(days=-36_500)) == 0
    assert await blobs.get(key) is not None
    await service.resources.get(Pictures).destroy(made["cosmetic_id"])


async def test_a_purge_is_answered_only_once_the_bytes_are_gone(service: app.Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """I-64: whoever is told that an illegal image is destroyed may rely on it. Nobody is shown it from the first try on."""
    _, made = await uploaded(service, encode(texture("illegal")))
    purge, once = f"/v1/cosmetics/{made['cosmetic_id']}/purge", {"Idempotency-Key": "purge-illegal"}

    async def away(*_given: Any) -> None:
        detail = "The image store can't be reached now."
        raise Unavailable(detail)

    with monkeypatch.context() as broken:
        broken.setattr(BlobStore, "delete", away)
        assert (await service.head.post(purge, headers=once)).status == 503
        assert (await service.head.post(purge)).status == 503
    assert (await image(service, made["cosmetic_id"], service.head)).status_code == 410
    again = await service.head.post(purge, headers=once, expect=200)
    assert again.headers["idempotency-replayed"] == "true"
    assert [blob.key async for blob in service.resources.get(BlobStore).blobs(f"images/{made['cosmetic_id']}/")] == []


async def test_an_append_that_fails_leaves_the_old_image(service: app.Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """Issue 5: whatever fails in storing, the slot is as it was."""
    player, before = await uploaded(service, encode(texture("kept")))

    async def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Pictures, "keep", full)
    assert (await put(service, player, encode(texture("never")))).status_code == 503
    assert (await image(service, before["cosmetic_id"])).status_code == 200


async def test_a_repeated_upload_gets_the_first_answer(service: app.Service) -> None:
    """Contract, General: one key, one effect."""
    player, data, key = app.fresh(), encode(texture("twice")), {"Idempotency-Key": "upload-1"}
    first, second = await put(service, player, data, **key), await put(service, player, data, **key)
    assert (first.json(), second.json(), second.headers["idempotency-replayed"]) == (second.json(), first.json(), "true")
    stored = {blob.key.split("/")[1] async for blob in service.resources.get(BlobStore).blobs("images/")}
    known = {row[0] for row in await service.store.fetch("SELECT cosmetic_id FROM cosmetics")}
    assert stored <= known, "the repetition left bytes that no event names"
    assert (await put(service, player, encode(texture("other")), **key)).json()["code"] == "idempotency_key_reused"


async def test_a_repeated_upload_gets_the_first_answer_whatever_became_of_the_player_and_of_the_decoders(
    service: app.Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Contract, General: banned since, or nobody to decode it again; and the key opens nothing else."""
    player, data, key = app.fresh(), encode(texture("banned since")), {"Idempotency-Key": "upload-2"}
    first = await put(service, player, data, **key)
    await service.issue(player, "spam-major")
    monkeypatch.setattr(Decoders, "fit", None)
    second = await put(service, player, data, **key)
    assert (second.status_code, second.json(), second.headers["idempotency-replayed"]) == (201, first.json(), "true")
    for other, sent in ((player, encode(texture("never"))), (app.fresh(), data)):
        assert (await put(service, other, sent, **key)).json()["code"] == "idempotency_key_reused"
    assert (await put(service, player, data)).json()["code"] == "banned"


async def test_reviewers_read_why_an_image_was_reported_and_nobody_else_does(service: app.Service) -> None:
    """I-64: to whoever decides, also after an approval; an erasure of the player takes the words."""
    player, made = await uploaded(service, encode(texture("reported")))
    path = f"/v1/cosmetics/{made['cosmetic_id']}"
    assert (await service.admin.get(path))["reported"] == []
    for reporter in ("r-one", "r-two"):
        await service.game.post(f"{path}/reports", {"reporter_id": reporter, "reason": f"Offensive, says {reporter}."}, expect=201)
        service.clock.turn(minutes=1)
    await service.admin.post(f"{path}/approve", expect=200)
    for caller in (service.admin, service.auditor):
        told = (await caller.get(path))["reported"]
        assert [(one["reporter_id"], one["reason"]) for one in told] == [("r-two", "Offensive, says r-two."), ("r-one", "Offensive, says r-one.")]
    assert (await service.game.get(path))["reported"] == []
    _, other = await uploaded(service, encode(texture("not reported")), "sleeve", player)
    assert (await service.admin.get(f"/v1/cosmetics/{other['cosmetic_id']}"))["reported"] == []
    await service.head.post(f"/v1/players/{player}/erasure", {"reason": "Asked for."}, expect=200)
    assert [one["reason"] for one in (await service.admin.get(path))["reported"]] == [None, None]


async def test_a_command_on_the_gallery_names_the_version_of_its_stream(service: app.Service) -> None:
    """Contract, General."""
    path, head = f"/v1/gallery/{app.fresh('card')}", {"Authorization": f"Bearer {service.tokens.game_server}"}
    put_in = await service.http.put(path, content=encode(texture(path)), headers=head)
    taken_out = await service.http.delete(path, headers=head)
    again = await service.http.delete(path, headers=head)
    assert [reply.json()["version"] for reply in (put_in, taken_out, again)] == [1, 2, 2]
