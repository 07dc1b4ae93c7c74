"""Reading standings from the projection: the hot path. What can't be read is never taken as clean (E06)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

import msgspec

from services.moderation.record.queries import RecordQueries
from services.moderation.views.standing import NOTHING, Standing, standing_now
from services.moderation.views.tables import read_facts
from shared.eventstore.postgres import HotRow
from shared.observability import report_unreadable
from shared.refusal import Unavailable
from shared.unreadable import UnreadableEvent


class HotStore(Protocol):
    """What of the store the hot path reads."""

    async def hot_read(self, player_id: str) -> HotRow:
        """The player's row, the configuration's epoch, and the stream's own version."""
        ...

    async def hot_read_many(self, player_ids: Sequence[str]) -> dict[str, HotRow]:
        """The same for many players, from one snapshot."""
        ...


class StandingReads:
    """Standings of now."""

    def __init__(self, store: HotStore, queries: RecordQueries) -> None:
        self._store = store
        self._queries = queries

    async def one(self, player_id: str, now: datetime) -> Standing:
        """The player's standing. Raises `Unavailable` when it can't be told."""
        return await self.of_row(player_id, await self._store.hot_read(player_id), now)

    async def many(self, player_ids: Sequence[str], now: datetime) -> list[Standing | str]:
        """The standings in the order asked; the player's id alone where it can't be told."""
        rows = await self._store.hot_read_many(list(dict.fromkeys(player_ids)))
        return [await self._or_id(player_id, rows[player_id], now) for player_id in player_ids]

    async def of_row(self, player_id: str, row: HotRow, now: datetime) -> Standing:
        """The standing in a row. A row behind its stream is not used: the stream itself is folded, or says that it can't be read."""
        return in_row(player_id, row, now) or await self._queries.standing(player_id)

    async def _or_id(self, player_id: str, row: HotRow, now: datetime) -> Standing | str:
        try:
            return await self.of_row(player_id, row, now)
        except UnreadableEvent as error:
            report_unreadable(error)
            return player_id
        except Unavailable:
            return player_id


def in_row(player_id: str, row: HotRow, now: datetime) -> Standing | None:
    """The standing in a row; None for a row behind its stream or one that can't be read."""
    if row.stream_version != (row.version or 0):
        return None
    if row.body is None:
        return standing_now(player_id, NOTHING, 0, now)
    try:
        return standing_now(player_id, read_facts(row.body), row.stream_version, now)
    except msgspec.MsgspecError:
        return None
