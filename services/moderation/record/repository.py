"""Loading records: the events of a player, decoded and folded."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, cast

from services.moderation.record.events import PlayerErased, RecordEvent
from services.moderation.record.state import RecordState
from services.moderation.views.timeline import Recorded, fold_all
from shared.eventstore.codec import Codec, DataKey
from shared.eventstore.envelope import StoredEvent
from shared.eventstore.port import EventStore
from shared.refusal import Refusal
from shared.security.data_keys import DataKeys
from shared.unreadable import UnreadableEvent

_ERASED = "moderation.player_erased.v1"
_PLAYER_SQL = "SELECT player_id FROM incidents WHERE incident_id = $1"


def stream_of(player_id: str) -> str:
    """The stream of a player's record."""
    return f"record-{player_id}"


def erasure_subject(erasure_id: str) -> str:
    """Whose data key seals the reason of an erasure; with the slash it is never the id of a player."""
    return f"erasure/{erasure_id}"


class Records:
    """Reads records. What can't be decoded raises `Unavailable`: an unreadable record is never taken as clean (E06)."""

    def __init__(self, store: EventStore, codec: Codec, data_keys: DataKeys, fetch: Callable[..., Awaitable[Sequence[Any]]]) -> None:
        self._store = store
        self._fetch = fetch
        self._codec = codec
        self._data_keys = data_keys

    async def states(self, player_ids: Sequence[str]) -> dict[str, RecordState]:
        """The folded records of these players, from one snapshot."""
        found = await self._store.read_many([stream_of(player_id) for player_id in player_ids])
        return {player_id: fold_all(self.decoded(found[stream_of(player_id)])) for player_id in player_ids}

    async def state(self, player_id: str) -> RecordState:
        """The folded record of one player."""
        return fold_all(self.decoded(await self._store.read(stream_of(player_id))))

    async def player_of(self, incident_id: str) -> str:
        """Whose incident it is. Raises a `Refusal` `not_found`."""
        rows = await self._fetch(_PLAYER_SQL, incident_id)
        if not rows:
            raise Refusal("not_found", "There is no such incident.")
        return str(rows[0][0])

    async def events(self, player_id: str, *, personal: bool = False) -> list[Recorded]:
        """The player's events; with `personal` their personal parts too, as far as they can be read still."""
        stored = await self._store.read(stream_of(player_id))
        key = (await self._data_keys.of([player_id])).get(player_id) if personal and stored else None
        return list(self.decoded(stored, key))

    async def events_of(self, player_ids: Sequence[str]) -> dict[str, list[Recorded]]:
        """The events of these players without their personal parts, all from one snapshot."""
        if not player_ids:
            return {}
        found = await self._store.read_many([stream_of(player_id) for player_id in player_ids])
        return {player_id: list(self.decoded(found[stream_of(player_id)])) for player_id in player_ids}

    async def readable_events_of(self, player_ids: Sequence[str]) -> dict[str, list[Recorded] | None]:
        """As `events_of`, for a look at everybody: a record that can't be decoded is None, and hides nobody else's (E06)."""
        found = await self._store.read_many([stream_of(player_id) for player_id in player_ids])
        return {player_id: self._readable(found[stream_of(player_id)]) for player_id in player_ids}

    def _readable(self, stored: Iterable[StoredEvent]) -> list[Recorded] | None:
        try:
            return list(self.decoded(stored))
        except UnreadableEvent:
            return None

    async def stored(self, player_id: str) -> tuple[list[StoredEvent], DataKey]:
        """The player's events as they are stored, and the data keys of what is sealed in them."""
        stored = await self._store.read(stream_of(player_id))
        return stored, await self._keys_of(player_id, stored)

    async def page(self, player_id: str, *, after: int, limit: int) -> tuple[list[StoredEvent], DataKey]:
        """The same of at most `limit` events after this version: a page costs the same however long the record is."""
        stored = await self._store.read_page(stream_of(player_id), after=after, limit=limit)
        return stored, await self._keys_of(player_id, stored)

    async def _keys_of(self, player_id: str, stored: Sequence[StoredEvent]) -> DataKey:
        """The player's, and those of the reasons of the erasures among these events."""
        if not stored:
            return ()
        erasures = [self._codec.decode(item) for item in stored if item.type == _ERASED]
        subjects = [player_id, *(erasure_subject(event.erasure_id) for event in erasures if isinstance(event, PlayerErased))]
        return tuple((await self._data_keys.of(subjects)).values())

    def decoded(self, stored: Iterable[StoredEvent], key: DataKey | None = None) -> Iterable[Recorded]:
        """The stored events decoded, with their personal parts where the data key is given. Raises `Unavailable`."""
        for item in stored:
            event = cast("RecordEvent", self._codec.decode(item, data_key=key))
            yield Recorded(event=event, version=item.version, position=item.position, recorded_at=item.recorded_at)
