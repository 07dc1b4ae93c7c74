"""Bar 19: whatever is uploaded, what is served is right and ours alone, or it is refused, and nobody notices."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from PIL import Image

from services.cosmetics.imaging import process as running
from services.cosmetics.imaging.decoders import Decoders
from services.cosmetics.imaging.formats import Header
from shared.refusal import Refusal
from tests.bars.harness.mutants import mutants, tried
from tests.bars.harness.scale import SCALE, SEED, chance, figure, scaled
from tests.bars.harness.uploads import whole
from tests.bars.harness.world import World
from tests.bench.harness.reader import read
from tests.support import images, odd_images
from tests.support.corpus import CORNERS, Case, corpus
from tests.support.images import after_head, chunk, encode, texture, webp_chunk

pytestmark = [pytest.mark.bar(19), pytest.mark.timeout(3 * 3600)]

AVATAR = [(512, 512), (256, 256), (128, 128)]
CANARY = b"canary-5d1f"
PAYLOADS = (
    b"<script>" + CANARY + b"</script>", b"<?php " + CANARY + b" ?>", b"%PDF-1.7\n" + CANARY, b"PK\x03\x04" + CANARY,
    b"<svg onload='" + CANARY + b"'/>", b"GIF89a/*" + CANARY + b"*/=1;", b"#!/bin/sh\n" + CANARY, CANARY,
)  # fmt: skip
BOMBS: dict[str, Callable[[], bytes]] = {"webp": odd_images.webp_bomb, "png": odd_images.png_bomb, "jpeg": odd_images.jpeg_bomb}


@pytest.fixture
async def decoders() -> AsyncIterator[Decoders]:
    made = Decoders()
    yield made
    await made.close()


async def fitted(decoders: Decoders, data: bytes) -> tuple[bytes, ...]:
    """What is served of it: the three sizes. Raises a `Refusal`."""
    descriptor = os.memfd_create("upload")
    try:
        os.write(descriptor, data)
        return (await decoders.fit(descriptor, await decoders.header(descriptor), AVATAR)).parts[2:]
    finally:
        os.close(descriptor)


def naive(data: bytes) -> tuple[bytes, ...]:
    """As it is often done: Pillow, the metadata taken along, whatever is half there accepted."""
    try:
        image = Image.open(io.BytesIO(data))
        exif, profile = image.info.get("exif", b""), image.info.get("icc_profile", b"")
        return (encode(image.convert("RGB").resize((512, 512)), "WEBP", exif=exif, icc_profile=profile),)
    except Exception as error:
        raise Refusal("corrupt_image", str(error)) from error


def wrong(case: Case, served: tuple[bytes, ...] | Refusal) -> str | None:
    """What is wrong with the outcome."""
    if isinstance(served, Refusal) or case.code is not None:
        code = served.code if isinstance(served, Refusal) else None
        return None if code == case.code else f"{case.name}: {code or 'accepted'}, wanted {case.code or 'acceptance'}"
    image = Image.open(io.BytesIO(served[0]))
    if image.format != "WEBP" or image.size != (512, 512) or {"exif", "icc_profile", "xmp"} & image.info.keys():
        return f"{case.name}: {image.format} of {image.size} with {sorted(image.info)}"
    pixels = image.convert("RGBA")
    for at, colour in zip(CORNERS, case.colours, strict=True):
        found = pixels.getpixel(at)
        full = colour if len(colour) == 4 else (*colour, 255)
        if not isinstance(found, tuple) or max(abs(a - b) for a, b in zip(found, full, strict=True)) > case.tolerance:
            return f"{case.name}: {found} at {at}, wanted {full}"
    return None


async def outcome(work: Callable[[], object]) -> object:
    try:
        done = work()
        return await done if asyncio.iscoroutine(done) else done
    except Refusal as refusal:
        return refusal


async def test_the_corpus_comes_out_right(decoders: Decoders, request: pytest.FixtureRequest) -> None:
    cases = corpus()
    assert len(cases) >= 120
    chosen = cases if SCALE >= 1 else cases[:: max(1, len(cases) // scaled(len(cases), least=40))]
    found = [wrong(case, await outcome(lambda case=case: fitted(decoders, case.data))) for case in chosen]  # type: ignore[misc,arg-type]
    bad = [text for text in found if text is not None]
    figure(request, f"19a: {len(chosen)} of {len(cases)} files of the corpus: {len(bad)} wrong")
    assert bad == []


def test_control_a_naive_pipeline_gets_the_corpus_wrong() -> None:
    cases = {case.name: case for case in corpus()}
    traps = ("PNG {} turned 6", "png 16 bit grey 128", "transparent png hides nothing", "canvas of 14000", "apng of 1", "JPEG wide profile", "gif")
    for name in traps:
        try:
            served: tuple[bytes, ...] | Refusal = naive(cases[name].data)
        except Refusal as refusal:
            served = refusal
        assert wrong(cases[name], served) is not None, name


def polyglot(number: int) -> bytes:
    """A picture that is something else besides: a payload in one of the places where a picture takes one."""
    dice = chance(190 + number)
    payload, image = dice.choice(PAYLOADS), texture(number, 80, 80)
    exif = Image.Exif()
    exif[0x010E] = payload.decode("latin-1")
    match number % 12:
        case 0:
            return encode(image) + payload
        case 1:
            return encode(image, "JPEG") + payload
        case 2:
            return encode(image, "WEBP") + payload
        case 3:
            return encode(image, "JPEG", comment=payload)
        case 4 | 5 | 6:
            return encode(image, ("PNG", "JPEG", "WEBP")[number % 12 - 4], exif=exif)
        case 7:
            return after_head(encode(image), chunk(b"tEXt", b"Comment\0" + payload), chunk(b"quIz", payload))
        case 8:
            return encode(image, "WEBP", xmp=payload, icc_profile=odd_images.wide_profile() + payload)
        case 9:
            return encode(image, "JPEG", icc_profile=odd_images.wide_profile() + payload)
        case 10:
            data = encode(image, "WEBP")
            return data[:4] + (len(data) - 8 + len(webp_chunk(b"JUNK", payload))).to_bytes(4, "little") + data[8:] + webp_chunk(b"JUNK", payload)
        case _:
            palette = image.quantize(200)
            return after_head(encode(palette), chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + payload))


async def test_nothing_of_what_a_polyglot_carries_is_served(decoders: Decoders, request: pytest.FixtureRequest) -> None:
    count, kept, refused = scaled(200, least=24), 0, 0
    for number in range(count):
        data = polyglot(number)
        assert CANARY in data
        try:
            served = list(await fitted(decoders, data))
        except Refusal:
            refused += 1
            continue
        if number % 8 == 0:
            descriptor = os.memfd_create("served")
            os.write(descriptor, served[0])
            served += [await decoders.convert(descriptor, kind) for kind in ("image/png", "image/jpeg")]
            os.close(descriptor)
        kept += any(CANARY in part for part in served)
    figure(request, f"19b: {count} polyglots: {kept} with a word of theirs in what is served, {refused} refused")
    assert kept == 0
    assert refused < count // 4, "what is refused proves nothing about what is served"


def test_control_a_picture_saved_anew_keeps_what_it_carried() -> None:
    """Pillow takes a JPEG's comment along, and a profile and EXIF where they are passed on."""
    again = encode(Image.open(io.BytesIO(polyglot(3))), "JPEG")
    assert CANARY in again
    assert CANARY in naive(polyglot(6))[0]


@pytest.mark.alone
async def test_bombs_are_refused_at_once_and_nobody_notices(world: World, request: pytest.FixtureRequest) -> None:
    files = {name: make() for name, make in BOMBS.items()}
    token, times = world.tokens["game_server"], dict[str, float]()
    async with world.gateway(media=str(world.folder / "media")) as gateway:
        before = sorted(await read(gateway.port, token, 50, 3))
        reading = asyncio.create_task(read(gateway.port, token, 50, 3))
        while not reading.done():
            for name, data in files.items():
                began = time.monotonic()
                assert await whole(gateway.port, f"/v1/players/{name}/cosmetics/avatar", token, data) == 422
                times[name] = max(times.get(name, 0), time.monotonic() - began)
            await asyncio.sleep(0.2)
        during = sorted(await reading)
    p95 = [values[len(values) * 95 // 100] for values in (before, during)]
    sizes = {name: f"{len(data) / 1000:.0f} KB in {times[name] * 1000:.0f} ms at most" for name, data in files.items()}
    figure(request, f"19c: bombs refused: {sizes}; the standing's p95 {p95[0]:.1f} ms without and {p95[1]:.1f} ms beside them")
    assert max(times.values()) < 1


@pytest.mark.alone
@pytest.mark.parametrize("name", ["webp", "png"])
async def test_control_a_bomb_that_is_decoded_takes_longer_or_breaks_its_decoder(name: str) -> None:
    """Without the look at the header, that is: with one that lies about its size."""
    decoders = Decoders()
    descriptor = os.memfd_create("bomb")
    refused = False
    try:
        os.write(descriptor, BOMBS[name]())
        began = time.monotonic()
        with contextlib.suppress(Refusal):
            await decoders.header(descriptor)
        looked = time.monotonic() - began
        await decoders.fit(descriptor, Header(media_type="image/png", width=1, height=1, whole=False), AVATAR)
    except Refusal as refusal:
        refused = "limits of its decoder" in (refusal.detail or "") or refusal.code == "corrupt_image"
    finally:
        took = time.monotonic() - began
        os.close(descriptor)
        await decoders.close()
    assert refused or took > 20 * looked


async def test_no_mutated_file_brings_the_service_down(decoders: Decoders, request: pytest.FixtureRequest) -> None:
    """Headers of all of them; of those, in CI one in ten goes on to the decoder's code, and some go through real decoder processes."""
    count = scaled(200_000)
    seen = await asyncio.to_thread(tried, SEED, count, every=1 if SCALE >= 1 else 10)
    whole_way = scaled(2000, least=20) if SCALE >= 1 else 30
    refused = 0
    for data in mutants(SEED + 1, 0, whole_way):
        try:
            await fitted(decoders, data)
        except Refusal:
            refused += 1
    assert len(await fitted(decoders, encode(texture("after all")))) == 3
    figure(
        request,
        f"19d: {count} mutated files: {seen.read} headers read, {seen.refused} refused; {seen.decoded} decoded, {seen.failed} refused then, "
        f"{seen.died} dead decoders; {whole_way} through decoders of their own, {refused} refused",
    )
    assert seen.read + seen.refused >= count - 100 * seen.died
    assert min(seen.read, seen.refused, seen.decoded, seen.failed) > 0


async def test_control_a_decoder_that_dies_is_noticed_and_takes_nobody_along(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert (await asyncio.to_thread(tried, SEED, 300, every=50, abort_at=150)).died == 1
    dying = tmp_path / "dying.py"
    dying.write_text("import os\nos.abort()\n")
    decoders = Decoders()
    with monkeypatch.context() as patched:
        patched.setattr(running, "_WORKER", str(dying))
        for _ in range(2):
            with pytest.raises(Refusal, match="corrupt_image"):
                await fitted(decoders, images.grey16(5))
    await decoders.close()
    healthy = Decoders()
    assert len(await fitted(healthy, images.grey16(5))) == 3
    await healthy.close()
