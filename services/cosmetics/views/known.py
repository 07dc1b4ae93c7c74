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
_PAGE: Final = 2000
_SINCE_SQL = """
SELECT name, kind, player_id, incident_id, listed, prints, position FROM known_images
WHERE (position, name) > ($1, $2) ORDER BY position, name LIMIT $3"""
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(list[str]).decode


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A barred picture: of the gallery (`kind` `gallery`), or removed for cause (`removed`) from a player, with the incident it was removed by."""

    name: str
    kind: str
    player_id: str | None
    incident_id: str | None


class KnownImages:
    """Asks and keeps up; one for each process."""

    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch
        self._index = PrintIndex()
        self._known: dict[str, Known] = {}
        self._seen: tuple[int, str] = (0, "")
        self._lock = asyncio.Lock()

    async def like(self, whole: bytes) -> list[Known]:
        """The barred pictures that this one looks like, the nearest first. Raises `Unavailable`."""
        async with self._lock:
            await self._refresh()
            return [self._known[name] for name in self._index.find(asked_prints(whole))]

    async def _refresh(self) -> None:
        while rows := await self._fetch(_SINCE_SQL, *self._seen, _PAGE):
            for name, kind, player_id, incident_id, listed, prints, position in rows:
                if listed:
                    self._index.put(name, decoded(_decode(prints)))
                    self._known[name] = Known(name=name, kind=kind, player_id=player_id, incident_id=incident_id)
                else:
                    self._index.drop(name)
                    self._known.pop(name, None)
                self._seen = (position, name)
            if len(rows) < _PAGE:
                return


def known_write(known: Known, prints: Sequence[str], *, listed: bool) -> TableWrite:
    """The row of a picture that is or is no longer barred; its position is that of the log, so every process sees the change.

    Off the list, nothing is kept of what it looks like.
    """
    row = (known.name, known.kind, known.player_id, known.incident_id, listed, _encode(list(prints) if listed else []), Slot.LAST_POSITION)
    return TableWrite(table="known_images", row=row)
