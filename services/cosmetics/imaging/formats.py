"""What a file is, by its own bytes and before anything decodes it: format, size, and whether it moves (I-61).

Nothing here trusts a length that the file states, and nothing reads pixels. Whatever the bytes are, the outcome is a `Header` or a `Refusal`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Protocol

from shared.refusal import Refusal

MAX_PIXELS: Final = 100_000_000
PNG: Final = "image/png"
JPEG: Final = "image/jpeg"
WEBP: Final = "image/webp"
MEDIA_TYPES: Final = (PNG, JPEG, WEBP)

_PNG_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_MAX_PARTS: Final = 100_000
_NO_SIZE: Final = frozenset({0xC4, 0xC8, 0xCC})
_STANDALONE: Final = frozenset({0x01, *range(0xD0, 0xD9)})


class Bytes(Protocol):
    """Bytes, or a mapped file."""

    def __len__(self) -> int: ...

    def __getitem__(self, part: slice, /) -> bytes: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What the file says it is. `whole`: its decoder has to hold all of it in memory (progressive, interlaced, WebP), not a few lines at a time."""

    media_type: str
    width: int
    height: int
    whole: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    header: Header
    animated: bool = False


def read_header(data: Bytes) -> Header:
    """The header of a picture that may be decoded.

    Raises a `Refusal`: `unsupported_media_type` for what is no PNG, JPEG or WebP (GIF too, even a still one), `animated_image` for every animation
    container, even one of a single frame (I03), `image_too_many_pixels`, `corrupt_image`.
    """
    start = data[0:12]
    if start[:8] == _PNG_SIGNATURE:
        found = _png(data)
    elif start[:3] == b"\xff\xd8\xff":
        found = _jpeg(data)
    elif start[:4] == b"RIFF" and start[8:12] == b"WEBP":
        found = _webp(data)
    else:
        raise Refusal("unsupported_media_type", "The body is no PNG, JPEG or WebP image.", allowed=list(MEDIA_TYPES))
    header = found.header
    if header.width <= 0 or header.height <= 0:
        raise corrupt()
    if found.animated:
        raise Refusal("animated_image", "Animations are not accepted, nor are animation containers with one frame.")
    if header.width * header.height > MAX_PIXELS:
        size = {"width": header.width, "height": header.height}
        raise Refusal("image_too_many_pixels", "The image has more than 100 megapixels.", allowed={"pixels": MAX_PIXELS}, current=size)
    return header


def corrupt(detail: str = "The image is damaged, incomplete, or of a kind that can't be read.") -> Refusal:
    """422 `corrupt_image`."""
    return Refusal("corrupt_image", detail)


def _unpack(form: str, data: Bytes, at: int) -> tuple[Any, ...]:
    try:
        return struct.unpack(form, data[at : at + struct.calcsize(form)])
    except struct.error:
        raise corrupt() from None


def _png(data: Bytes) -> _Found:
    length, kind, width, height, *_, interlace = _unpack(">I4sIIBBBBB", data, 8)
    if length != 13 or kind != b"IHDR":
        raise corrupt()
    animated = False
    at = 8
    for _ in range(_MAX_PARTS):
        length, kind = _unpack(">I4s", data, at)
        if kind == b"acTL":
            animated = True
        if kind in {b"IDAT", b"IEND"}:  # an acTL behind the first IDAT is none (PNG, 11.3.6)
            return _Found(header=Header(media_type=PNG, width=width, height=height, whole=interlace != 0), animated=animated)
        at += 12 + length
    raise corrupt()


def _segments(data: Bytes) -> Iterator[tuple[int, int]]:
    """The marker of each JPEG segment, and where its content begins, up to the first scan."""
    at = 2
    for _ in range(_MAX_PARTS):
        if data[at : at + 1] != b"\xff":
            raise corrupt()
        while data[at + 1 : at + 2] == b"\xff":
            at += 1
        (marker,) = _unpack(">B", data, at + 1)
        if marker in _STANDALONE:
            at += 2
            continue
        (length,) = _unpack(">H", data, at + 2)
        if marker == 0xD9 or length < 2:
            raise corrupt()
        yield marker, at + 4
        at += 2 + length
    raise corrupt()


def _jpeg(data: Bytes) -> _Found:
    frame: tuple[int, int, int, int] | None = None
    for marker, at in _segments(data):
        if 0xC0 <= marker <= 0xCF and marker not in _NO_SIZE:
            if frame is not None:
                raise corrupt()
            _, height, width, components = _unpack(">BHHB", data, at)
            frame = (marker, width, height, components)
        if marker == 0xDA:
            if frame is None:
                raise corrupt()
            (scanned,) = _unpack(">B", data, at)
            kind, width, height, components = frame
            # A scan of some components only is as bad as a progressive one: all coefficients are kept until the last.
            whole = kind not in {0xC0, 0xC1} or scanned < components
            return _Found(header=Header(media_type=JPEG, width=width, height=height, whole=whole))
    raise corrupt()


def _webp(data: Bytes) -> _Found:
    (size,) = _unpack("<I", data, 4)
    end = 8 + size
    if end > len(data):
        raise corrupt()
    at, canvas, animated = 12, None, False
    for _ in range(_MAX_PARTS):
        kind, length = _unpack("<4sI", data, at)
        body = at + 8
        if kind == b"VP8X":
            flags, *_, w0, w1, h0, h1 = _unpack("<B3sHBHB", data, body)
            canvas = (w0 + (w1 << 16) + 1, h0 + (h1 << 16) + 1)
            animated = bool(flags & 0x02)
        elif kind in {b"ANIM", b"ANMF"}:
            animated = True
        elif kind in {b"VP8 ", b"VP8L"}:
            width, height = canvas or (_lossy(data, body) if kind == b"VP8 " else _lossless(data, body))
            return _Found(header=Header(media_type=WEBP, width=width, height=height, whole=True), animated=animated)
        if animated and canvas is not None:
            return _Found(header=Header(media_type=WEBP, width=canvas[0], height=canvas[1], whole=True), animated=True)
        at = body + length + length % 2
        if at >= end:
            break
    raise corrupt()


def _lossy(data: Bytes, at: int) -> tuple[int, int]:
    _, start, width, height = _unpack("<3s3sHH", data, at)
    if start != b"\x9d\x01\x2a":
        raise corrupt()
    return width & 0x3FFF, height & 0x3FFF


def _lossless(data: Bytes, at: int) -> tuple[int, int]:
    signature, bits = _unpack("<BI", data, at)
    if signature != 0x2F:
        raise corrupt()
    return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
