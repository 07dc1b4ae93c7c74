"""Finds known pictures among a hundred thousand in milliseconds: one pass over all hashes, then the colours of the few that are near."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from services.cosmetics.imaging.fingerprint import MAX_BITS, MAX_COLOUR, PRINT_BYTES

_FIRST: Final = 1024
_BLOCK: Final = 16_384


class PrintIndex:
    """Fingerprints by the name of their picture, which may have several. Names that were taken out leave a gap until the index grows."""

    def __init__(self, *, max_bits: int = MAX_BITS, max_colour: float = MAX_COLOUR) -> None:
        self._max_bits, self._max_colour = max_bits, max_colour
        self._hashes: npt.NDArray[np.uint64] = np.zeros(_FIRST, np.uint64)
        self._colours: npt.NDArray[np.uint8] = np.zeros((_FIRST, 192), np.uint8)
        self._differing: npt.NDArray[np.uint64] = np.zeros(_BLOCK, np.uint64)
        self._bits: npt.NDArray[np.uint8] = np.zeros(_BLOCK, np.uint8)
        self._names: list[str | None] = []
        self._rows: dict[str, list[int]] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def put(self, name: str, prints: Sequence[bytes]) -> None:
        """Add the picture, in place of one of this name."""
        self.drop(name)
        self._reserve(len(prints))
        for one in prints:
            if len(one) != PRINT_BYTES:
                raise ValueError(f"a fingerprint has {PRINT_BYTES} bytes, not {len(one)}")
            row = len(self._names)
            self._hashes[row] = np.frombuffer(one[:8], np.uint64)[0]
            self._colours[row] = np.frombuffer(one[8:], np.uint8)
            self._names.append(name)
            self._rows.setdefault(name, []).append(row)

    def drop(self, name: str) -> None:
        """Take the picture out; nothing when it is not in."""
        for row in self._rows.pop(name, ()):
            self._names[row] = None

    def find(self, prints: Sequence[bytes]) -> list[str]:
        """The names of the pictures that look like one of these, the nearest first."""
        used = len(self._names)
        near: dict[str, float] = {}
        for one in prints:
            rows = self._near(np.frombuffer(one[:8], np.uint64)[0], used)
            if not len(rows):
                continue
            difference = self._colours[rows].astype(np.float32) - np.frombuffer(one[8:], np.uint8).astype(np.float32)
            distances = np.sqrt(np.mean(difference * difference, axis=1))
            for row, distance in zip(rows.tolist(), distances.tolist(), strict=True):
                name = self._names[row]
                if name is not None and distance <= self._max_colour:
                    near[name] = min(distance, near.get(name, distance))
        return sorted(near, key=lambda name: near[name])

    def _near(self, wanted: np.uint64, used: int) -> npt.NDArray[np.intp]:
        """The rows whose hash differs in few bits, block by block: what is compared stays in the processor's cache."""
        found = []
        for start in range(0, used, _BLOCK):
            hashes = self._hashes[start : min(start + _BLOCK, used)]
            size = len(hashes)
            np.bitwise_xor(hashes, wanted, out=self._differing[:size])
            np.bitwise_count(self._differing[:size], out=self._bits[:size])
            rows = np.flatnonzero(self._bits[:size] <= self._max_bits)
            if len(rows):
                found.append(rows + start)
        return np.concatenate(found) if found else np.zeros(0, np.intp)

    def _reserve(self, count: int) -> None:
        used = len(self._names)
        if used + count <= len(self._hashes):
            return
        kept = [row for row in range(used) if self._names[row] is not None]
        size = max(_FIRST, 2 * (len(kept) + count))
        hashes, colours = np.zeros(size, np.uint64), np.zeros((size, 192), np.uint8)
        hashes[: len(kept)], colours[: len(kept)] = self._hashes[kept], self._colours[kept]
        self._hashes, self._colours = hashes, colours
        self._names = [self._names[row] for row in kept]
        self._rows = {}
        for row, name in enumerate(self._names):
            if name is not None:
                self._rows.setdefault(name, []).append(row)
