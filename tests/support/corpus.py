"""The corpus of bar 19: pictures of every kind with what has to come out, made here from one motif of four colours."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from PIL import Image, ImageCms

from tests.support import images, odd_images
from tests.support.images import BLUE, GREEN, RED, YELLOW, after_head, chunk, encode, turned

T = Image.Transpose
UNDO: Final = {2: T.FLIP_LEFT_RIGHT, 3: T.ROTATE_180, 4: T.FLIP_TOP_BOTTOM, 5: T.TRANSPOSE, 6: T.ROTATE_90, 7: T.TRANSVERSE, 8: T.ROTATE_270}
CORNERS: Final = ((128, 128), (384, 128), (128, 384), (384, 384))
COLOURS: Final = (RED, GREEN, BLUE, YELLOW)
CLEAR: Final = (0, 0, 0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A file, and either the code of its refusal or the colours in the middle of the four quarters of the avatar that comes out."""

    name: str
    data: bytes
    code: str | None = None
    colours: tuple[tuple[int, ...], ...] = COLOURS
    tolerance: int = 24


def motif() -> Image.Image:
    """Four colours around the centre, wider than high."""
    image = Image.new("RGB", (420, 300), RED)
    for colour, box in ((GREEN, (210, 0, 420, 150)), (BLUE, (0, 150, 210, 300)), (YELLOW, (210, 150, 420, 300))):
        image.paste(colour, box)
    return image


def grey(image: Image.Image) -> tuple[tuple[int, ...], ...]:
    """The four colours as grey."""
    levels = np.asarray(image.convert("L"))
    return tuple((int(levels[at]),) * 3 for at in ((60, 100), (60, 300), (240, 100), (240, 300)))


def oriented() -> Iterator[Case]:
    for tag in range(1, 9):
        stored = motif().transpose(UNDO[tag]) if tag in UNDO else motif()
        for kind, options in (("PNG", {}), ("JPEG", {"quality": 92}), ("WEBP", {"quality": 92}), ("WEBP", {"lossless": True})):
            yield Case(name=f"{kind} {options} turned {tag}", data=encode(stored, kind, exif=turned(tag), **options))


def modes() -> Iterator[Case]:
    image, tones = motif(), grey(motif())
    yield Case(name="png palette", data=encode(image.quantize(16)))
    yield Case(name="png palette of 2 bits", data=encode(image.quantize(4), bits=2))
    yield Case(name="png interlaced", data=odd_images.interlaced(image))
    yield Case(name="png 16 bits a channel", data=odd_images.deep(image), tolerance=4)
    yield Case(name="png grey", data=encode(image.convert("L")), colours=tones, tolerance=4)
    yield Case(name="png grey and alpha", data=encode(image.convert("LA")), colours=tones, tolerance=4)
    yield Case(name="png alpha", data=encode(image.convert("RGBA")))
    yield Case(name="png black and white", data=encode(Image.new("1", (300, 300), 1)), colours=((255,) * 3,) * 4)
    levels = np.repeat(np.repeat(np.array([[0, 1], [2, 3]], np.uint8), 60, 0), 60, 1)
    yield Case(name="png grey of 2 bits", data=odd_images.few_bits(levels, 2), colours=((0,) * 3, (85,) * 3, (170,) * 3, (255,) * 3), tolerance=4)
    for level in (32, 64, 128, 192):
        yield Case(name=f"png 16 bit grey {level}", data=images.grey16(level), colours=((level,) * 3,) * 4, tolerance=2)
    yield Case(name="jpeg grey", data=encode(image.convert("L"), "JPEG", quality=92), colours=tones, tolerance=6)
    yield Case(name="jpeg progressive", data=encode(image, "JPEG", progressive=True))
    yield Case(name="jpeg without subsampling", data=encode(image, "JPEG", subsampling=0))
    yield Case(name="jpeg with restarts", data=encode(image, "JPEG", restart_marker_rows=1))
    yield Case(name="jpeg cmyk", data=images.cmyk_red(), colours=((255, 0, 0),) * 4, tolerance=60)
    yield Case(name="jpeg 100 %", data=encode(image, "JPEG", quality=100))
    yield Case(name="jpeg 20 %", data=encode(image, "JPEG", quality=20), tolerance=45)
    for lossless in (True, False):
        yield Case(name=f"webp alpha {lossless}", data=encode(image.convert("RGBA"), "WEBP", lossless=lossless, exact=True))


def transparent() -> Iterator[Case]:
    red, half = Image.new("RGBA", (300, 300), (220, 30, 30, 0)), Image.new("RGBA", (300, 300), (30, 200, 30, 128))
    palette = Image.new("P", (300, 300), 1)
    palette.putpalette([0, 0, 0, 220, 30, 30])
    files = {
        "png": encode(red), "webp": encode(red, "WEBP", lossless=True, exact=True), "lossy webp": encode(red, "WEBP", exact=True),
        "palette": encode(palette, transparency=1), "grey": encode(Image.new("LA", (300, 300), (200, 0))),
    }  # fmt: skip
    for name, data in files.items():
        yield Case(name=f"transparent {name} hides nothing", data=data, colours=(CLEAR,) * 4, tolerance=0)
    for kind in ("PNG", "WEBP"):
        yield Case(name=f"half transparent {kind}", data=encode(half, kind), colours=((30, 200, 30, 128),) * 4)


def profiled() -> Iterator[Case]:
    wide, standard = odd_images.wide_profile(), ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB"))
    image = Image.new("RGB", (300, 300), (180, 90, 70))
    seen = ImageCms.profileToProfile(image, ImageCms.ImageCmsProfile(io.BytesIO(wide)), standard)
    assert seen is not None
    colour = seen.getpixel((1, 1))
    assert isinstance(colour, tuple)
    for kind, options in (("PNG", {}), ("JPEG", {"quality": 95}), ("WEBP", {"lossless": True})):
        yield Case(name=f"{kind} wide profile", data=encode(image, kind, icc_profile=wide, **options), colours=(colour,) * 4, tolerance=8)
        yield Case(name=f"{kind} sRGB profile", data=encode(motif(), kind, icc_profile=standard.tobytes(), **options))
        yield Case(name=f"{kind} broken profile", data=encode(motif(), kind, icc_profile=b"no profile at all" * 20, **options))
    yield Case(name="png huge profile", data=encode(motif(), icc_profile=bytes(2_000_000)))


def shaped() -> Iterator[Case]:
    for size in ((5000, 1), (1, 5000), (1, 1), (2, 2), (900, 100), (100, 900)):
        for kind in ("PNG", "JPEG", "WEBP"):
            yield Case(name=f"{kind} {size}", data=encode(Image.new("RGB", size, GREEN), kind), colours=(GREEN,) * 4)


def harmless() -> Iterator[Case]:
    """Odd, and to be accepted without what is odd about it."""
    png, jpeg, webp = (encode(motif(), kind) for kind in ("PNG", "JPEG", "WEBP"))
    yield Case(name="bytes behind a png", data=png + b"<script>")
    yield Case(name="bytes behind a jpeg", data=jpeg + b"<script>")
    yield Case(name="bytes behind a webp", data=webp + b"<script>")
    yield Case(name="unknown chunk", data=after_head(png, chunk(b"quIz", b"?" * 5000)))
    yield Case(name="broken exif in a png", data=after_head(png, chunk(b"eXIf", b"II*\0\xff\xff\xff\xff")))
    yield Case(name="broken exif in a jpeg", data=jpeg[:2] + b"\xff\xe1\0\x10Exif\0\0" + b"\xff" * 8 + jpeg[2:])
    yield Case(name="acTL behind the pixels", data=png[:-12] + chunk(b"acTL", struct.pack(">II", 1, 0)) + png[-12:])


def refused() -> Iterator[Case]:
    files: dict[str, Callable[[], bytes]] = {kind: lambda kind=kind: encode(images.texture("half"), kind) for kind in ("PNG", "JPEG", "WEBP")}  # type: ignore[misc]
    for kind, make in files.items():
        data = make()
        for part in (30, 60, 90):
            yield Case(name=f"{part} % of a {kind}", data=data[: len(data) * part // 100], code="corrupt_image")
    damaged = bytearray(files["PNG"]())
    damaged[len(damaged) // 2] ^= 0xFF
    yield Case(name="png with damaged pixels", data=bytes(damaged), code="corrupt_image")
    for count in (1, 2):
        yield Case(name=f"apng of {count}", data=images.apng(count), code="animated_image")
        yield Case(name=f"animated webp of {count}", data=images.animated_webp(count), code="animated_image")
    odd = {kind.lower(): encode(motif(), kind) for kind in ("GIF", "BMP", "TIFF")} | {"svg": b"<svg xmlns='x'/>", "html": b"<html>", "nothing": b""}
    for name, data in odd.items():
        yield Case(name=name, data=data, code="unsupported_media_type")
    for name, data in {"png signature": b"\x89PNG\r\n\x1a\n", "riff head": b"RIFF\x04\0\0\0WEBP", "jpeg start": b"\xff\xd8\xff"}.items():
        yield Case(name=name, data=data, code="corrupt_image")
    for side in (14_000, 20_000):
        yield Case(name=f"canvas of {side}", data=images.one_bit(side, side), code="image_too_many_pixels")


def corpus() -> list[Case]:
    """All of it."""
    return [case for group in (oriented, modes, transparent, profiled, shaped, harmless, refused) for case in group()]
