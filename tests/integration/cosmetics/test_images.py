"""Faults I01 to I20 and A10 of the field, over HTTP on PostgreSQL with real decoder processes."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import httpx
import pytest
import pytest_asyncio
from PIL import Image

from services.cosmetics.imaging.decoders import Decoders
from services.cosmetics.reactors.collect import Collector
from services.cosmetics.reactors.restore import Restoring
from services.cosmetics.slots.pictures import Pictures
from shared.blobs.store import BlobStore
from shared.eventstore.postgres import PostgresEventStore
from tests.support import app
from tests.support import database as databases
from tests.support.images import GREEN, apng, bands, chunk, cmyk_red, encode, grey16, one_bit, padded, texture, turned

pytestmark = pytest.mark.asyncio(loop_scope="module")
LIMIT = 20_971_520
MARK = b"hunter2-marker"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def running(database_server: databases.Server) -> AsyncIterator[app.Service]:
    database = database_server.create("mod_images")
    try:
        async with app.serving(database) as service:
            yield service
    finally:
        database_server.drop(database.name)


@pytest.fixture
def service(running: app.Service) -> app.Service:
    running.clock.moment = app.T0
    return running


async def put(service: app.Service, player: str, data: Any, slot: str = "avatar", *, tier: str = "pro", **headers: str) -> httpx.Response:
    sent = {"Authorization": f"Bearer {service.tokens.game_server}", "Content-Type": "image/png", "Player-Tier": tier, **headers}
    return await service.http.put(f"/v1/players/{player}/cosmetics/{slot}", content=data, headers=sent)


async def image(service: app.Service, cosmetic_id: str, by: app.Caller | None = None, **headers: str) -> httpx.Response:
    sent = {"Authorization": f"Bearer {(by or service.game).token}", **headers}
    return await service.http.get(f"/v1/cosmetics/{cosmetic_id}/image", headers=sent)


async def uploaded(service: app.Service, data: bytes, slot: str = "avatar", player: str | None = None) -> tuple[str, dict[str, Any]]:
    player = player or app.fresh()
    reply = await put(service, player, data, slot)
    assert reply.status_code in {200, 201}, reply.text
    return player, reply.json()


async def pixels(service: app.Service, data: bytes, slot: str = "avatar") -> Image.Image:
    _, made = await uploaded(service, data, slot)
    return Image.open(io.BytesIO((await image(service, made["cosmetic_id"])).content)).convert("RGBA")


def near(found: Any, wanted: tuple[int, ...], tolerance: int = 40) -> bool:
    return all(abs(a - b) <= tolerance for a, b in zip(found, wanted, strict=False))


async def removed(service: app.Service, data: bytes) -> tuple[str, dict[str, Any]]:
    player, made = await uploaded(service, data)
    reply = await service.admin.post(f"/v1/cosmetics/{made['cosmetic_id']}/removal", {"reason": "Copyright.", "sha256": made["sha256"]}, expect=201)
    return player, reply.body


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
async def test_i01_the_picture_is_upright_before_it_is_cut(service: app.Service, kind: str) -> None:
    """I01."""
    out = await pixels(service, encode(bands(300, 100), kind, exif=turned(6)), "playmat")
    assert all(near(out.getpixel((x, 256)), GREEN) for x in (60, 768, 1470))


async def test_i05_a_broken_file_is_refused_and_nothing_is_kept(service: app.Service) -> None:
    """I05, I13: the old image stays, no object is left behind."""
    player, before = await uploaded(service, encode(texture("i05")))
    store = service.resources.get(BlobStore)
    kept = sorted([blob.key async for blob in store.blobs("images/")])
    for kind in ("PNG", "JPEG"):
        data = encode(texture("i05b"), kind)
        reply = await put(service, player, data[: len(data) // 2])
        assert (reply.status_code, reply.json()["code"]) == (422, "corrupt_image")
    assert sorted([blob.key async for blob in store.blobs("images/")]) == kept
    assert (await image(service, before["cosmetic_id"])).status_code == 200


async def test_i06_cmyk_red_stays_red(service: app.Service) -> None:
    """I06."""
    assert near((await pixels(service, cmyk_red())).getpixel((256, 256)), (255, 0, 0), 60)


async def test_i07_sixteen_bit_grey_keeps_its_levels(service: app.Service) -> None:
    """I07: within 2 of 255."""
    out = await pixels(service, grey16(64, 128, 192))
    assert all(near(out.getpixel((x, 256)), (level,) * 3, 2) for x, level in ((85, 64), (256, 128), (427, 192)))


async def test_i08_a_bomb_is_refused_by_its_header_and_the_service_answers_on(service: app.Service) -> None:
    """I08, bar 19: no decoder is started for it."""
    begin = asyncio.get_running_loop().time()
    replies = await asyncio.gather(*(put(service, app.fresh(), one_bit(20_000, 20_000)) for _ in range(4)), service.standing(app.fresh()))
    print(f"bar 19: four bombs and a standing in {asyncio.get_running_loop().time() - begin:.2f} s")
    assert [reply.json()["code"] for reply in replies[:4] if isinstance(reply, httpx.Response)] == ["image_too_many_pixels"] * 4


@pytest.mark.parametrize("size", [(5000, 1), (1, 5000), (1, 1)])
async def test_i09_extreme_shapes_fill_the_slot(service: app.Service, size: tuple[int, int]) -> None:
    """I09."""
    assert (await pixels(service, encode(Image.new("RGB", size, GREEN)), "playmat")).size == (1536, 512)


async def test_i10_what_is_transparent_hides_no_colour(service: app.Service) -> None:
    """I10: a fully transparent red is not red when it is flattened."""
    data = encode(Image.new("RGBA", (300, 300), (220, 30, 30, 0)))
    assert (await pixels(service, data)).getpixel((256, 256)) == (0, 0, 0, 0)
    _, made = await uploaded(service, data)
    jpeg = Image.open(io.BytesIO((await image(service, made["cosmetic_id"], Accept="image/jpeg")).content))
    assert (jpeg.format, near(jpeg.getpixel((256, 256)), (255, 255, 255), 4)) == ("JPEG", True)


async def test_i11_served_bytes_are_ours_alone(service: app.Service) -> None:
    """I11, I12: no comment, text, profile or appended byte comes through; the type is fixed and sandboxed."""
    png = encode(texture("i11"))
    for data in (png + MARK, encode(texture("i11"), "JPEG", comment=MARK), png[:33] + chunk(b"tEXt", b"Comment\0" + MARK) + png[33:]):
        _, made = await uploaded(service, data)
        for accept in ("*/*", "image/png", "image/jpeg"):
            reply = await image(service, made["cosmetic_id"], Accept=accept)
            assert MARK not in reply.content
            assert reply.headers["x-content-type-options"] == "nosniff"
            assert "sandbox" in reply.headers["content-security-policy"]


async def test_i02_an_animation_is_refused(service: app.Service) -> None:
    """I02, I03."""
    assert (await put(service, app.fresh(), apng(1))).json()["code"] == "animated_image"


async def test_i14_the_limit_is_exact_and_in_mebibytes(service: app.Service) -> None:
    """I14."""
    assert (await put(service, app.fresh(), padded(LIMIT))).status_code == 201
    assert (await put(service, app.fresh(), padded(LIMIT + 1))).json()["code"] == "too_large"


async def test_i15_a_body_without_a_length_is_cut_off_while_it_is_read(service: app.Service) -> None:
    """I15."""
    sent = 0

    async def body() -> AsyncIterator[bytes]:
        nonlocal sent
        for _ in range(2048):
            sent += 1 << 20
            yield bytes(1 << 20)

    reply = await put(service, app.fresh(), body())
    assert reply.json()["code"] == "too_large"


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


async def test_i20_no_name_is_a_path(service: app.Service) -> None:
    """I20: keys are ours."""
    reply = await put(service, app.fresh(), encode(texture("i20")), **{"Content-Disposition": 'attachment; filename="../../etc/passwd"'})
    assert reply.status_code == 201
    assert "passwd" not in reply.text


async def overturned(service: app.Service, player: str, incident_id: str) -> None:
    appeal = await service.game.post("/v1/appeals", {"player_id": player, "incident_id": incident_id, "grounds": "Mine."}, expect=201)
    wanted = {"outcome": "overturned", "cascade": True}
    seen = await service.senior.post(f"/v1/appeals/{appeal['appeal_id']}/preview", wanted, expect=200)
    words = {"reason": "Licensed.", "reply": "You are right.", "player_version": seen["player_version"]}
    await service.senior.post(f"/v1/appeals/{appeal['appeal_id']}/decision", {**wanted, **words}, expect=200)


@pytest.mark.parametrize("used_again", [False, True])
async def test_a10_a_reviewer_sees_the_exact_bytes_and_overturning_restores_them(service: app.Service, used_again: bool) -> None:  # noqa: FBT001
    """A10, I-63: the public sees nothing meanwhile, the look is recorded, and a slot that was used again stays as it is."""
    player, gone = await removed(service, encode(texture(("a10", used_again))))
    cosmetic_id = gone["cosmetic_id"]
    seen = await image(service, cosmetic_id, service.senior)
    assert (seen.status_code, seen.headers["cache-control"]) == (200, "no-store")
    assert len(await service.store.read(f"looks-{cosmetic_id}")) == 1
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
    assert (await put(service, player, encode(texture("other")), **key)).json()["code"] == "idempotency_key_reused"
