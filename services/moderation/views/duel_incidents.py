"""The incidents of a duel room: the penalties that count in it (I-7)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from services.moderation.record.events import IncidentDecided
from services.moderation.record.queries import RecordQueries
from shared.eventstore.port import TableWrite

_SQL = "SELECT incident_id FROM duel_incidents WHERE duel_id = $1 ORDER BY incident_id"


class DuelIncidents:
    """Finds the incidents that were decided about a duel."""

    def __init__(self, fetch: Callable[..., Awaitable[Sequence[Any]]], queries: RecordQueries) -> None:
        self._fetch = fetch
        self._queries = queries

    async def of(self, duel_id: str) -> list[dict[str, Any]]:
        """The duel's incidents, oldest first, as they stand now; nothing about staff in them."""
        rows = await self._fetch(_SQL, duel_id)
        incidents = await asyncio.gather(*(self._queries.incident(row[0], personal=False) for row in rows))
        return [_penalty(incident) for incident in incidents]


def duel_index(event: IncidentDecided) -> tuple[TableWrite, ...]:
    """The row by which a duel's incidents are found."""
    if event.duel_id is None:
        return ()
    return (TableWrite(table="duel_incidents", row=(event.duel_id, event.incident_id, event.player_id)),)


def _penalty(incident: dict[str, Any]) -> dict[str, Any]:
    shown = ("incident_id", "player_id", "decided_at", "call_id", "sanctions", "status")
    return {**{name: incident[name] for name in shown}, "infractions": [line["infraction"] for line in incident["assessment"]]}
