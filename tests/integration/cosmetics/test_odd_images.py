"""Faults I02, I03, I12, I13 and I17 of the field, over HTTP: containers, profiles, empty files, and uploads that race."""

from __future__ import annotations

import asyncio
import hashlib
import io
import zlib

import pytest
from PIL import Image

from shared.blobs.store import BlobStore
from tests.support import app
from tests.support.cosmetics import image, near, pixels, put, uploaded
from tests.support.images import GREEN, after_head, animated_webp, apng, chunk, encode, texture
from tests.support.odd_images import wide_profile

pytestmark = pytest.mark.asyncio(loop_scope="module")
SLOTS = ("avatar", "playmat", "sleeve", "token", "coin-heads", "coin-tails", "die-one")
FORM = b'--x\r\nContent-Disposition: form-data; name="file"\r\n\r\n\r\n--x--'


async def blobs(service: app.Service) -> list[str]:
    return sorted([blob.key async for blob in service.resources.get(BlobStore).blobs("images/")])


@pytest.mark.parametrize("slot", SLOTS)
async def test_i02_what_moves_is_refused_in_every_slot_whatever_it_is_called(service: app.Service, slot: str) -> None:
    """I02: told by the bytes, not by the declared type."""
    gif = encode(Image.new("RGB", (30, 30)), "GIF", save_all=True, append_images=[Image.new("RGB", (30, 30), GREEN)])
    for data, code in ((apng(), "animated_image"), (animated_webp(), "animated_image"), (gif, "unsupported_media_type")):
        reply = await put(service, app.fresh(), data, slot)
        assert reply.json()["code"] == code
        assert 400 <= reply.status_code < 500


@pytest.mark.parametrize("slot", SLOTS)
async def test_i03_one_frame_in_an_animation_container_is_an_animation_in_every_slot(service: app.Service, slot: str) -> None:
    """I03: the rule is the same everywhere, and an ordinary still WebP is always taken."""
    for data in (apng(1), animated_webp(1)):
        assert (await put(service, app.fresh(), data, slot)).json()["code"] == "animated_image"
    assert (await put(service, app.fresh(), encode(texture(("i03", slot)), "WEBP"), slot)).status_code == 201


async def test_i12_large_profiles_and_texts_are_dropped_and_half_a_file_is_still_refused(service: app.Service) -> None:
    """I12: none of it is served, nor does taking it weaken I05."""
    png = encode(texture("i12"))
    packer = zlib.compressobj(9)
    text = b"".join(packer.compress(bytes(1_000_000)) for _ in range(70)) + packer.flush()
    profile, texts = encode(texture("i12"), icc_profile=bytes(2_000_000)), after_head(png, chunk(b"zTXt", b"Comment\0\0" + text))
    assert (len(profile) - len(png) < 10_000, 60_000 < len(texts) - len(png) < 90_000) == (True, True)
    for data in (profile, texts):
        reply = await put(service, app.fresh(), data)
        assert reply.status_code in {201, 422}
        if reply.status_code == 201:
            served = Image.open(io.BytesIO((await image(service, reply.json()["cosmetic_id"])).content))
            assert not {"icc_profile", "Comment"} & served.info.keys()
        assert (await put(service, app.fresh(), data[: len(data) * 9 // 10])).json()["code"] == "corrupt_image"
    half = encode(texture("i12"), "JPEG")
    assert (await put(service, app.fresh(), half[: len(half) // 2])).json()["code"] == "corrupt_image"


async def test_i12_a_profile_that_is_not_srgb_is_applied_and_dropped(service: app.Service) -> None:
    """I12: its red is a stronger one in sRGB."""
    out = await pixels(service, encode(Image.new("RGB", (300, 300), (180, 90, 70)), icc_profile=wide_profile()))
    assert not near(out.getpixel((256, 256)), (180, 90, 70), 20)


@pytest.mark.parametrize("data", [b"", b"\x89PNG\r\n\x1a\n", b"RIFF\x04\0\0\0WEBP", FORM])
async def test_i13_what_is_empty_or_only_begins_is_refused_and_leaves_nothing(service: app.Service, data: bytes) -> None:
    """I13: the old image stays, no object is left in the store; a form is no image either."""
    player, before = await uploaded(service, encode(texture("i13")))
    kept = await blobs(service)
    reply = await put(service, player, data)
    assert reply.status_code in {415, 422}
    assert await blobs(service) == kept
    shown = await image(service, before["cosmetic_id"])
    assert (shown.status_code, hashlib.sha256(shown.content).hexdigest()) == (200, before["sha256"])


async def test_i17_of_uploads_that_race_for_a_slot_one_is_shown_and_every_byte_is_its_own(service: app.Service) -> None:
    """I17: twenty at once; the slot shows one of them, and it is served whole."""
    player = app.fresh()
    replies = await asyncio.gather(*(put(service, player, encode(texture(("race", n), 60, 60))) for n in range(20)))
    assert {reply.status_code for reply in replies} == {200, 201}
    items = (await service.game.get(f"/v1/players/{player}/cosmetics"))["items"]
    (active,) = [item for item in items if item["state"] == "active"]
    assert active["cosmetic_id"] in {reply.json()["cosmetic_id"] for reply in replies}
    shown = await image(service, active["cosmetic_id"])
    assert (shown.status_code, hashlib.sha256(shown.content).hexdigest()) == (200, active["sha256"])
