"""The pictures that nobody may upload (I-63), in memory and never older than the last question: what the log added since is read first."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from services.cosmetics.imaging.fingerprint import asked_prints, decoded
from services.cosmetics.imaging.index import PrintIndex
from shared.eventstore.port import Slot, TableWrite

Fetch = Callable[..., Awaitable[Sequence[Any]]]
_PAGE: Final = 250
"""The event loop is kept for about 10 ms by so many: after a rebuild they are read beside live traffic."""
_NO_TABLE: Final = 0
_SINCE_SQL: Final = """
SELECT here.id, k.name, k.kind, k.player_id, k.incident_id, k.listed, k.prints, k.position
FROM (SELECT to_regclass('known_images')::oid::bigint AS id) here LEFT JOIN LATERAL (
    SELECT * FROM known_images WHERE (position, name) > ($1, $2) ORDER BY position, name LIMIT $3
) k ON true ORDER BY k.position, k.name"""
"""What came since, and which table it is of, in one row at least. `to_regclass` is looked up whenever this runs, whatever plan is kept; and no table
is swapped while this reads it, so both are of one."""
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(list[str]).decode


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A barred picture: of the gallery (`kind` `gallery`), or removed for cause (`removed`) from a player, with the incident it was removed by."""

    name: str
    kind: str
    player_id: str | None
    incident_id: str | None


class _Copy:
    """What was read of one table, up to and with the row `seen`."""

    def __init__(self, table: int) -> None:
        self.table = table
        self.seen: tuple[int, str] = (0, "")
        self._index = PrintIndex()
        self._known: dict[str, Known] = {}

    def take(self, rows: Sequence[Any]) -> None:
        """The next rows."""
        for _, name, kind, player_id, incident_id, listed, prints, position in rows:
            if listed:
                self._index.put(name, decoded(_decode(prints)))
                self._known[name] = Known(name=name, kind=kind, player_id=player_id, incident_id=incident_id)
            else:
                self._index.drop(name)
                self._known.pop(name, None)
            self.seen = (position, name)

    def like(self, whole: bytes) -> list[Known]:
        """See `KnownImages.like`."""
        return [self._known[name] for name in self._index.find(asked_prints(whole))]


class KnownImages:
    """Asks and keeps up; one for each process.

    A rebuild puts another table in place, whose rows may differ at positions that were read long ago: that one is read from its beginning.
    """

    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch
        self._copy = self._coming = _Copy(_NO_TABLE)
        self._lock = asyncio.Lock()

    async def like(self, whole: bytes) -> list[Known]:
        """The barred pictures that this one looks like, the nearest first. Raises `Unavailable`."""
        async with self._lock:
            await self._refresh()
            return self._copy.like(whole)

    async def _refresh(self) -> None:
        """Read on. The copy of another table takes the place of this one when it is whole; cut off, the reading goes on from there."""
        while True:
            rows = await self._fetch(_SINCE_SQL, *self._coming.seen, _PAGE)
            table = rows[0][0]
            if table != self._coming.table:
                self._coming = _Copy(table)
                continue
            found = [row for row in rows if row[1] is not None]
            self._coming.take(found)
            if len(found) < _PAGE:
                self._copy = self._coming
                return


def known_write(known: Known, prints: Sequence[str], *, listed: bool) -> TableWrite:
    """The row of a picture that is or is no longer barred; its position is that of the log, so every process sees the change.

    Off the list, nothing is kept of what it looks like.
    """
    row = (known.name, known.kind, known.player_id, known.incident_id, listed, _encode(list(prints) if listed else []), Slot.LAST_POSITION)
    return TableWrite(table="known_images", row=row)
