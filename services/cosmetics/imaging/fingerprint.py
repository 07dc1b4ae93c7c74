"""What a picture looks like, in 200 bytes that survive scaling, recompression, small crops and mirroring (I-63).

A fingerprint is a hash of 64 bits over the low frequencies of its brightness, by which a hundred thousand are searched, and 8 x 8 colours, which tell
apart what brightness does not (plain colours, recoloured art). Two pictures are the same when both are close. See `docs/adr` for the measurement.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

GRID: Final = 64
PRINT_BYTES: Final = 8 + 192
MAX_BITS: Final = 14
MAX_COLOUR: Final = 9.0
CROPS: Final = (0, 1, 2, 3)
"""Of a known picture: as it is, and with so many of the 64 rows and columns cut off each edge (1.6 % each)."""

_Pixels = npt.NDArray[np.float32]


def _transform() -> _Pixels:
    """The first 8 rows of the discrete cosine transform of 32 values."""
    at = np.arange(32)
    rows: _Pixels = (np.array([np.cos(np.pi * (2 * at + 1) * k / 64) for k in range(9)]) / 16).astype(np.float32)
    return rows


_DCT: Final = _transform()
_LUMA: Final = np.array([0.299, 0.587, 0.114], np.float32)


def known_prints(whole: bytes, cut: bytes | None = None) -> tuple[str, ...]:
    """The fingerprints under which a picture is found again: whole and a little cropped, and as it was cut for its slot."""
    grids = [_pixels(whole)[crop : GRID - crop, crop : GRID - crop] for crop in CROPS]
    if cut is not None and cut != whole:
        grids.append(_pixels(cut))
    return tuple(base64.b64encode(_print(grid)).decode() for grid in grids)


def asked_prints(whole: bytes) -> tuple[bytes, ...]:
    """The fingerprints of an upload by which known ones are sought: as it is and mirrored."""
    grid = _pixels(whole)
    return (_print(grid), _print(grid[:, ::-1]))


def decoded(prints: Sequence[str]) -> tuple[bytes, ...]:
    """Fingerprints as they were recorded."""
    return tuple(base64.b64decode(text) for text in prints)


def _pixels(raw: bytes) -> _Pixels:
    return np.frombuffer(raw, np.uint8).reshape(GRID, GRID, 3).astype(np.float32)


def _print(grid: _Pixels) -> bytes:
    small = _resized(grid, 32)
    spectrum = _DCT @ (small @ _LUMA) @ _DCT.T
    low = spectrum[:8, :8].ravel().copy()
    low[0] = spectrum[0, 8]  # the mean says nothing; one more frequency in its place
    bits = np.packbits(low > 0.05)  # a flat picture has no bits, whatever noise a codec left
    colours = np.clip(np.rint(_resized(small, 8)), 0, 255).astype(np.uint8)
    return bits.tobytes() + colours.tobytes()


def _resized(grid: _Pixels, side: int) -> _Pixels:
    """Averages over equal areas, also where the sides are no multiples."""
    height, width, bands = grid.shape
    lines = (_areas(height, side) @ grid.reshape(height, width * bands)).reshape(side, width, bands)
    result: _Pixels = _areas(width, side) @ lines
    return result


@cache
def _areas(length: int, side: int) -> _Pixels:
    edges = np.linspace(0, length, side + 1)
    at = np.arange(length)
    overlap = np.minimum(edges[1:, None], at + 1) - np.maximum(edges[:-1, None], at)
    found: _Pixels = (np.clip(overlap, 0, 1) * side / length).astype(np.float32)
    return found
