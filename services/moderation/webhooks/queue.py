"""The deliveries that are still to be made, in the database. One dispatcher at a time works on them, over the connection that holds the lock.

What arrived has no row. Of a lane (the items of one player; those of nobody by their stream) only the first is ready, so a player's items arrive in
their order; other lanes go on while one waits for its next attempt.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from shared.eventstore.connections import BaseConnection

PAGE_POSITIONS: Final = 1000
MAX_PENDING: Final = 5_000
LEASE: Final = timedelta(seconds=60)
GIVE_UP_AFTER: Final = timedelta(days=3)

_TAKE_OVER = """
INSERT INTO webhook_deliveries (webhook_id, position, ordinal, lane, dead, ready, attempts, created_at, next_at)
SELECT $1, o.position, o.ordinal, COALESCE(o.player_id, e.stream), false, false, 0, $5, $5
FROM outbox o JOIN events e ON e.position = o.position
WHERE o.position > $2 AND o.position <= $3 AND (cardinality($4::text[]) = 0 OR o.type = ANY ($4::text[]))
ON CONFLICT (webhook_id, position, ordinal) DO UPDATE SET dead = false, ready = false, attempts = 0, created_at = $5, next_at = $5"""
_MAKE_READY = """
UPDATE webhook_deliveries d SET ready = true
WHERE d.webhook_id = $1 AND d.position > $2 AND d.position <= $3 AND NOT d.dead AND NOT d.ready AND NOT EXISTS (
    SELECT FROM webhook_deliveries b WHERE b.webhook_id = d.webhook_id AND b.lane = d.lane AND NOT b.dead
    AND (b.position, b.ordinal) < (d.position, d.ordinal))"""
_CLAIM = """
UPDATE webhook_deliveries d SET next_at = $4 FROM (
    SELECT q.position, q.ordinal FROM webhook_deliveries q
    WHERE q.webhook_id = $1 AND q.ready AND q.next_at <= $2 ORDER BY q.next_at, q.position, q.ordinal LIMIT $3
) due JOIN outbox o ON o.position = due.position AND o.ordinal = due.ordinal JOIN events e ON e.position = due.position
WHERE d.webhook_id = $1 AND d.position = due.position AND d.ordinal = due.ordinal
RETURNING d.position, d.ordinal, d.lane, d.attempts, d.created_at, o.type, o.player_id, o.data, e.recorded_at"""
_NEXT_IN_LANE = """
UPDATE webhook_deliveries d SET ready = true, next_at = $5 FROM (
    SELECT n.position, n.ordinal FROM webhook_deliveries n
    WHERE n.webhook_id = $1 AND n.lane = $4 AND NOT n.dead AND (n.position, n.ordinal) <> ($2, $3) ORDER BY n.position, n.ordinal LIMIT 1
) n WHERE d.webhook_id = $1 AND d.position = n.position AND d.ordinal = n.ordinal AND NOT d.ready"""
_PROGRESS = """
UPDATE webhook_progress SET delivered = delivered + $2, last_at = $3, last_status = $4, last_error = $5 WHERE webhook_id = $1"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """One message for one webhook; `attempts` were made before."""

    webhook_id: str
    position: int
    ordinal: int
    lane: str
    attempts: int
    created_at: datetime
    type: str
    player_id: str | None
    data: bytes
    recorded_at: datetime

    @property
    def message_id(self) -> str:
        """The same for every attempt and every webhook, so that a receiver knows what it has."""
        return f"msg_{self.position}_{self.ordinal}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempted:
    """How an attempt ended, for the record."""

    at: datetime
    status: int | None
    error: str | None


@dataclass(slots=True)
class DeliveryQueue:
    """The queue over one connection, whose statements take turns."""

    connection: BaseConnection
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def rows(self, sql: str, *arguments: Any) -> list[Any]:
        """The rows of a query."""
        async with self._turn:
            return await self.connection.fetch(sql, *arguments)

    async def take_over(self, webhook_id: str, types: Sequence[str], now: datetime) -> bool:
        """Make deliveries of what the outbox has behind the webhook's position; whether there is more. A long queue waits in the outbox."""
        async with self._turn, self.connection.transaction():
            row = await self.connection.fetchrow(
                "SELECT p.position, h.position FROM webhook_progress p, log_head h WHERE p.webhook_id = $1", webhook_id
            )
            if row is None or row[0] >= row[1]:
                return False
            waiting = "SELECT count(*) FROM (SELECT FROM webhook_deliveries WHERE webhook_id = $1 AND NOT dead LIMIT $2) d"
            if await self.connection.fetchval(waiting, webhook_id, MAX_PENDING) >= MAX_PENDING:
                return False
            begin, end = row[0], min(row[1], row[0] + PAGE_POSITIONS)
            await self._insert(webhook_id, begin, end, types, now)
            await self.connection.execute("UPDATE webhook_progress SET position = $2 WHERE webhook_id = $1", webhook_id, end)
            return bool(end < row[1])

    async def _insert(self, webhook_id: str, begin: int, end: int, types: Sequence[str], now: datetime) -> None:
        await self.connection.execute(_TAKE_OVER, webhook_id, begin, end, list(types), now)
        await self.connection.execute(_MAKE_READY, webhook_id, begin, end)

    async def redeliver(self, webhook_id: str, types: Sequence[str], now: datetime) -> None:
        """Carry out what the operator asked for."""
        async with self._turn, self.connection.transaction():
            asked = await self.connection.fetch("DELETE FROM webhook_redeliveries WHERE webhook_id = $1 RETURNING dead_only, first, last", webhook_id)
            for dead_only, first, last in asked:
                reached = await self.connection.fetchval("SELECT position FROM webhook_progress WHERE webhook_id = $1", webhook_id)
                if dead_only:
                    await self.connection.execute(
                        "UPDATE webhook_deliveries SET dead = false, attempts = 0, created_at = $2, next_at = $2 WHERE webhook_id = $1 AND dead",
                        webhook_id,
                        now,
                    )
                    await self.connection.execute(_MAKE_READY, webhook_id, 0, reached)
                else:
                    await self._insert(webhook_id, first - 1, min(reached, last or reached), types, now)

    async def claim(self, webhook_id: str, now: datetime, count: int) -> list[Delivery]:
        """Up to so many messages that are due, the longest due first. One that gets no outcome is due again after the lease."""
        names = ("position", "ordinal", "lane", "attempts", "created_at", "type", "player_id", "data", "recorded_at")
        found = await self.rows(_CLAIM, webhook_id, now, count, now + LEASE)
        return [Delivery(webhook_id=webhook_id, **dict(zip(names, row, strict=True))) for row in found]

    async def arrived(self, one: Delivery, how: Attempted) -> None:
        """Done: the next of the lane is due."""
        place = (one.webhook_id, one.position, one.ordinal)
        async with self._turn, self.connection.transaction():
            await self.connection.execute("DELETE FROM webhook_deliveries WHERE webhook_id = $1 AND position = $2 AND ordinal = $3", *place)
            await self.connection.execute(_NEXT_IN_LANE, *place, one.lane, how.at)
            await self.connection.execute(_PROGRESS, one.webhook_id, 1, how.at, how.status, how.error)

    async def failed(self, one: Delivery, how: Attempted, again_at: datetime | None) -> None:
        """Try again then; None: give it up, and let the next of the lane go on."""
        place = (one.webhook_id, one.position, one.ordinal)
        async with self._turn, self.connection.transaction():
            await self.connection.execute(
                "UPDATE webhook_deliveries SET attempts = attempts + 1, dead = $4, ready = NOT $4, next_at = $5, last_status = $6, last_error = $7"
                " WHERE webhook_id = $1 AND position = $2 AND ordinal = $3",
                *place, again_at is None, again_at or how.at, how.status, how.error,
            )  # fmt: skip
            if again_at is None:
                await self.connection.execute(_NEXT_IN_LANE, *place, one.lane, how.at)
            await self.connection.execute(_PROGRESS, one.webhook_id, 0, how.at, how.status, how.error)

    async def expire(self, webhook_id: str, now: datetime) -> int:
        """Give up what has waited too long without an attempt of its own, as while the receiver was away; how many."""
        async with self._turn, self.connection.transaction():
            gone = await self.connection.fetch(
                "UPDATE webhook_deliveries SET dead = true, ready = false WHERE webhook_id = $1 AND NOT dead AND created_at < $2 RETURNING position",
                webhook_id,
                now - GIVE_UP_AFTER,
            )
            if gone:
                await self.connection.execute(_MAKE_READY, webhook_id, 0, 2**62)
        return len(gone)

    async def clear(self, known: Sequence[str]) -> None:
        """Drop what waits for webhooks that are removed."""
        await self.rows("DELETE FROM webhook_deliveries WHERE webhook_id <> ALL ($1::text[])", list(known))
