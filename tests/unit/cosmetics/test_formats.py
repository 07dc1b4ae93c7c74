"""What a file is, by its bytes (I-61): the header check before anything decodes."""

from __future__ import annotations

import random
import struct

import pytest

from services.cosmetics.imaging.formats import read_header
from shared.refusal import Refusal
from tests.support.images import animated_webp, apng, encode, one_bit, texture

STILL = {
    "png": (encode(texture(1)), "image/png", False),
    "interlaced": (encode(texture(1))[:28] + b"\x01" + encode(texture(1))[29:], "image/png", True),
    "jpeg": (encode(texture(1), "JPEG"), "image/jpeg", False),
    "progressive": (encode(texture(1), "JPEG", progressive=True), "image/jpeg", True),
    "webp": (encode(texture(1), "WEBP"), "image/webp", True),
    "lossless": (encode(texture(1), "WEBP", lossless=True), "image/webp", True),
    "webp with exif": (encode(texture(1), "WEBP", exif=b"Exif\0\0"), "image/webp", True),
}


@pytest.mark.parametrize("kind", STILL)
def test_a_still_picture_is_told_with_its_size(kind: str) -> None:
    """I-61; whether its decoder holds it whole decides how many run at once (bar 27)."""
    data, media_type, whole = STILL[kind]
    header = read_header(data)
    assert (header.media_type, header.width, header.height, header.whole) == (media_type, 300, 300, whole)


@pytest.mark.parametrize("data", [apng(), apng(1), animated_webp(), animated_webp(1)], ids=["apng", "apng of one", "webp", "webp of one"])
def test_every_animation_container_is_refused(data: bytes) -> None:
    """I02, I03: not only GIF moves, and one frame in such a container is no still picture."""
    with pytest.raises(Refusal, match="animated_image"):
        read_header(data)


@pytest.mark.parametrize("data", [b"", b"GIF89a\x01\0\x01\0", b"<svg/>", b"BM" + bytes(60), b"II*\0" + bytes(60), b"RIFF\x04\0\0\0WAVE"])
def test_what_is_no_picture_of_ours_is_an_unsupported_type(data: bytes) -> None:
    """I02, I11, I13: GIF even when still."""
    with pytest.raises(Refusal, match="unsupported_media_type"):
        read_header(data)


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"RIFF\x04\0\0\0WEBP", encode(texture(1), "WEBP")[:500]])
def test_a_beginning_without_a_picture_is_corrupt(data: bytes) -> None:
    """I05, I13."""
    with pytest.raises(Refusal, match="corrupt_image"):
        read_header(data)


@pytest.mark.parametrize(("side", "fine"), [(10_000, True), (10_001, False), (14_000, False)])
def test_a_huge_canvas_is_refused_by_its_header_alone(side: int, fine: bool) -> None:  # noqa: FBT001  a parameter of the test
    """I08, bar 19: 100 megapixels are the most."""
    head = bytearray(one_bit(100, 100))
    head[16:24] = struct.pack(">II", side, 10_000 if side != 14_000 else side)
    if fine:
        assert read_header(bytes(head)).width == side
    else:
        with pytest.raises(Refusal, match="image_too_many_pixels"):
            read_header(bytes(head))


@pytest.mark.bar(19)
@pytest.mark.parametrize("rounds", [pytest.param(3_000, id="quick"), pytest.param(200_000, marks=pytest.mark.full, id="full")])
def test_no_mutation_of_a_file_brings_the_header_check_down(rounds: int) -> None:
    """Bar 19: whatever the bytes are, the outcome is a header or a refusal, and it comes at once."""
    chance = random.Random(19)
    seeds = [data for data, _, _ in STILL.values()] + [apng(), animated_webp()]
    outcomes = {"read": 0, "refused": 0}
    for _ in range(rounds):
        data = bytearray(chance.choice(seeds)[:4096])
        for _ in range(chance.randrange(1, 8)):
            data[chance.randrange(min(len(data), 200))] = chance.randrange(256)
        try:
            read_header(bytes(data[: chance.randrange(len(data) + 1)]))
            outcomes["read"] += 1
        except Refusal:
            outcomes["refused"] += 1
    assert sum(outcomes.values()) == rounds
    assert min(outcomes.values()) > 0
    print(f"bar 19: {rounds} mutated files, {outcomes}")
