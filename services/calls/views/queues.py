"""The queues: whose turn it is, how many wait and how long, and calls in lists."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any

import msgspec

from services.calls.calls.categories import CATEGORIES
from services.calls.views.call import STALE_AFTER, is_stale

_ORDER = "released DESC, CASE WHEN released THEN -position ELSE position END"
_WAITED = 20  # waits of this many calls make the estimate
_FREE = "($2::text IS NULL OR position(' ' || $2 || ' ' IN c.involved) = 0)"
# Calls whose taker fell silent come first: they have waited, and their players wait with nobody coming (Q03).
_LAPSED_SQL = f"""
SELECT c.call_id FROM calls c WHERE c.state = 'taken' AND c.lease_until <= $3 AND c.taken_by <> $4
AND ($1::text IS NULL OR c.category = $1) AND {_FREE} ORDER BY c.lease_until LIMIT 20"""  # noqa: S608  constants
_NEXT_SQL = f"""
SELECT q.call_id FROM call_queue q JOIN calls c ON c.call_id = q.call_id
WHERE ($1::text IS NULL OR q.category = $1) AND {_FREE} ORDER BY {_ORDER} LIMIT 20"""  # noqa: S608  constants
_PLACES_SQL = f"""
SELECT p.call_id, p.place FROM (SELECT call_id, row_number() OVER (PARTITION BY category ORDER BY {_ORDER}) AS place
FROM call_queue WHERE category = ANY($1::text[])) p WHERE p.call_id = ANY($2::text[])"""  # noqa: S608  constants
_COUNT_SQL = "SELECT count(*) FROM call_queue WHERE category = $1"
_OPEN_SQL = "SELECT category, count(*), min(opened_at), count(*) FILTER (WHERE opened_at <= $1) FROM call_queue GROUP BY category"
_GONE_SQL = "SELECT category, count(*) FROM calls WHERE state = 'taken' AND lease_until <= $1 GROUP BY category"
_MEDIANS_SQL = """
SELECT k.category, (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM w.first_taken_at - w.opened_at)) FROM (
    SELECT c.first_taken_at, c.opened_at FROM calls c WHERE c.category = k.category AND c.first_taken_at IS NOT NULL
    ORDER BY c.first_taken_at DESC LIMIT $2) w)
FROM unnest($1::text[]) AS k(category)"""
_LIST_SQL = """
SELECT call_id, body FROM calls WHERE ($1::text IS NULL OR state = $1) AND ($2::text IS NULL OR category = $2) AND ($3::text IS NULL OR call_id > $3)
ORDER BY call_id LIMIT $4"""

Fetch = Callable[..., Awaitable[Sequence[Any]]]


class Queues:
    """Reads the tables of calls and queues. Raises `Unavailable` when the database can't answer."""

    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch

    async def candidates(self, category: str | None, *, staff_id: str, player_id: str | None, now: datetime) -> list[str]:
        """The calls whose turn it is for this member of staff, in order, without those they have a part in (I-51)."""
        lapsed = await self._fetch(_LAPSED_SQL, category, player_id, now, staff_id)
        return [row[0] for row in (*lapsed, *await self._fetch(_NEXT_SQL, category, player_id))]

    async def place(self, call_id: str, category: str) -> int | None:
        """The call's place in its queue, from 1; None when it does not wait."""
        rows = await self._fetch(_PLACES_SQL, [category], [call_id])
        return int(rows[0][1]) if rows else None

    async def waiting(self, category: str) -> int:
        """How many wait."""
        return int((await self._fetch(_COUNT_SQL, category))[0][0])

    async def estimate(self, category: str) -> int | None:
        """The median of the last waits in whole seconds; None before there was one."""
        return _seconds((await self._fetch(_MEDIANS_SQL, [category], _WAITED))[0][1])

    async def overview(self, now: datetime) -> list[dict[str, Any]]:
        """All six queues. `stale` counts calls that have waited long, `lapsed` taken ones whose taker fell silent."""
        waiting = {row[0]: row for row in await self._fetch(_OPEN_SQL, now - STALE_AFTER)}
        lapsed = {row[0]: row[1] for row in await self._fetch(_GONE_SQL, now)}
        medians = {row[0]: row[1] for row in await self._fetch(_MEDIANS_SQL, list(CATEGORIES), _WAITED)}
        items = []
        for category in CATEGORIES:
            row = waiting.get(category)
            items.append(
                {
                    "category": category,
                    "open": row[1] if row else 0,
                    "oldest_opened_at": row[2] if row else None,
                    "median_wait_seconds": _seconds(medians[category]),
                    "stale": row[3] if row else 0,
                    "lapsed": lapsed.get(category, 0),
                }
            )
        return items

    async def page(self, *, state: str | None, category: str | None, after: str | None, limit: int, now: datetime) -> list[dict[str, Any]]:
        """At most `limit` calls after this one, oldest first."""
        rows = await self._fetch(_LIST_SQL, state, category, after, limit)
        calls: list[dict[str, Any]] = [msgspec.json.decode(row[1]) for row in rows]
        waiting = [call for call in calls if call["state"] == "open"]
        places: dict[str, int] = {}
        if waiting:
            found = await self._fetch(_PLACES_SQL, sorted({call["category"] for call in waiting}), [call["call_id"] for call in waiting])
            places = {row[0]: row[1] for row in found}
        return [
            {
                **call,
                "queue_position": places.get(call["call_id"]),
                "stale": is_stale(call["state"], datetime.fromisoformat(call["opened_at"]), now),
            }
            for call in calls
        ]


def _seconds(value: Any) -> int | None:
    return None if value is None else max(0, round(float(value)))
