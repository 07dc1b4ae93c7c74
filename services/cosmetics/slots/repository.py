"""Loading a player's cosmetics."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, cast

from services.cosmetics.slots.events import CosmeticReported, CosmeticUploaded, SlotEvent
from services.cosmetics.slots.registered import REPORTED, UPLOADED
from services.cosmetics.slots.state import INITIAL, SlotState, fold
from shared.eventstore.codec import Codec
from shared.eventstore.port import EventStore
from shared.refusal import Refusal
from shared.security.data_keys import DataKeys

MAX_REPORTS: Final = 100

Fetch = Callable[..., Awaitable[Sequence[Any]]]
_PLAYER_SQL = "SELECT player_id FROM cosmetics WHERE cosmetic_id = $1"


def stream_of(player_id: str) -> str:
    """The stream of a player's cosmetics."""
    return f"cosmetics-{player_id}"


class Slots:
    """Reads cosmetics. What can't be decoded raises `Unavailable`."""

    def __init__(self, store: EventStore, codec: Codec, data_keys: DataKeys, fetch: Fetch) -> None:
        self._store = store
        self._codec = codec
        self._data_keys = data_keys
        self._fetch = fetch

    async def load(self, player_id: str) -> SlotState:
        """The player's cosmetics, of version 0 when there are none."""
        stored = await self._store.read(stream_of(player_id))
        return fold(INITIAL, (cast("SlotEvent", self._codec.decode(item)) for item in stored))

    async def reports_of(self, player_id: str, cosmetic_id: str) -> list[CosmeticReported]:
        """The latest reports of a cosmetic, the newest first, with their words as far as these can be read still."""
        reports = cast("list[CosmeticReported]", await self._opened(player_id, REPORTED))
        return [event for event in reversed(reports) if event.cosmetic_id == cosmetic_id][:MAX_REPORTS]

    async def prints_of(self, player_id: str, cosmetic_id: str) -> tuple[str, ...]:
        """The fingerprints of a player's cosmetic, to bar it by; none once the player was erased."""
        uploads = cast("list[CosmeticUploaded]", await self._opened(player_id, UPLOADED))
        upload = next(event for event in uploads if event.cosmetic_id == cosmetic_id)
        return upload.likeness.prints if upload.likeness is not None else upload.picture.prints

    async def _opened(self, player_id: str, name: str) -> list[object]:
        """The player's events of this name, with what is sealed in them as far as it can be read still."""
        stored = [item for item in await self._store.read(stream_of(player_id)) if item.type.startswith(f"{name}.")]  # the version follows
        key = (await self._data_keys.of([player_id])).get(player_id) if stored else None
        return [self._codec.decode(item, data_key=key) for item in stored]

    async def player_of(self, cosmetic_id: str) -> str:
        """Whose cosmetic it is. Raises a `Refusal` `not_found`."""
        rows = await self._fetch(_PLAYER_SQL, cosmetic_id)
        if not rows:
            raise Refusal("not_found", "There is no such cosmetic.")
        return str(rows[0][0])
