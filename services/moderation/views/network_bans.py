"""Which network bans bar an account that comes from a network, and the list of network bans that staff see."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import asyncpg
import msgspec

from shared.eventstore.connections import READER_SETTINGS, Link
from shared.eventstore.reader import CoalescingReader

_BARRED_SQL = """
SELECT b.network, b.network_ban_id, b.incident_id, b.ends_at, b.player_id,
       ARRAY(SELECT e.player_id FROM network_exemptions e WHERE e.network_ban_id = b.network_ban_id AND e.player_id = ANY($2::text[]))
FROM network_bans b WHERE b.network = ANY($1::bytea[])"""
_LIST_SQL = """
SELECT body, created_at, network_ban_id FROM network_ban_list
WHERE ($1::timestamptz IS NULL OR (created_at, network_ban_id) < ($1, $2)) ORDER BY created_at DESC, network_ban_id DESC LIMIT $3"""
_ONE_SQL = "SELECT body FROM network_ban_list WHERE network_ban_id = $1"

Fetch = Callable[..., Awaitable[list[asyncpg.Record]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class BarredNetwork:
    """A ban that covers a network; `incident_id` names the incident that imposed it, None for a ban of the network itself."""

    network_ban_id: str
    incident_id: str | None
    ends_at: datetime | None
    exempt: frozenset[str]


class NetworkBans:
    """Looks up bans by the keyed hashes of networks, and lists them."""

    def __init__(self, link: Link, fetch: Fetch) -> None:
        self._fetch = fetch
        self._reader: CoalescingReader[tuple[str, tuple[bytes, ...]], dict[bytes, list[BarredNetwork]]] = CoalescingReader(
            link, _BARRED_SQL, arguments=_arguments, index=_by_network
        )

    async def barring(self, player_id: str, networks: Sequence[bytes], at: datetime) -> list[BarredNetwork]:
        """The bans of these networks that bar this account at `at`: none that has ended, none it is exempt from. Raises `Unavailable`."""
        found = await self._reader.ask([(player_id, tuple(networks))])
        by_network = next(iter(found.values()), {})
        bans = [ban for network in networks for ban in by_network.get(network, ())]
        return [ban for ban in bans if (ban.ends_at is None or at < ban.ends_at) and player_id not in ban.exempt]

    async def listed(self, after: tuple[datetime, str] | None, limit: int) -> list[tuple[dict[str, Any], datetime, str]]:
        """At most `limit` bans, newest first, after the one with this moment and id."""
        moment, ban_id = after or (None, None)
        rows = await self._fetch(_LIST_SQL, moment, ban_id, limit)
        return [(msgspec.json.decode(row[0]), row[1], row[2]) for row in rows]

    async def find(self, network_ban_id: str) -> dict[str, Any] | None:
        """One ban of the list."""
        rows = await self._fetch(_ONE_SQL, network_ban_id)
        return msgspec.json.decode(rows[0][0]) if rows else None

    async def close(self) -> None:
        """Answer what was asked, then end."""
        await self._reader.close()


def reader_link(dsn: str, name: str) -> Link:
    """A read-only connection of this name."""
    return Link(dsn=dsn, name=f"moderation-{name}", settings=READER_SETTINGS)


def _arguments(keys: Sequence[tuple[str, tuple[bytes, ...]]]) -> tuple[list[bytes], list[str]]:
    return list({network for _, networks in keys for network in networks}), list({player_id for player_id, _ in keys})


def _by_network(rows: list[asyncpg.Record]) -> dict[tuple[str, tuple[bytes, ...]], dict[bytes, list[BarredNetwork]]]:
    found: dict[bytes, list[BarredNetwork]] = {}
    for row in rows:
        ban = BarredNetwork(network_ban_id=row[1], incident_id=row[2], ends_at=row[3], exempt=frozenset(row[5]))
        found.setdefault(row[0], []).append(ban)
    return {("", ()): found}
