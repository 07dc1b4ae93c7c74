"""Pictures that Pillow does not write: interlaced, 16 bits a channel, with a profile of our own; and bombs that are small and sound."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import numpy.typing as npt
from PIL import Image

from tests.support.images import chunk, encode, png_head, webp_chunk

_ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


def _rows(pixels: npt.NDArray[np.uint8]) -> bytes:
    """Rows without a filter."""
    return b"".join(b"\0" + row.tobytes() for row in pixels)


def _png(width: int, height: int, depth: int, colour: int, raw: bytes, *, interlace: int = 0) -> bytes:
    head = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlace))
    return head + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b"")


def interlaced(image: Image.Image) -> bytes:
    """Adam7: seven passes, each a small picture."""
    pixels = np.asarray(image.convert("RGB"))
    passes = [pixels[y::down, x::across] for x, y, across, down in _ADAM7]
    return _png(image.width, image.height, 8, 2, b"".join(_rows(part) for part in passes if part.size), interlace=1)


def deep(image: Image.Image) -> bytes:
    """16 bits a channel."""
    pixels = np.asarray(image.convert("RGB")).astype(">u2") * 257
    return _png(image.width, image.height, 16, 2, b"".join(b"\0" + row.astype(">u2").tobytes() for row in pixels))


def few_bits(levels: npt.NDArray[np.uint8], bits: int) -> bytes:
    """Grey of 1, 2 or 4 bits; the levels are of that many bits."""
    spread = np.unpackbits(levels[..., None], axis=2)[..., 8 - bits :].reshape(levels.shape[0], -1)
    return _png(levels.shape[1], levels.shape[0], bits, 0, _rows(np.packbits(spread, axis=1)))


def wide_profile() -> bytes:
    """A colour profile (ICC 2.4, matrix and gamma 1.8) whose primaries lie outside of sRGB."""

    def fixed(*numbers: float) -> bytes:
        return b"".join(struct.pack(">i", round(number * 65536)) for number in numbers)

    text = b"wide"
    tags = {
        b"desc": b"desc" + bytes(4) + struct.pack(">I", len(text) + 1) + text + b"\0" + bytes(78),
        b"cprt": b"text" + bytes(4) + b"none\0",
        b"wtpt": b"XYZ " + bytes(4) + fixed(0.9642, 1.0, 0.8249),
        b"rXYZ": b"XYZ " + bytes(4) + fixed(0.7977, 0.2880, 0.0),
        b"gXYZ": b"XYZ " + bytes(4) + fixed(0.1352, 0.7119, 0.0),
        b"bXYZ": b"XYZ " + bytes(4) + fixed(0.0313, 0.0001, 0.8249),
        **{name: b"curv" + bytes(4) + struct.pack(">IH", 1, round(1.8 * 256)) for name in (b"rTRC", b"gTRC", b"bTRC")},
    }
    table, body, at = b"", b"", 128 + 4 + 12 * len(tags)
    for name, data in tags.items():
        table += name + struct.pack(">II", at + len(body), len(data))
        body += data + bytes(-len(data) % 4)
    size = at + len(body)
    head = struct.pack(">I4sI4s4s4s", size, bytes(4), 0x02400000, b"mntr", b"RGB ", b"XYZ ") + bytes(12) + b"acsp" + bytes(28)
    return head + fixed(0.9642, 1.0, 0.8249) + bytes(48) + struct.pack(">I", len(tags)) + table + body


def webp_bomb(size: int = 472_000) -> bytes:
    """A still WebP of 178 megapixels: without loss, of one colour, which takes no bit a pixel; the rest of its bytes is a chunk that nobody reads."""
    stream = 0x2F | (16382 << 8) | (10899 << 22)
    at = 8 + 14 + 14 + 1 + 3 + 1 + 1 + 1  # no alpha, version 0, no transform, no colour cache, one group of codes
    for _ in range(5):  # five codes, each of one symbol, 0: the bits 1, 0, 0, 0
        stream |= 1 << at
        at += 4
    body = webp_chunk(b"VP8L", stream.to_bytes((at + 7) // 8 + 1, "little"))
    body += webp_chunk(b"JUNK", bytes(size - len(body) - 20))
    return b"RIFF" + struct.pack("<I", 4 + len(body)) + b"WEBP" + body


def png_bomb(side: int = 13_100) -> bytes:
    """A PNG of 172 megapixels in three channels, 516 MB of zeros, packed to half a megabyte."""
    packer, length = zlib.compressobj(9, zlib.DEFLATED, -15), (1 + side * 3) * 100
    block = packer.compress(bytes(length)) + packer.flush(zlib.Z_FULL_FLUSH)  # what comes after is the same again
    check = (length * (side // 100) % 65521) << 16 | 1
    data = b"\x78\xda" + block * (side // 100) + b"\x03\0" + struct.pack(">I", check)
    return png_head(side, side, 8, 2) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def jpeg_bomb(side: int = 15_488) -> bytes:
    """A grey JPEG of 240 megapixels: each block of 64 takes six bits, so that the scan is three bytes over and over."""
    data = encode(Image.new("L", (16, 16), 128), "JPEG", quality=50)
    frame, scan = data.index(b"\xff\xc0"), data.index(b"\xff\xda")
    (length,) = struct.unpack(">H", data[scan + 2 : scan + 4])
    head = data[: frame + 5] + struct.pack(">HH", side, side) + data[frame + 9 : scan + 2 + length]
    return head + b"\x28\xa2\x8a" * (side // 8 * (side // 8) // 4) + b"\xff\xd9"
