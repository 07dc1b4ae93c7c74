"""What the log shows of itself: the last checkpoint, tiles, and proofs made from them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from shared.eventstore import merkle
from shared.eventstore.merkle import Node
from shared.refusal import Refusal, Unavailable
from shared.translog import tiles
from shared.translog.keys import LogKeys
from shared.translog.tiles import TileKey, TilePath

Fetch = Callable[..., Awaitable[Sequence[Any]]]

LAST_SQL = "SELECT size, root, note FROM log_checkpoints ORDER BY size DESC, key_id = $1 DESC LIMIT 1"
TILES_SQL = """
SELECT t.level, t.number, t.hashes FROM unnest($1::integer[], $2::bigint[]) AS k(level, number)
JOIN log_tiles t ON t.level = k.level AND t.number = k.number"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealed:
    """The last signed checkpoint."""

    size: int
    root: bytes
    note: bytes


class TransparencyLog:
    """Reads of the sealed log. What is not sealed yet is not shown; every method raises `Unavailable` when the database can't answer."""

    def __init__(self, fetch: Fetch, keys: LogKeys) -> None:
        self._fetch = fetch
        self.keys = keys

    async def last(self) -> Sealed:
        """The last checkpoint; `Unavailable` before the first one, which follows the start within a second."""
        rows = await self._fetch(LAST_SQL, self.keys.signer.verifier.key_id)
        if not rows:
            raise Unavailable("The log has no checkpoint yet.")
        size, root, note = rows[0]
        return Sealed(size=size, root=root, note=note)

    async def tile(self, path: TilePath) -> bytes:
        """The hashes of a tile. Raises a `Refusal` `not_found` for one that is not there, or not that wide."""
        found = await self._tiles({(path.level, path.number)})
        hashes = found.get((path.level, path.number), b"")[: path.width * merkle.HASH_BYTES]
        if len(hashes) < path.width * merkle.HASH_BYTES:
            raise Refusal("not_found", "The tree has no such tile yet.")
        return hashes

    async def inclusion(self, index: int, size: int | None) -> tuple[int, list[bytes]]:
        """The proof that leaf `index` is in the tree of `size` (None: the last checkpoint's), and that size. Raises a `Refusal` `not_found`."""
        sealed = await self.last()
        size = sealed.size if size is None else size
        _within(size, sealed)
        if index >= size:
            raise Refusal("not_found", f"There is no event {index + 1} in a tree of {size}.", current={"size": sealed.size})
        return size, await self._proof(merkle.inclusion_nodes(index, size))

    async def consistency(self, old: int, new: int | None) -> tuple[int, list[bytes]]:
        """The proof that the tree of `new` (None: the last checkpoint's) begins with that of `old`, and the newer size. Raises a `Refusal`."""
        sealed = await self.last()
        new = sealed.size if new is None else new
        _within(new, sealed)
        if old > new:
            raise Refusal("invalid_request", "A tree never gets smaller.", field="from", current={"size": sealed.size})
        return new, await self._proof(merkle.consistency_nodes(old, new))

    async def _proof(self, nodes: list[list[Node]]) -> list[bytes]:
        held = await self._tiles({tiles.tile_of(node) for part in nodes for node in part})
        return merkle.proof(nodes, lambda level, index: tiles.subtree_hash((level, index), held))

    async def _tiles(self, keys: set[TileKey]) -> dict[TileKey, bytes]:
        if not keys:
            return {}
        levels, numbers = zip(*sorted(keys), strict=True)
        rows = await self._fetch(TILES_SQL, levels, numbers)
        return {(level, number): hashes for level, number, hashes in rows}


def _within(size: int, sealed: Sealed) -> None:
    if size > sealed.size:
        raise Refusal("not_found", f"The last checkpoint has {sealed.size} leaves.", current={"size": sealed.size})
