"""Faults I01 to I20 and A10 of the field, over HTTP on PostgreSQL with real decoder processes."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator

import httpx
import pytest
from PIL import Image

from shared.blobs.store import BlobStore
from tests.support import app
from tests.support.cosmetics import image, near, pixels, put, uploaded
from tests.support.images import GREEN, apng, bands, chunk, cmyk_red, encode, grey16, one_bit, padded, texture, turned

pytestmark = pytest.mark.asyncio(loop_scope="module")
LIMIT = 20_971_520
MARK = b"hunter2-marker"


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
