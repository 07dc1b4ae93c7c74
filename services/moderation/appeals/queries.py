"""Questions about appeals."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any

import msgspec

from services.moderation.appeals.handler import AppealHandler
from services.moderation.appeals.views import full_view
from services.moderation.record.repository import Records
from services.moderation.views.timeline import fold_all

Fetch = Callable[..., Awaitable[Sequence[Any]]]
_LIST_SQL = """
SELECT body, opened_at, appeal_id FROM appeals
WHERE ($1::text IS NULL OR state = $1) AND ($2::timestamptz IS NULL OR (opened_at, appeal_id) > ($2, $3)) ORDER BY opened_at, appeal_id LIMIT $4"""
_ACTIVE_SQL = "SELECT staff_id FROM staff WHERE staff_id = ANY($1::text[]) AND active"


class AppealQueries:
    """Reads of appeals."""

    def __init__(self, *, records: Records, handler: AppealHandler, fetch: Fetch) -> None:
        self._records = records
        self._handler = handler
        self._fetch = fetch

    async def one(self, appeal_id: str, *, staff: bool) -> dict[str, Any]:
        """The appeal with its words, for staff with those of its deciders who have left (A09). Raises a `Refusal` `not_found`."""
        player_id = await self._handler.player_of(appeal_id)
        events = await self._records.events(player_id, personal=True)
        state = fold_all(events)
        appeal = state.appeals[appeal_id]
        view = full_view(player_id, appeal, events, staff=staff)
        if staff:
            incident = state.incidents.get(appeal.incident_id or "")
            named = {name for name in (appeal.decided_by, incident.decided_by if incident is not None else None) if name is not None}
            active = {row[0] for row in await self._fetch(_ACTIVE_SQL, sorted(named))}
            view["former_staff"] = sorted(named - active)
        return view

    async def listed(self, state: str | None, after: Sequence[Any] | None, limit: int) -> list[tuple[dict[str, Any], tuple[str, str]]]:
        """At most `limit` appeals after the one with this moment and id, oldest first, each with its sort key."""
        moment, appeal_id = (datetime.fromisoformat(after[0]), after[1]) if after is not None else (None, None)
        rows = await self._fetch(_LIST_SQL, state, moment, appeal_id, limit)
        return [(msgspec.json.decode(row[0]), (row[1].isoformat(), row[2])) for row in rows]
