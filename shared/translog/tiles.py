"""Tiles (c2sp.org/tlog-tiles): the tree cut into pieces of 256 hashes. Pure.

Tile `number` of level `level` holds the roots of 256 perfect subtrees of `256 ** level` leaves each; the last one of a level is partial while it
grows. A partial tile of an older tree is the beginning of the same tile of a newer one, so one row a tile serves every size.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from shared.eventstore.merkle import HASH_BYTES, Node, join, peaks, perfect_root

WIDTH: Final = 256
HEIGHT: Final = 8
MAX_LEVEL: Final = 7  # 2**64 leaves
_LEVEL = re.compile(r"[0-9]|[1-5][0-9]|6[0-3]")
_INNER = re.compile(r"x[0-9]{3}")
_LAST = re.compile(r"(?P<digits>[0-9]{3})(?P<partial>\.p)?")
_WIDTH = re.compile(r"[1-9][0-9]{0,2}")

TileKey = tuple[int, int]


@dataclass(frozen=True, slots=True)
class TilePath:
    """The tile that a path names; `width` is 256 for a full one."""

    level: int
    number: int
    width: int


def parse_path(level: str, parts: Sequence[str]) -> TilePath | None:
    """The tile named by `LEVEL/N[.p/W]`, where N is in groups of three digits; None for a path that names none."""
    *inner, last = parts
    width = WIDTH
    if inner and _LAST.fullmatch(inner[-1]) is not None:
        if not _WIDTH.fullmatch(last) or not 0 < int(last) < WIDTH:
            return None
        width, last = int(last), inner.pop()
    found = _LAST.fullmatch(last)
    if found is None or bool(found["partial"]) != (width < WIDTH) or not _LEVEL.fullmatch(level):
        return None
    if any(not _INNER.fullmatch(part) for part in inner) or (inner and inner[0] == "x000"):
        return None
    return TilePath(int(level), int("".join(part[1:] for part in inner) + found["digits"]), width)


def path_of(level: int, number: int, width: int = WIDTH) -> str:
    """The path of a tile, as `parse_path` reads it."""
    groups = [f"{number % 1000:03d}"]
    while number := number // 1000:
        groups.insert(0, f"x{number % 1000:03d}")
    return f"{level}/{'/'.join(groups)}" + (f".p/{width}" if width < WIDTH else "")


def partial_tiles(size: int) -> dict[int, tuple[int, int]]:
    """Of a tree of this size, by level, the number and the width of the tile that is not full."""
    found: dict[int, tuple[int, int]] = {}
    for level in range(MAX_LEVEL + 1):
        hashes = size >> (HEIGHT * level)
        if hashes % WIDTH:
            found[level] = (hashes // WIDTH, hashes % WIDTH)
    return found


def extents(size: int) -> dict[int, int]:
    """Of a tree of this size, by level, how many hashes its tiles hold in all."""
    return {level: size >> (HEIGHT * level) for level in range(MAX_LEVEL + 1) if size >> (HEIGHT * level)}


def split_hashes(raw: bytes) -> list[bytes]:
    """The hashes of a tile."""
    return [raw[at : at + HASH_BYTES] for at in range(0, len(raw), HASH_BYTES)]


def tile_of(node: Node) -> TileKey:
    """In which tile the hashes below this subtree are."""
    level, index = node
    return level // HEIGHT, (index << level % HEIGHT) // WIDTH


def subtree_hash(node: Node, tiles: Mapping[TileKey, bytes]) -> bytes:
    """The root of a perfect subtree, from the tile it is in. Raises `KeyError` when that does not reach so far."""
    level, index = node
    key = tile_of(node)
    count = 1 << level % HEIGHT
    begin = (index * count % WIDTH) * HASH_BYTES
    part = tiles[key][begin : begin + count * HASH_BYTES]
    if len(part) != count * HASH_BYTES:
        raise KeyError(key)
    return perfect_root(split_hashes(part))


class TreeBuilder:
    """Grows a tree leaf by leaf from its partial tiles (those of `partial_tiles(size)`), and says which tiles that changes."""

    def __init__(self, size: int, partial: Mapping[int, bytes]) -> None:
        self._size = size
        self._open: list[list[bytes]] = [split_hashes(partial.get(level, b"")) for level in range(MAX_LEVEL + 1)]
        self._full: dict[TileKey, bytes] = {}
        self._touched: set[int] = set()
        for level, (_, width) in partial_tiles(size).items():
            if len(self._open[level]) != width:
                raise ValueError(f"the open tile of level {level} has {len(self._open[level])} hashes instead of {width}")

    @property
    def size(self) -> int:
        """How many leaves there are."""
        return self._size

    def extend(self, leaves: Iterable[bytes]) -> None:
        """Add leaf hashes."""
        for leaf in leaves:
            self._size += 1
            self._push(0, leaf)

    def _push(self, level: int, found: bytes) -> None:
        hashes = self._open[level]
        hashes.append(found)
        self._touched.add(level)
        if len(hashes) == WIDTH:
            number = (self._size >> HEIGHT * level) // WIDTH - 1
            self._full[level, number] = b"".join(hashes)
            root = perfect_root(hashes)
            hashes.clear()
            self._push(level + 1, root)

    def root(self) -> bytes:
        """The root over all leaves."""
        return join([peak for level in reversed(self._open) for peak in peaks(level)])

    def changed(self) -> dict[TileKey, bytes]:
        """Every tile that has become longer since the start, full and partial."""
        found = dict(self._full)
        for level, (number, _) in partial_tiles(self._size).items():
            if level in self._touched:
                found[level, number] = b"".join(self._open[level])
        return found
