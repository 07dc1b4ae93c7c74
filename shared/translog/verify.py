"""Checking the whole log from the database: every leaf, the order, the tree, its tiles, and every checkpoint ever signed (bar 11).

Nothing that the database says of itself is believed: the keys come from outside, and with them checkpoints kept elsewhere may be given, which also
find a log that was cut back or replaced as a whole, its tiles and checkpoints included.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from itertools import pairwise
from multiprocessing import get_context
from typing import Any, Final

import asyncpg

from shared.eventstore import merkle
from shared.translog import tiles
from shared.translog.checkpoints import Checkpoint, open_checkpoint
from shared.translog.notes import NoteError, VerifierKey
from shared.translog.queries import CHECKPOINTS_SQL, EXTENTS_SQL, STATE_SQL, UPPER_SQL, connected, first_out_of_order
from shared.translog.scan import BLOCK, Block, Problem, scan_block

_LEVEL_OF_BLOCK: Final = 2
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What was checked, and the first thing that is wrong (None: nothing). `sealed` events of `events` are covered by a checkpoint."""

    events: int
    sealed: int
    checkpoints: int
    problem: Problem | None
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Doubt:
    """A tree head that the log does not lead to: the fault lies behind `after`, at or before `size`."""

    after: int
    size: int
    what: str


@dataclass(slots=True, kw_only=True)
class _Claims:
    """What the database says of the log, read in one snapshot."""

    head: int
    heads: list[Checkpoint] = field(default_factory=list)
    extents: dict[int, tuple[int, int]] = field(default_factory=dict)
    upper: dict[tuple[int, int], bytes] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    @property
    def sealed(self) -> int:
        """How many leaves the last checkpoint has."""
        return self.heads[-1].size if self.heads else 0


async def verify_log(
    dsn: str,
    keys: Sequence[VerifierKey],
    *,
    kept: Sequence[Checkpoint] = (),
    processes: int = 1,
    progress: Progress = lambda _done, _all: None,
) -> Report:
    """Check the log in this database; `keys` are the log's, `kept` are checkpoints (already checked) that were kept elsewhere.

    `keys` must hold every key that ever signed it. Raises what asyncpg raises when the database can't be read.
    """
    connection = await connected(dsn)
    try:
        claims = await _claims(connection, keys)
        sizes = sorted({head.size for head in (*claims.heads, *kept)})
        streams = asyncio.create_task(first_out_of_order(dsn, claims.head))  # PostgreSQL counts the streams while their events are hashed here
        try:
            blocks = await _scan(dsn, connection, claims, sizes, processes=processes, progress=progress)
            problems = [*claims.problems, *(problem for block in blocks for problem in block.problems)]
            problems += _order(blocks)
            if (place := await streams) is not None:
                problems.append(Problem(position=place, what="the event's version is not the next one of its stream"))
        finally:
            streams.cancel()
    finally:
        await connection.close()
    whole = _whole_until(blocks, claims.head)
    problems += _upper_tiles(blocks, claims, whole)
    doubts = _compare(blocks, claims.heads, kept, whole)
    problems += [_placed(doubt, problems) for doubt in doubts]
    problems.sort(key=lambda problem: problem.position)
    return Report(
        events=claims.head, sealed=claims.sealed, checkpoints=len(claims.heads), problem=problems[0] if problems else None, problems=tuple(problems)
    )


async def _claims(connection: asyncpg.Connection[Any], keys: Sequence[VerifierKey]) -> _Claims:
    async with connection.transaction(isolation="repeatable_read", readonly=True):
        state = await connection.fetchrow(STATE_SQL)
        rows = await connection.fetch(CHECKPOINTS_SQL)
        extents = await connection.fetch(EXTENTS_SQL)
        upper = await connection.fetch(UPPER_SQL, _LEVEL_OF_BLOCK)
    if state is None:
        return _Claims(head=0, problems=[Problem(position=1, what="the head of the log is gone")])
    head, last = state[0], state[1] or 0
    claims = _Claims(head=max(head, last))
    if last != head:
        claims.problems.append(Problem(position=min(head, last) + 1, what=f"the log ends at {last}, its head says {head}"))
    for size, root, note, key_id in rows:
        try:
            checkpoint, _, key = open_checkpoint(note, keys)
            if (checkpoint.size, checkpoint.root, key.key_id) != (size, root, key_id):
                raise NoteError("its row says something else")  # noqa: TRY301  told like every other fault of it
        except NoteError as error:
            claims.problems.append(Problem(position=max(size, 1), what=f"the checkpoint of {size} events is not the log's: {error}"))
        else:
            claims.heads.append(checkpoint)
    claims.extents = {level: (int(count), number) for level, count, number in extents}
    claims.upper = {(level, number): hashes for level, number, hashes in upper}
    claims.problems += _missing_tiles(claims)
    if claims.sealed > last:
        claims.problems.append(Problem(position=last + 1, what=f"the log ends there, but {claims.sealed} events are signed"))
    return claims


def _missing_tiles(claims: _Claims) -> list[Problem]:
    """Tiles and checkpoints are written together: the tiles reach exactly as far as the last checkpoint."""
    wanted = tiles.extents(claims.sealed)
    found: list[Problem] = []
    for level in sorted(wanted.keys() | claims.extents.keys()):
        count, number = claims.extents.get(level, (0, -1))
        if count != wanted.get(level, 0) or number != (count - 1) // tiles.WIDTH:
            place = min(count, wanted.get(level, 0)) << tiles.HEIGHT * level
            what = f"the tiles of level {level} reach to {count}, the last checkpoint to {wanted.get(level, 0)}"
            found.append(Problem(position=place + 1, what=what))
    return found


async def _scan(
    dsn: str, connection: asyncpg.Connection[Any], claims: _Claims, sizes: Sequence[int], *, processes: int, progress: Progress
) -> list[Block]:
    ranges = [(begin, min(begin + BLOCK, claims.head)) for begin in range(0, claims.head, BLOCK)]
    jobs = [(begin, end, claims.sealed, [size for size in sizes if begin < size <= end]) for begin, end in ranges]
    done: list[Block] = []
    if processes <= 1 or len(jobs) <= 1:
        for begin, end, sealed, asked in jobs:
            done.append(await scan_block(connection, begin, end, sealed, asked))
            progress(end, claims.head)
        return done

    def everywhere() -> None:
        with ProcessPoolExecutor(min(processes, len(jobs)), mp_context=get_context("spawn"), initializer=_enter, initargs=(dsn,)) as pool:
            for finished in as_completed([pool.submit(_in_process, *job) for job in jobs]):
                done.append(finished.result())
                progress(sum(block.count for block in done), claims.head)

    await asyncio.to_thread(everywhere)
    return sorted(done, key=lambda block: block.begin)


_runner: asyncio.Runner | None = None
_connection: asyncpg.Connection[Any] | None = None


def _enter(dsn: str) -> None:
    """Open this process's connection."""
    global _runner, _connection  # noqa: PLW0603  the way a pool's processes keep something
    _runner = asyncio.Runner()
    _connection = _runner.run(connected(dsn))


def _in_process(begin: int, end: int, sealed: int, sizes: Sequence[int]) -> Block:
    if _runner is None or _connection is None:
        raise RuntimeError("the process has no connection")
    return _runner.run(scan_block(_connection, begin, end, sealed, sizes))


def _order(blocks: Sequence[Block]) -> list[Problem]:
    """Moments don't go back from one block to the next."""
    return [
        Problem(position=later.begin + 1, what="the event was recorded before the one before it")
        for earlier, later in pairwise(blocks)
        if earlier.count and later.count and later.first_us < earlier.last_us
    ]


def _whole_until(blocks: Sequence[Block], head: int) -> int:
    """Up to which size every leaf was found."""
    for block in blocks:
        if block.count < min(BLOCK, head - block.begin):
            return block.begin + block.count
    return head


def _upper_tiles(blocks: Sequence[Block], claims: _Claims, whole: int) -> list[Problem]:
    """Compare the tiles above the blocks."""
    hashes = [block.peaks[0] for block in blocks if block.begin + BLOCK <= min(claims.sealed, whole)]
    level = _LEVEL_OF_BLOCK
    while hashes:
        for number in range((len(hashes) - 1) // tiles.WIDTH + 1):
            wanted = hashes[number * tiles.WIDTH : (number + 1) * tiles.WIDTH]
            kept = tiles.split_hashes(claims.upper.get((level, number), b""))
            for place, one in enumerate(wanted):
                if place >= len(kept) or kept[place] != one:
                    position = ((number * tiles.WIDTH + place) << tiles.HEIGHT * level) + 1
                    return [Problem(position=position, what=f"the tile {tiles.path_of(level, number)} is not of these events")]
        full = len(hashes) // tiles.WIDTH
        hashes = [merkle.perfect_root(hashes[number * tiles.WIDTH : (number + 1) * tiles.WIDTH]) for number in range(full)]
        level += 1
    return []


def _compare(blocks: Sequence[Block], signed: Sequence[Checkpoint], kept: Sequence[Checkpoint], whole: int) -> list[_Doubt]:
    """Lead the events to every tree head, the smallest first."""
    at = {size: peaks for block in blocks for size, peaks in block.at.items()}
    stack: list[tuple[int, bytes]] = []  # the perfect subtrees over the blocks so far, with their number of blocks
    before: dict[int, list[bytes]] = {}
    for block in blocks:
        before[block.begin] = [root for _, root in stack]
        if block.count == BLOCK:
            count, root = 1, block.peaks[0]
            while stack and stack[-1][0] == count:
                count, root = 2 * count, merkle.node_hash(stack.pop()[1], root)
            stack.append((count, root))
    doubts: list[_Doubt] = []
    good = 0
    for head in sorted((*signed, *kept), key=lambda one: one.size):
        begin = (head.size - 1) // BLOCK * BLOCK if head.size else 0
        if head.size > whole:
            doubts.append(_Doubt(after=whole, size=head.size, what=f"the log has {whole} whole events, a checkpoint has {head.size}"))
        elif merkle.join([*before.get(begin, []), *at.get(head.size, [])]) == head.root:
            good = head.size
        else:
            doubts.append(_Doubt(after=good, size=head.size, what=f"the events up to {head.size} are not those of its checkpoint"))
    return doubts


def _placed(doubt: _Doubt, known: Sequence[Problem]) -> Problem:
    """A tree head only says that something is wrong behind the last good one; where a problem in that stretch is known exactly, it is that."""
    exact = [problem.position for problem in known if doubt.after < problem.position <= doubt.size]
    return Problem(position=min(exact, default=doubt.after + 1), what=doubt.what)
