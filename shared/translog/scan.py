"""Reading a stretch of the log at full speed, computing every hash anew and comparing it with what is stored.

The rows come as PostgreSQL's binary COPY, where a value is its length in 4 bytes and its bytes: the very form of the canonical envelope. So a leaf is
hashed from the row as it comes, with only the moment moved from PostgreSQL's epoch to that of 1970: a path of its own beside `merkle_leaf.py` and
the database.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from struct import Struct
from struct import error as StructError  # noqa: N812  it is a class
from typing import Any, Final

import asyncpg

from shared.eventstore import merkle
from shared.eventstore.merkle_leaf import TAG
from shared.translog import tiles

BLOCK: Final = tiles.WIDTH * tiles.WIDTH
_PREFIX: Final = b"\x00" + TAG
_EPOCH_2000: Final = 946_684_800_000_000
_HEADER: Final = b"PGCOPY\n\xff\r\n\0"
_INT, _LONG, _HEAD = Struct(">i"), Struct(">q"), Struct(">iqi")
_COPY_SQL = """
SELECT leaf_hash, position, stream, version::bigint, type, recorded_at, command_id, meta, payload
FROM events WHERE position > $1 AND position <= $2 ORDER BY position"""
_TILES_SQL = "SELECT number, hashes FROM log_tiles WHERE level = $1 AND number >= $2 AND number < $3"


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something is not as it was: from which position on, and what."""

    position: int
    what: str


@dataclass(slots=True, kw_only=True)
class Block:
    """What was found in the stretch behind `begin`: the roots of its perfect subtrees, and for each asked size those up to there."""

    begin: int
    count: int = 0
    peaks: list[bytes] = field(default_factory=list)
    at: dict[int, list[bytes]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    first_us: int = 0
    last_us: int = 0


class RowHasher:
    """Takes the rows of a COPY as they come and gathers leaf hashes; stops at the first position that is not the next one."""

    def __init__(self, begin: int) -> None:
        self.begin = begin
        self.leaves: list[bytes] = []
        self.problems: list[Problem] = []
        self.broken = False
        self.first_us = self.last_us = -(1 << 62)
        self._rest = b""
        self._started = False

    async def write(self, data: bytes) -> None:
        """Take more bytes."""
        if self.broken:
            return
        chunk = self._rest + data if self._rest else data
        at = 0
        if not self._started:
            if len(chunk) < 19:
                self._rest = chunk
                return
            if not chunk.startswith(_HEADER):
                raise ValueError("this is no binary COPY")
            at, self._started = 19 + _INT.unpack_from(chunk, 15)[0], True
        self._rest = chunk[self._rows(chunk, at) :]

    def _rows(self, chunk: bytes, at: int) -> int:
        """Hash the whole rows in `chunk` from `at` on; where the rest begins."""
        size, leaves, prefix, digest = len(chunk), self.leaves, _PREFIX, sha256
        head, integer, moment, join = _HEAD.unpack_from, _INT.unpack_from, _LONG.pack, b"".join
        expected, last = self.begin + len(leaves) + 1, self.last_us
        while at + 2 <= size:
            if chunk[at] == 0xFF:  # the trailer
                at = size
                break
            try:
                (stored,) = integer(chunk, at + 2)
                begin = at + 6 + max(stored, 0)
                _, position, n_stream = head(chunk, begin)
                version = begin + 16 + n_stream
                _, _, n_type = head(chunk, version)
                recorded = version + 16 + n_type
                _, micros, n_command = head(chunk, recorded)
                meta = recorded + 16 + n_command
                (n_meta,) = integer(chunk, meta)
                payload = meta + 4 + n_meta
                (n_payload,) = integer(chunk, payload)
                end = payload + 4 + n_payload
            except StructError:  # the row is not whole yet
                break
            if (n_stream | n_type | n_command | n_meta | n_payload) < 0:
                self._stop(expected, "the event has lost a part")
                break
            if end > size:
                break
            if position != expected:
                self._stop(min(position, expected), "the event is missing" if position > expected else "the position is there twice")
                break
            micros += _EPOCH_2000
            leaf = digest(join((prefix, chunk[begin : recorded + 4], moment(micros), chunk[recorded + 12 : end]))).digest()
            if chunk[at + 6 : begin] != leaf:
                self.problems.append(Problem(position=position, what="the event is not the one that was hashed when it was appended"))
            if micros < last:
                self.problems.append(Problem(position=position, what="the event was recorded before the one before it"))
            last = micros
            leaves.append(leaf)
            if expected == self.begin + 1:
                self.first_us = micros
            expected += 1
            at = end
        self.last_us = last
        return at

    def _stop(self, position: int, what: str) -> None:
        self.broken = True
        self.problems.append(Problem(position=position, what=what))


async def scan_block(connection: asyncpg.Connection[Any], begin: int, end: int, sealed: int, sizes: Sequence[int]) -> Block:
    """Check the events behind `begin` up to `end` (a block begins at a multiple of `BLOCK`), and the tiles over those up to `sealed`.

    `sizes` are tree sizes in this block whose root is wanted.
    """
    hasher = RowHasher(begin)
    await connection.copy_from_query(_COPY_SQL, begin, end, output=hasher.write, format="binary")
    leaves = hasher.leaves
    block = Block(begin=begin, count=len(leaves), problems=hasher.problems, first_us=hasher.first_us, last_us=hasher.last_us)
    if len(leaves) < end - begin and not hasher.broken:
        block.problems.append(Problem(position=begin + len(leaves) + 1, what="the event is missing"))
    levels = [leaves]
    while len(levels[-1]) > 1:
        levels.append(merkle.next_level(levels[-1]))
    for size in sizes:
        if size - begin <= len(leaves):
            block.at[size] = _peaks(levels, size - begin)
    block.peaks = _peaks(levels, len(leaves))
    covered = max(min(sealed, begin + len(leaves)) - begin, 0)
    for level, hashes in ((0, leaves), (1, levels[tiles.HEIGHT] if len(levels) > tiles.HEIGHT else [])):
        count = covered >> tiles.HEIGHT * level
        found = await _differing(connection, level, begin >> tiles.HEIGHT * level, hashes[:count])
        if found is not None:
            block.problems.append(Problem(position=begin + (found << tiles.HEIGHT * level) + 1, what="the event is not the one that was sealed"))
            break
    return block


def _peaks(levels: Sequence[Sequence[bytes]], count: int) -> list[bytes]:
    """The perfect subtrees over the first so many leaves, largest first."""
    return [levels[bit][(count >> bit) - 1] for bit in reversed(range(count.bit_length())) if count >> bit & 1]


async def _differing(connection: asyncpg.Connection[Any], level: int, begin: int, hashes: Sequence[bytes]) -> int | None:
    """Which of these hashes (of `level`, from number `begin` on) is the first that its tile does not hold; None: all are there."""
    if not hashes:
        return None
    first, behind = begin // tiles.WIDTH, (begin + len(hashes) - 1) // tiles.WIDTH + 1
    rows = {row[0]: row[1] for row in await connection.fetch(_TILES_SQL, level, first, behind)}
    for number in range(first, behind):
        wanted = hashes[(number - first) * tiles.WIDTH : (number - first + 1) * tiles.WIDTH]
        held = rows.get(number, b"")
        if not held.startswith(b"".join(wanted)):
            kept = tiles.split_hashes(held)
            return (number - first) * tiles.WIDTH + next(n for n, one in enumerate(wanted) if n >= len(kept) or kept[n] != one)
    return None
