"""What a member of staff decided, over all players: what a rollback of theirs has to look at (I-20). Incidents are found in `incidents`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from services.moderation.network_bans.events import AccountExempted, NetworkBanEvent, NetworkBanLifted, NetworkBanned
from services.moderation.record.events import AppealDecided, IncidentImported, IpBanLifted, ProxyBanLifted, RecordEvent, SanctionsAdjusted
from shared.eventstore.port import TableWrite

_SQL = """
SELECT 'incident' AS kind, decided_at, player_id, incident_id, NULL AS decision_id, version FROM incidents
WHERE decided_by = $1 AND decided_at BETWEEN $2 AND $3
UNION ALL
SELECT kind, decided_at, player_id, incident_id, decision_id, version FROM staff_decisions
WHERE staff_id = $1 AND decided_at BETWEEN $2 AND $3
ORDER BY decided_at, player_id, version LIMIT $4"""

DECISIONS = frozenset({SanctionsAdjusted, IpBanLifted, ProxyBanLifted, AppealDecided, IncidentImported})
"""The events of a record that `record_decisions` has rows of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffDecision:
    """One decision: its kind, and what it is about. `version` is that of its event in the record of the player or the stream of the network ban."""

    kind: str
    at: datetime
    player_id: str | None
    incident_id: str | None
    decision_id: str | None
    version: int


class StaffDecisions:
    """Finds decisions by who made them."""

    def __init__(self, fetch: Callable[..., Awaitable[Sequence[Any]]]) -> None:
        self._fetch = fetch

    async def of(self, staff_id: str, since: datetime, until: datetime, limit: int) -> list[StaffDecision]:
        """At most `limit` decisions of the member in that time, bounds included, oldest first."""
        rows = await self._fetch(_SQL, staff_id, since, until, limit)
        return [
            StaffDecision(kind=row[0], at=row[1], player_id=row[2], incident_id=row[3], decision_id=row[4], version=row[5]) for row in rows
        ]

    async def is_known(self, staff_id: str) -> bool:
        """Whether the register knows the member; those who left stay in it."""
        return bool(await self._fetch("SELECT 1 FROM staff WHERE staff_id = $1", staff_id))


def record_decisions(player_id: str, stream: str, version: int, events: Sequence[RecordEvent]) -> Iterator[TableWrite]:
    """The rows of these events of a record, which follow on `version`."""
    for number, event in enumerate(events, version + 1):
        match event:
            case SanctionsAdjusted(appeal_id=None):
                yield _row(event.by, event.at, stream, number, "adjustment", player_id, event.incident_id, event.adjustment_id)
            case IpBanLifted():
                yield _row(event.by, event.at, stream, number, "ip_ban_lift", player_id, event.incident_id, None)
            case ProxyBanLifted():
                yield _row(event.by, event.at, stream, number, "proxy_ban_lift", player_id, None, None)
            case AppealDecided():
                yield _row(event.by, event.at, stream, number, "appeal_decision", player_id, None, event.appeal_id)
            case IncidentImported():
                yield _row(event.imported_by, event.imported_at, stream, number, "import", player_id, event.incident_id, None)
            case _:
                pass


def network_decisions(stream: str, version: int, events: Sequence[NetworkBanEvent]) -> tuple[TableWrite, ...]:
    """The rows of these events of a network ban, which follow on `version`."""
    rows = []
    for number, event in enumerate(events, version + 1):
        match event:
            case NetworkBanLifted():
                rows.append(_row(event.by, event.at, stream, number, "network_ban_lift", None, None, event.network_ban_id))
            case NetworkBanned():
                rows.append(_row(event.by, event.at, stream, number, "network_ban", None, None, event.network_ban_id))
            case AccountExempted():
                rows.append(_row(event.by, event.at, stream, number, "network_exemption", event.player_id, None, event.network_ban_id))
            case _:
                pass
    return tuple(rows)


def _row(
    staff_id: str, at: datetime, stream: str, version: int, kind: str, player_id: str | None, incident_id: str | None, decision_id: str | None
) -> TableWrite:
    return TableWrite(table="staff_decisions", row=(staff_id, at, stream, version, kind, player_id, incident_id, decision_id))
