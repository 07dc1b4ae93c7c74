"""The sealer: turns new events into leaves of the tree and signs a checkpoint over them, at most a second after they were recorded.

Before it signs it doubts everything: each leaf hash is computed anew from the event and must equal the stored one; the stored tree must still have
the root of the last checkpoint; that checkpoint must carry a signature of this log; and nothing may be smaller than what this process has seen.
What is signed becomes visible in one transaction with the tiles behind it, so a process that ends in between leaves no trace of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import structlog

from shared.eventstore import merkle
from shared.eventstore.connections import Link, connection_lost, translated
from shared.eventstore.merkle_leaf import leaf_hash
from shared.eventstore.postgres import stored_event
from shared.refusal import Unavailable
from shared.translog import checkpoints, tiles
from shared.translog.checkpoints import Checkpoint
from shared.translog.keys import LogKeys
from shared.translog.notes import NoteError
from shared.translog.reading import TILES_SQL
from shared.translog.tiles import TileKey, TreeBuilder

_log = structlog.stdlib.get_logger("sealer")

INTERVAL: Final = 0.25
PAUSE_AFTER_DOUBT: Final = 5.0
LEAVES_PER_SEAL: Final = 8192
LEAVES_PER_READ: Final = 256
SETTINGS: Final = {"synchronous_commit": "on", "statement_timeout": "10000", "lock_timeout": "5000", "enable_seqscan": "off", "jit": "off"}
_ONE_AT_A_TIME: Final = 0x51304C07

_LOCK_SQL = "SELECT pg_try_advisory_lock($1)"
_STATE_SQL = """
SELECT h.position, c.size, c.root, c.note, EXISTS (SELECT FROM log_checkpoints m WHERE m.size = c.size AND m.key_id = $1) AS mine
FROM log_head h LEFT JOIN LATERAL (SELECT * FROM log_checkpoints ORDER BY size DESC, key_id = $1 DESC LIMIT 1) c ON true"""
_EVENTS_SQL = """
SELECT e.position, e.stream, e.version, e.type, e.recorded_at, e.command_id, e.meta, e.payload, e.leaf_hash
FROM events e WHERE e.position > $1 AND e.position <= $2 ORDER BY e.position"""
_SEAL_SQL = "SELECT log_seal($1, $2, $3, $4, $5, $6, $7, $8, $9)"


class SealError(Exception):
    """The log is not what was signed before, or an event is not what was appended; nothing is signed until a person has looked.

    `position` is where it begins.
    """

    def __init__(self, position: int, why: str) -> None:
        super().__init__(f"position {position}: {why}")
        self.position = position
        self.why = why


@dataclass(frozen=True, slots=True, kw_only=True)
class _State:
    """The log's head and the last checkpoint (None: none yet); `mine`: signed with the key of now."""

    head: int
    last: Checkpoint | None
    mine: bool


@dataclass(slots=True, kw_only=True)
class Sealer:
    """Seals over a connection of its own. Of several processes one seals at a time; the others take over when it ends.

    `on_sealed` is told each new size, `on_doubt` that sealing was refused.
    """

    link: Link
    keys: LogKeys
    interval: float = INTERVAL
    on_sealed: Callable[[int], None] = lambda _size: None
    on_doubt: Callable[[], None] = lambda: None
    _holds: object = None
    _seen: Checkpoint | None = field(default=None)

    async def run(self) -> None:
        """Seal until cancelled. Nothing ends it: the database may be away, and a doubt is told and looked at again later."""
        doubted = ""
        while True:
            pause = self.interval
            try:
                if await self.seal():
                    pause = 0.0
                doubted = ""
            except SealError as error:
                if doubted != str(error):
                    _log.error("log_not_sealed", position=error.position, why=error.why)
                doubted, pause = str(error), PAUSE_AFTER_DOUBT
                self.on_doubt()
            except Unavailable:
                pass
            except Exception as error:  # noqa: BLE001  the sealer outlives whatever it meets
                _log.warning("sealer_failed", error=type(error).__qualname__)
                pause = PAUSE_AFTER_DOUBT
            await asyncio.sleep(pause)

    async def close(self) -> None:
        """End the connection, and with it the lock."""
        await self.link.close()

    async def seal(self) -> bool:
        """Sign one checkpoint over what is new; whether more is left to do at once. Raises `SealError` or `Unavailable`."""
        try:
            return await self._seal()
        except (SealError, Unavailable):
            raise
        except Exception as error:
            if connection_lost(error, self.link.connection):
                self.link.drop()
            known = translated(error, self.link.connection)
            if known is error:
                raise
            raise known from error

    async def _seal(self) -> bool:
        if not await self._alone():
            return False
        state = await self._state()
        await self._doubt(state)
        size = state.last.size if state.last is not None else 0
        if state.last is not None and state.head <= size and state.mine:
            return False
        builder = await self._builder(size)
        if state.last is not None and builder.root() != state.last.root:
            raise SealError(size, "the stored tiles do not have the root of the last checkpoint")
        target = min(state.head, size + LEAVES_PER_SEAL)
        await self._add(builder, target)
        signed = Checkpoint(origin=self.keys.signer.name, size=target, root=builder.root())
        if await self._publish(state.last, signed, builder.changed()):
            self._seen = signed
            self.on_sealed(target)
        return target < state.head

    async def _alone(self) -> bool:
        """Whether this process is the one that seals; the lock is the connection's, and goes with it."""
        connection = await self.link.open()
        if self._holds is not connection:
            if not await (await self.link.prepared(_LOCK_SQL)).fetchval(_ONE_AT_A_TIME):
                return False
            self._holds = connection
        return True

    async def _state(self) -> _State:
        row = await (await self.link.prepared(_STATE_SQL)).fetchrow(self.keys.signer.verifier.key_id)
        if row is None:
            raise SealError(0, "the head of the log is gone")
        head, size, root, note, mine = row
        if size is None:
            return _State(head=head, last=None, mine=False)
        try:
            last, _, _ = checkpoints.open_checkpoint(note, self.keys.trusted)
        except NoteError as error:
            raise SealError(size, f"the last checkpoint is not ours ({error}); was the key changed without naming the one before?") from error
        if (last.size, last.root) != (size, root):
            raise SealError(size, "the last checkpoint says something else than its row")
        return _State(head=head, last=last, mine=mine)

    async def _doubt(self, state: _State) -> None:
        """Compare with what this process has signed or seen before."""
        last, seen = state.last, self._seen
        if last is not None and state.head < last.size:
            raise SealError(state.head + 1, f"the log ends there, but {last.size} events are signed")
        if seen is not None:
            if last is None or last.size < seen.size or (last.size == seen.size and last.root != seen.root):
                raise SealError(seen.size, "the last checkpoint went back behind one that was signed before")
            if last.size > seen.size and await self._root(seen.size) != seen.root:
                raise SealError(seen.size, "another process signed another history")
        self._seen = last

    async def _root(self, size: int) -> bytes:
        nodes = merkle.subtrees(0, size)
        held = await self._tiles({tiles.tile_of(node) for node in nodes})
        try:
            return merkle.join([tiles.subtree_hash(node, held) for node in nodes])
        except KeyError as error:
            raise SealError(size, f"the tile {error} is missing") from error

    async def _builder(self, size: int) -> TreeBuilder:
        wanted = tiles.partial_tiles(size)
        held = await self._tiles({(level, number) for level, (number, _) in wanted.items()})
        try:
            return TreeBuilder(size, {level: held[level, number] for level, (number, _) in wanted.items()})
        except (KeyError, ValueError) as error:
            raise SealError(size, f"the tiles of the last checkpoint are not there ({error})") from error

    async def _tiles(self, keys: set[TileKey]) -> dict[TileKey, bytes]:
        levels, numbers = zip(*sorted(keys), strict=True) if keys else ((), ())
        rows = await (await self.link.prepared(TILES_SQL)).fetch(levels, numbers)
        return {(level, number): hashes for level, number, hashes in rows}

    async def _add(self, builder: TreeBuilder, target: int) -> None:
        """Read the events up to `target`, compute their leaf hashes and compare."""
        read = await self.link.prepared(_EVENTS_SQL)
        while builder.size < target:
            begin, end = builder.size, min(target, builder.size + LEAVES_PER_READ)
            found = []
            for expected, row in enumerate(await read.fetch(begin, end), begin + 1):
                event = stored_event(row)
                if event.position != expected:
                    raise SealError(expected, "the event is missing")
                computed = leaf_hash(event)
                if computed != event.leaf_hash:
                    raise SealError(expected, "the stored leaf hash is not that of the event")
                found.append(computed)
            if len(found) != end - begin:
                raise SealError(begin + len(found) + 1, "the event is missing")
            builder.extend(found)
            await asyncio.sleep(0)  # requests come first

    async def _publish(self, last: Checkpoint | None, signed: Checkpoint, changed: dict[TileKey, bytes]) -> bool:
        note = checkpoints.sign(signed, self.keys.signer)
        statement = await self.link.prepared(_SEAL_SQL)
        done = await statement.fetchval(
            last.size if last is not None else -1,
            last.root if last is not None else None,
            signed.size,
            signed.root,
            note.signatures[0].key_id,
            note.render().encode(),
            [level for level, _ in changed],
            [number for _, number in changed],
            list(changed.values()),
        )
        return bool(done)
