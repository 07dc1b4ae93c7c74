"""The Merkle tree of RFC 6962 over leaf hashes: roots, proofs, and the checks of proofs. Pure.

A tree of any size is made of perfect subtrees; `(level, index)` names the one over the leaves `index * 2**level` up to `(index + 1) * 2**level`.
Whatever is asked for (a root, a proof) is given as the perfect subtrees it is joined from, so that a log kept as tiles answers it from a few reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Final

HASH_BYTES: Final = 32
EMPTY_ROOT: Final = sha256(b"").digest()
_NODE: Final = b"\x01"  # RFC 6962: what sets an inner node apart from a leaf

Node = tuple[int, int]
Lookup = Callable[[int, int], bytes]


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of an inner node (RFC 6962, 2.1)."""
    return sha256(_NODE + left + right).digest()


def next_level(hashes: Sequence[bytes]) -> list[bytes]:
    """The hashes one level up; an odd last one is left out, since nothing perfect is above it yet."""
    return [sha256(_NODE + left + right).digest() for left, right in zip(hashes[::2], hashes[1::2], strict=False)]


def perfect_root(hashes: Sequence[bytes]) -> bytes:
    """The root over 1, 2, 4, 8 ... hashes. Raises `ValueError` for another number."""
    if not hashes or len(hashes) & (len(hashes) - 1):
        raise ValueError(f"{len(hashes)} hashes make no perfect tree")
    level: Sequence[bytes] = hashes
    while len(level) > 1:
        level = next_level(level)
    return level[0]


def peaks(hashes: Sequence[bytes]) -> list[bytes]:
    """The roots of the perfect subtrees over any number of hashes, left to right; their `join` is the root over all."""
    found: list[bytes] = []
    at = 0
    for bit in reversed(range(len(hashes).bit_length())):
        if len(hashes) >> bit & 1:
            found.append(perfect_root(hashes[at : at + (1 << bit)]))
            at += 1 << bit
    return found


def join(subtrees: Sequence[bytes]) -> bytes:
    """The root over perfect subtrees that stand side by side, larger ones first; that of the empty tree for none."""
    if not subtrees:
        return EMPTY_ROOT
    found = subtrees[-1]
    for left in reversed(subtrees[:-1]):
        found = node_hash(left, found)
    return found


def root_of(leaves: Sequence[bytes]) -> bytes:
    """The root over all leaf hashes (RFC 6962, 2.1: MTH)."""
    return join(peaks(leaves))


def subtrees(begin: int, end: int) -> list[Node]:
    """The perfect subtrees over the leaves from `begin` up to `end`, left to right; `begin` is where a subtree of that length may begin."""
    found: list[Node] = []
    while begin < end:
        level = (end - begin).bit_length() - 1
        if begin & ((1 << level) - 1):
            raise ValueError(f"no subtree of the tree begins at {begin} and reaches {end}")
        found.append((level, begin >> level))
        begin += 1 << level
    return found


def inclusion_nodes(index: int, size: int) -> list[list[Node]]:
    """What the inclusion proof of leaf `index` in the tree of `size` consists of (RFC 6962, 2.1.1); each hash as the subtrees to join.

    Raises `ValueError` unless 0 <= index < size.
    """
    if not 0 <= index < size:
        raise ValueError(f"leaf {index} is not in a tree of {size}")
    path: list[list[Node]] = []
    begin, end = 0, size
    while end - begin > 1:
        middle = begin + _split(end - begin)
        if index < middle:
            path.append(subtrees(middle, end))
            end = middle
        else:
            path.append(subtrees(begin, middle))
            begin = middle
    return path[::-1]


def consistency_nodes(old: int, new: int) -> list[list[Node]]:
    """What the proof that the tree of `new` begins with that of `old` consists of (RFC 6962, 2.1.2); empty when either shows it by itself.

    Raises `ValueError` unless 0 <= old <= new.
    """
    if not 0 <= old <= new:
        raise ValueError(f"a tree of {new} does not begin with one of {old}")
    if old in (0, new):
        return []
    path: list[list[Node]] = []
    begin, end, known = 0, new, True
    while old != end:
        middle = begin + _split(end - begin)
        if old <= middle:
            path.append(subtrees(middle, end))
            end = middle
        else:
            path.append(subtrees(begin, middle))
            begin, known = middle, False
    if not known:
        path.append(subtrees(begin, end))
    return path[::-1]


def proof(nodes: Iterable[Sequence[Node]], lookup: Lookup) -> list[bytes]:
    """The hashes of a proof, its subtrees looked up by level and index."""
    return [join([lookup(level, index) for level, index in part]) for part in nodes]


def root_of_inclusion(index: int, size: int, leaf: bytes, path: Sequence[bytes]) -> bytes | None:
    """The root that an inclusion proof leads to; None when it cannot be one for this place (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size or any(len(sibling) != HASH_BYTES for sibling in path) or len(leaf) != HASH_BYTES:
        return None
    place, last, found = index, size - 1, leaf
    for sibling in path:
        if last == 0:
            return None
        if place & 1 or place == last:
            found = node_hash(sibling, found)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            found = node_hash(found, sibling)
        place, last = place >> 1, last >> 1
    return found if last == 0 else None


def verify_inclusion(index: int, size: int, leaf: bytes, path: Sequence[bytes], root: bytes) -> bool:
    """Whether the proof shows that this leaf is number `index` of the tree with this root."""
    return root_of_inclusion(index, size, leaf, path) == root


def verify_consistency(old: int, new: int, old_root: bytes, new_root: bytes, path: Sequence[bytes]) -> bool:
    """Whether the proof shows that the tree of `new` leaves begins with the tree of `old` leaves (RFC 9162, 2.1.4.2)."""
    if not 0 <= old <= new or any(len(one) != HASH_BYTES for one in (*path, old_root, new_root)):
        return False
    if old == new:
        return not path and old_root == new_root
    if old == 0:
        return not path and old_root == EMPTY_ROOT
    hashes = list(path) if old & (old - 1) else [old_root, *path]
    if not hashes:
        return False
    place, last = old - 1, new - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    first = second = hashes[0]
    for sibling in hashes[1:]:
        if last == 0:
            return False
        if place & 1 or place == last:
            first, second = node_hash(sibling, first), node_hash(sibling, second)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            second = node_hash(second, sibling)
        place, last = place >> 1, last >> 1
    return last == 0 and first == old_root and second == new_root


def _split(width: int) -> int:
    """The largest power of two below `width`."""
    return 1 << ((width - 1).bit_length() - 1)
