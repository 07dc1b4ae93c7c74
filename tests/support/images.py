"""Pictures of every kind, made here: no file of anybody's, and another encoder than the service's."""

from __future__ import annotations

import io
import random
import struct
import zlib
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

RED, GREEN, BLUE, YELLOW = (220, 30, 30), (30, 200, 30), (30, 30, 220), (220, 220, 30)


def encode(image: Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def texture(seed: object, width: int = 300, height: int = 300) -> Image.Image:
    """A picture like no other of another seed."""
    chance = random.Random(repr(seed))
    image = Image.frombytes("RGB", (6, 6), chance.randbytes(108)).resize((width, height), Image.Resampling.BICUBIC)
    draw = ImageDraw.Draw(image)
    for _ in range(6):
        x, y, r = chance.randrange(width), chance.randrange(height), chance.randrange(min(width, height) // 10, min(width, height) // 3)
        draw.ellipse((x - r, y - r, x + r, y + r), fill=tuple(chance.randbytes(3)))
    return image


def bands(width: int, height: int) -> Image.Image:
    """Red, green and blue side by side in a wide picture, stacked in a tall one."""
    image = Image.new("RGB", (width, height))
    for n, colour in enumerate((RED, GREEN, BLUE)):
        wide = width >= height
        box = (width * n // 3, 0, width * (n + 1) // 3, height) if wide else (0, height * n // 3, width, height * (n + 1) // 3)
        image.paste(colour, box)
    return image


def turned(tag: int) -> Image.Exif:
    """An orientation tag."""
    exif = Image.Exif()
    exif[0x0112] = tag
    return exif


def chunk(name: bytes, data: bytes) -> bytes:
    """One PNG chunk."""
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def after_head(png: bytes, *chunks: bytes) -> bytes:
    """The PNG with more chunks right after its IHDR."""
    return png[:33] + b"".join(chunks) + png[33:]


def png_head(width: int, height: int, depth: int, colour: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0))


def one_bit(width: int, height: int) -> bytes:
    """A black picture of some KB, whatever its size."""
    row, packer = bytes(1 + (width + 7) // 8), zlib.compressobj(9)
    data = b"".join(packer.compress(row * 100) for _ in range(height // 100)) + packer.compress(row * (height % 100)) + packer.flush()
    return png_head(width, height, 1, 0) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def grey16(*levels: int, size: int = 300) -> bytes:
    """16-bit grey with a vertical band for each 8-bit level."""
    row = b"".join(struct.pack(">H", levels[x * len(levels) // size] * 257) for x in range(size))
    return png_head(size, size, 16, 0) + chunk(b"IDAT", zlib.compress((b"\0" + row) * size)) + chunk(b"IEND", b"")


def apng(frames: int = 2) -> bytes:
    """A PNG with an animation control chunk."""
    return after_head(encode(texture("apng", 64, 64)), chunk(b"acTL", struct.pack(">II", frames, 0)))


def webp_chunk(name: bytes, data: bytes) -> bytes:
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def animated_webp(frames: int = 2) -> bytes:
    """An animation container with this many frames of 64 x 64."""
    def u24(n: int) -> bytes:
        return struct.pack("<I", n)[:3]

    body = webp_chunk(b"VP8X", b"\x02\0\0\0" + u24(63) + u24(63)) + webp_chunk(b"ANIM", b"\xff\xff\xff\xff\0\0")
    for n in range(frames):
        still = encode(Image.new("RGB", (64, 64), (80 * n % 256, 90, 120)), "WEBP", lossless=True)
        body += webp_chunk(b"ANMF", u24(0) + u24(0) + u24(63) + u24(63) + u24(100) + b"\0" + still[12:])
    return b"RIFF" + struct.pack("<I", 4 + len(body)) + b"WEBP" + body


def cmyk_red() -> bytes:
    return encode(Image.new("CMYK", (300, 300), (0, 255, 255, 0)), "JPEG", quality=95)


def padded(size: int) -> bytes:
    """A valid PNG of exactly this many bytes."""
    png = encode(texture("padded"))
    return after_head(png, chunk(b"paDd", bytes(size - len(png) - 12)))


def photo(size: int) -> bytes:
    """A JPEG of some 31 megapixels that no codec finds easy, padded by a comment segment or more to exactly this many bytes (21 MB are enough)."""
    chance = np.random.default_rng(27)
    noise = chance.integers(0, 256, (1800, 2400, 3), np.uint8)
    data = encode(Image.fromarray(noise).resize((6400, 4800), Image.Resampling.BILINEAR), "JPEG", quality=88)
    filler, left = b"", size - len(data)
    while left > 0:
        length = min(left, 60_000) if left - 60_000 not in range(1, 4) else left - 4
        filler += b"\xff\xfe" + struct.pack(">H", length - 2) + bytes(length - 4)
        left -= length
    return data[:2] + filler + data[2:]
