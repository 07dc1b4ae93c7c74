"""Which networks an account came from: reported at access checks, kept as keyed hashes, asked when an IP ban is decided (I-14).

This is no part of the log: nothing is decided by a sighting itself, and what a decision took from here stands in its event.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, Protocol

import asyncpg

from services.moderation.policy.tables import Policy
from shared.eventstore.connections import Link
from shared.eventstore.reader import CoalescingReader

# A sighting is written again only when the last one is older than this: most checks of a day then cost no write.
AGAIN_AFTER = timedelta(hours=1)

_REMEMBER_SQL = """
INSERT INTO networks_seen AS s (player_id, network, first_seen, last_seen)
SELECT k.player_id, k.network, k.at, k.at FROM unnest($1::text[], $2::bytea[], $3::timestamptz[]) AS k(player_id, network, at)
WHERE NOT EXISTS (SELECT 1 FROM networks_seen n WHERE n.player_id = k.player_id AND n.network = k.network AND n.last_seen > k.at - $4::interval)
ORDER BY 1, 2
ON CONFLICT (player_id, network) DO UPDATE SET last_seen = GREATEST(s.last_seen, EXCLUDED.last_seen)
RETURNING s.player_id, s.network"""
_SEEN_SQL = """
SELECT player_id, network FROM networks_seen WHERE player_id = ANY($1::text[]) AND last_seen >= $2 ORDER BY player_id, first_seen, network"""
_EVERY_SQL = "SELECT network FROM networks_seen WHERE player_id = $1 ORDER BY network"

WRITER_SETTINGS = {"statement_timeout": "4000", "lock_timeout": "2000", "enable_seqscan": "off", "jit": "off"}

Fetch = Callable[..., Awaitable[list[asyncpg.Record]]]


class NetworksSeen(Protocol):
    """Remembers and tells the networks of accounts, as keyed hashes in hexadecimal."""

    async def remember(self, player_id: str, network: bytes, at: datetime) -> None:
        """The account came from this network; durable when this returns. Raises `Unavailable`."""
        ...

    async def of(self, player_ids: Sequence[str], now: datetime, policy: Policy) -> dict[str, tuple[str, ...]]:
        """The networks seen for each account within the policy's window before `now`."""
        ...


class TableNetworksSeen:
    """Over the table `networks_seen`; sightings that arrive together are written together."""

    def __init__(self, link: Link, fetch: Fetch) -> None:
        self._fetch = fetch
        self._writer: CoalescingReader[tuple[str, bytes, datetime], bool] = CoalescingReader(
            link, _REMEMBER_SQL, arguments=_arguments, index=_written
        )

    async def remember(self, player_id: str, network: bytes, at: datetime) -> None:
        """See `NetworksSeen.remember`."""
        await self._writer.ask([(player_id, network, at)])

    async def of(self, player_ids: Sequence[str], now: datetime, policy: Policy) -> dict[str, tuple[str, ...]]:
        """See `NetworksSeen.of`."""
        if not player_ids:
            return {}
        since = now - timedelta(seconds=policy.settings.network_window_seconds)
        found: dict[str, list[str]] = {}
        for row in await self._fetch(_SEEN_SQL, list(player_ids), since):
            found.setdefault(row[0], []).append(row[1].hex())
        return {player_id: tuple(networks) for player_id, networks in found.items()}

    async def every(self, player_id: str) -> list[bytes]:
        """All networks that are remembered of the account, whenever they were seen."""
        return [row[0] for row in await self._fetch(_EVERY_SQL, player_id)]

    async def close(self) -> None:
        """Write what waits, then end."""
        await self._writer.close()


def _written(rows: list[asyncpg.Record]) -> dict[tuple[str, bytes, datetime], bool]:  # noqa: ARG001  nobody asks which were written
    return {}


def _arguments(keys: Sequence[tuple[str, bytes, datetime]]) -> tuple[Any, ...]:
    """Each account and network once, at its latest moment: one statement can't touch a row twice."""
    latest: dict[tuple[str, bytes], datetime] = {}
    for player_id, network, at in keys:
        latest[player_id, network] = max(at, latest.get((player_id, network), at))
    rows = [(player_id, network, at) for (player_id, network), at in latest.items()]
    return (*(list(column) for column in zip(*rows, strict=True)), AGAIN_AFTER)
