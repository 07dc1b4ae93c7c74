"""The tree against the definitions of RFC 6962, written down here as they stand there, and against another implementation where it is installed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from hashlib import sha256

import pytest

from shared.eventstore import merkle
from shared.translog import tiles

SIZES = 1025
LEAVES = [sha256(b"\x00" + str(n).encode()).digest() for n in range(SIZES)]


@cache
def naive_root(begin: int, end: int) -> bytes:
    """MTH(D[begin:end]) (RFC 6962, 2.1)."""
    if begin == end:
        return sha256(b"").digest()
    if end - begin == 1:
        return LEAVES[begin]
    k = 1
    while 2 * k < end - begin:
        k *= 2
    return sha256(b"\x01" + naive_root(begin, begin + k) + naive_root(begin + k, end)).digest()


def naive_inclusion(m: int, begin: int, end: int) -> list[bytes]:
    """PATH(m, D[begin:end]) (RFC 6962, 2.1.1)."""
    if end - begin == 1:
        return []
    k = 1
    while 2 * k < end - begin:
        k *= 2
    if m < k:
        return [*naive_inclusion(m, begin, begin + k), naive_root(begin + k, end)]
    return [*naive_inclusion(m - k, begin + k, end), naive_root(begin, begin + k)]


def naive_consistency(m: int, begin: int, end: int, *, whole: bool = True) -> list[bytes]:
    """SUBPROOF(m, D[begin:end], whole) (RFC 6962, 2.1.2)."""
    if m == end - begin:
        return [] if whole else [naive_root(begin, end)]
    k = 1
    while 2 * k < end - begin:
        k *= 2
    if m <= k:
        return [*naive_consistency(m, begin, begin + k, whole=whole), naive_root(begin + k, end)]
    return [*naive_consistency(m - k, begin + k, end, whole=False), naive_root(begin, begin + k)]


def lookup(level: int, index: int) -> bytes:
    """The perfect subtree over the leaves of this test."""
    return naive_root(index << level, index + 1 << level)


@pytest.mark.bar(12)
def test_roots_and_proofs_of_every_size_are_those_of_the_definition() -> None:
    """Bar 12: every size to 1,025; every leaf and every older size for a few, some for each."""
    chance = random.Random(12)
    for size in range(1, SIZES + 1):
        root = naive_root(0, size)
        assert merkle.root_of(LEAVES[:size]) == root
        places = range(size) if size <= 80 or size in (255, 256, 257, 1024, 1025) else sorted({0, size - 1, *chance.sample(range(size), 6)})
        for index in places:
            path = merkle.proof(merkle.inclusion_nodes(index, size), lookup)
            assert path == naive_inclusion(index, 0, size)
            assert merkle.verify_inclusion(index, size, LEAVES[index], path, root)
            old = index + 1
            path = merkle.proof(merkle.consistency_nodes(old, size), lookup)
            assert path == naive_consistency(old, 0, size)
            assert merkle.verify_consistency(old, size, naive_root(0, old), root, path)


@pytest.mark.bar(12)
@pytest.mark.filterwarnings("ignore")  # what another library warns of is not ours to mend
def test_another_implementation_has_the_same_roots_and_inclusion_proofs() -> None:
    """Bar 12, with `pymerkle` where it is installed (it is not shipped, nor needed)."""
    chance = random.Random(7)
    pymerkle = pytest.importorskip("pymerkle")
    other = pymerkle.InmemoryTree(algorithm="sha256")
    for size in range(1, SIZES + 1):
        other.append_entry(str(size - 1).encode())
        assert other.get_state() == naive_root(0, size)
        assert merkle.root_of(LEAVES[:size]) == other.get_state()
        for index in {0, size - 1, chance.randrange(size)}:
            _, *path = other.prove_inclusion(index + 1, size).path  # it counts from 1 and begins with the leaf
            assert path == merkle.proof(merkle.inclusion_nodes(index, size), lookup)


def mutated(chance: random.Random, path: Sequence[bytes]) -> list[bytes]:
    """The proof with one thing wrong."""
    changed = list(path)
    kind = chance.choice(("flip", "drop", "add", "swap", "cut", "double") if len(path) > 1 else ("flip", "drop", "add") if path else ("add",))
    at = chance.randrange(len(path)) if path else 0
    if kind == "flip":
        one = bytearray(changed[at])
        one[chance.randrange(32)] ^= 1 << chance.randrange(8)
        changed[at] = bytes(one)
    elif kind == "drop":
        del changed[at]
    elif kind == "add":
        changed.insert(at, chance.randbytes(32))
    elif kind == "swap":
        other = (at + 1) % len(path)
        changed[at], changed[other] = changed[other], changed[at]
    elif kind == "cut":
        changed[at] = changed[at][:31]
    else:
        changed.insert(at, changed[at])
    return changed


@pytest.mark.bar(12)
@pytest.mark.parametrize("count", [2_000, pytest.param(20_000, marks=pytest.mark.full)])
def test_altered_proofs_are_refused(count: int) -> None:
    """Bar 12: 20,000 proofs altered in their hashes, place, sizes or roots; as a control each is accepted before it is altered."""
    chance = random.Random(count)
    for _ in range(count // 2):
        size = chance.randint(2, SIZES)
        index, root = chance.randrange(size), naive_root(0, size)
        path = merkle.proof(merkle.inclusion_nodes(index, size), lookup)
        assert merkle.verify_inclusion(index, size, LEAVES[index], path, root)
        assert not merkle.verify_inclusion(index, size, LEAVES[index], mutated(chance, path), root)
        other = chance.choice([n for n in {index - 1, index + 1, index ^ 1, 0, size - 1} if n != index and 0 <= n < size])
        assert not merkle.verify_inclusion(other, size, LEAVES[index], path, root)
        assert not merkle.verify_inclusion(index, size, LEAVES[other], path, root)
        old = chance.randint(1, size - 1)
        start, path = naive_root(0, old), merkle.proof(merkle.consistency_nodes(old, size), lookup)
        assert merkle.verify_consistency(old, size, start, root, path)
        changed = mutated(chance, path)
        assert not merkle.verify_consistency(old, size, start, root, changed)
        assert not merkle.verify_consistency(old, size, root, start, path)
        assert not merkle.verify_consistency(old, size, naive_root(0, old - 1) if old > 1 else root, root, path)


def test_what_cannot_be_proven_is_an_error() -> None:
    for index, size in ((-1, 1), (1, 1), (0, 0)):
        with pytest.raises(ValueError, match="leaf"):
            merkle.inclusion_nodes(index, size)
        assert not merkle.verify_inclusion(index, size, LEAVES[0], [], LEAVES[0])
    with pytest.raises(ValueError, match="tree"):
        merkle.consistency_nodes(3, 2)
    assert merkle.consistency_nodes(0, 5) == [] == merkle.consistency_nodes(5, 5)
    assert merkle.verify_consistency(0, 5, merkle.EMPTY_ROOT, naive_root(0, 5), [])
    assert not merkle.verify_consistency(0, 5, LEAVES[0], naive_root(0, 5), [])
    assert merkle.root_of([]) == merkle.EMPTY_ROOT == naive_root(0, 0)


def test_a_tree_grown_in_steps_over_its_tiles_is_the_whole_tree() -> None:
    """c2sp.org/tlog-tiles: after every step each tile is what the definition says, and each proof comes out of the tiles."""
    chance = random.Random(8)
    held: dict[tiles.TileKey, bytes] = {}
    size = 0
    while size < SIZES:
        step = min(chance.choice((1, 2, 3, 100, 255, 256, 300)), SIZES - size)
        builder = tiles.TreeBuilder(size, {level: held[level, number] for level, (number, _) in tiles.partial_tiles(size).items()})
        assert size == 0 or builder.root() == naive_root(0, size)
        builder.extend(LEAVES[size : size + step])
        changed = builder.changed()
        assert all(hashes.startswith(held.get(key, b"")) for key, hashes in changed.items())
        held |= changed
        size += step
        assert builder.root() == naive_root(0, size)
        for level, count in tiles.extents(size).items():
            kept = b"".join(held[level, number] for number in range((count - 1) // 256 + 1))
            assert tiles.split_hashes(kept) == [naive_root(n << 8 * level, n + 1 << 8 * level) for n in range(count)]
        index = chance.randrange(size)
        path = [merkle.join([tiles.subtree_hash(node, held) for node in part]) for part in merkle.inclusion_nodes(index, size)]
        assert path == naive_inclusion(index, 0, size)


def test_tile_paths_are_those_of_the_specification() -> None:
    """c2sp.org/tlog-tiles: groups of three digits, all but the last after an x; partial widths 1 to 255; no other spelling."""
    assert tiles.path_of(0, 1234067) == "0/x001/x234/067"
    assert tiles.path_of(2, 0, 1) == "2/000.p/1"
    for level, number, width in ((0, 0, 256), (3, 999, 255), (0, 1000, 256), (1, 1234067, 112)):
        head, *parts = tiles.path_of(level, number, width).split("/")
        assert tiles.parse_path(head, parts) == tiles.TilePath(level, number, width)
    short, long = ("0/0", "0/00", "0/x001", "00/000", "64/000", "-1/000"), ("0/x000/001", "0/001/002", "0/000/8")
    for path in (*short, *long, "0/000.p/0", "0/000.p/256", "0/000.p/01", "0/000.p"):
        head, *parts = path.split("/")
        assert tiles.parse_path(head, parts) is None, path
    assert tiles.partial_tiles(70_000) == {0: (273, 112), 1: (1, 17), 2: (0, 1)}
    assert tiles.partial_tiles(256) == {1: (0, 1)}
