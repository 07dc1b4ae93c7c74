"""Writing a bundle: the sealed events of one player or of all, their proofs, and the standings they lead to."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import AsyncIterator, Callable
from datetime import datetime
from hashlib import sha256
from typing import IO, Final

from services.moderation.bundles.lines import FORMAT, EndLine, EventLine, Header, Line, StandingLine, write
from services.moderation.bundles.replay import RECORD, Replay
from shared.eventstore.envelope import StoredEvent
from shared.eventstore.merkle_leaf import canonical
from shared.eventstore.postgres import PostgresEventStore
from shared.security.data_keys import DataKeys
from shared.translog.checkpoints import open_checkpoint
from shared.translog.reading import Sealed, TransparencyLog

PAGE: Final = 500
SEALED_WITHIN: Final = 5.0

Progress = Callable[[int, int], None]


class ExportError(Exception):
    """There is nothing to export, or what there is can't be proven (yet)."""


class Writer:
    """Writes lines and counts them."""

    def __init__(self, out: IO[bytes]) -> None:
        self._out = out
        self._digest = sha256()
        self.events = self.standings = 0

    def add(self, line: Line) -> None:
        """Write one line."""
        raw = write(line)
        self._digest.update(raw)
        self._out.write(raw)
        self.events += isinstance(line, EventLine)
        self.standings += isinstance(line, StandingLine)

    def end(self) -> None:
        """Write the last line."""
        self._out.write(write(EndLine(events=self.events, standings=self.standings, sha256=self._digest.hexdigest())))


class Exporter:
    """Exports from an open store; with `data_keys` the personal parts are opened and added."""

    def __init__(self, store: PostgresEventStore, log: TransparencyLog, data_keys: DataKeys | None = None) -> None:
        self._store = store
        self._log = log
        self._data_keys = data_keys

    async def player(self, player_id: str, as_of: datetime, out: IO[bytes]) -> Writer:
        """Export one player's record. Raises `ExportError` when there is none, or it is not sealed within 5 s (no service runs)."""
        events = await self._store.read(f"{RECORD}{player_id}")
        if not events:
            raise ExportError(f"nothing is recorded about {player_id}")
        sealed = await self._covering(events[-1].position)
        writer, replay = self._begin(player_id, as_of, sealed, out)
        key = await self._key(player_id)
        for event in events:
            _, proof = await self._log.inclusion(event.position - 1, sealed.size)
            replay.add(event)
            writer.add(_line(event, replay, key, tuple(one.hex() for one in proof)))
        writer.add(StandingLine(player_id=player_id, standing=replay.standing(player_id)))
        writer.end()
        return writer

    async def everything(
        self, as_of: datetime, out: IO[bytes], progress: Progress = lambda _done, _all: None, *, upto: int | None = None
    ) -> Writer:
        """Export the whole sealed log, at least up to the position `upto` (None: its head). Raises `ExportError`."""
        sealed = await self._covering(await self._store.head() if upto is None else upto)
        writer, replay = self._begin(None, as_of, sealed, out)
        keys: dict[str, bytes | None] = {}
        async for event in self._events(sealed.size):
            replay.add(event)
            player = event.stream.removeprefix(RECORD) if event.stream.startswith(RECORD) else None
            if player is not None and player not in keys:
                keys[player] = await self._key(player)
            writer.add(_line(event, replay, keys.get(player) if player is not None else None, None))
            if event.position % PAGE == 0:
                progress(event.position, sealed.size)
        for player in replay.players:
            writer.add(StandingLine(player_id=player, standing=replay.standing(player)))
        writer.end()
        progress(sealed.size, sealed.size)
        return writer

    async def _events(self, size: int) -> AsyncIterator[StoredEvent]:
        after = 0
        while after < size:
            page = await self._store.read_log(after=after, limit=min(PAGE, size - after))
            if not page:
                raise ExportError(f"the log ends at {after}, its checkpoint has {size} events")
            for event in page:
                yield event
            after = page[-1].position

    async def _covering(self, position: int) -> Sealed:
        """The last checkpoint, once it covers this position."""
        deadline = asyncio.get_running_loop().time() + SEALED_WITHIN
        while True:
            sealed = await self._log.last()
            if sealed.size >= position:
                return sealed
            if asyncio.get_running_loop().time() > deadline:
                raise ExportError(f"the events behind {sealed.size} are not sealed; a running service seals them within a second")
            await asyncio.sleep(0.1)

    def _begin(self, player_id: str | None, as_of: datetime, sealed: Sealed, out: IO[bytes]) -> tuple[Writer, Replay]:
        open_checkpoint(sealed.note, self._log.keys.trusted)
        writer = Writer(out)
        writer.add(Header(format=FORMAT, player_id=player_id, as_of=as_of, checkpoint=sealed.note.decode()))
        return writer, Replay(as_of)

    async def _key(self, player_id: str) -> bytes | None:
        return (await self._data_keys.of([player_id])).get(player_id) if self._data_keys is not None else None


def _line(event: StoredEvent, replay: Replay, key: bytes | None, proof: tuple[str, ...] | None) -> EventLine:
    return EventLine(leaf=b64encode(canonical(event)).decode(), proof=proof, personal=replay.personal(event, key))
