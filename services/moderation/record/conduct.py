"""What other services ask of a record before they decide on their own: always from the record itself, with its version to guard."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from services.moderation.record.repository import Records, stream_of
from services.moderation.views.standing import facts_of, standing_now
from shared.commands import StreamChange


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """Whether the account is banned at the moment asked for, also for a proxy (I-15); `guard` lets an append fail if the record changed since."""

    banned: bool
    guard: StreamChange


class Conduct:
    """Reads of records. Raises `Unavailable` for one that can't be read."""

    def __init__(self, records: Records) -> None:
        self._records = records

    async def check(self, player_id: str, now: datetime) -> Checked:
        """Whether a ban of the account runs."""
        state = await self._records.state(player_id)
        standing = standing_now(player_id, facts_of(state), state.version, now)
        banned = standing.ban is not None or standing.proxy_banned
        return Checked(banned=banned, guard=StreamChange(stream=stream_of(player_id), expected_version=state.version))

    async def removal_stands(self, player_id: str, incident_id: str) -> bool:
        """Whether the incident by which a cosmetic was removed is in force, and orders that still."""
        incident = (await self._records.state(player_id)).incidents.get(incident_id)
        if incident is None or not incident.in_force:
            return False
        return any(held.sanction.kind == "cosmetic_removal" and held.state != "lifted" for held in incident.sanctions)
