"""Questions about records: answered from a fold of the player's events, so they can't disagree with the log."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from services.moderation.policy.holder import PolicyHolder
from services.moderation.record.events import IncidentDecided
from services.moderation.record.repository import Records
from services.moderation.views.history import history_item
from services.moderation.views.incidents import IncidentHistory, PlayerIncidents, collect, found_on, incident_view, newest_first
from services.moderation.views.sanctions import is_active, sanction_view
from services.moderation.views.standing import Standing, facts_of, standing_at, standing_now
from services.moderation.views.statement import statement
from services.moderation.views.timeline import Asked, fold_asked
from shared.clock import Clock
from shared.eventstore.codec import Codec
from shared.refusal import Refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundIncident:
    """An incident and the record it is in."""

    player: PlayerIncidents
    history: IncidentHistory


class RecordQueries:
    """Reads of conduct records."""

    def __init__(self, *, records: Records, policies: PolicyHolder, codec: Codec, clock: Clock) -> None:
        self._records = records
        self._policies = policies
        self._codec = codec
        self._clock = clock

    async def standing(self, player_id: str, asked: Asked | None = None) -> Standing:
        """The standing from the events that count for what is asked (contract, Standing).

        Raises a `Refusal` `not_found` for a version that is not there.
        """
        wanted = asked or Asked()
        events = await self._records.events(player_id)
        if wanted.at_version is not None and wanted.at_version > len(events):
            raise Refusal("not_found", f"The record is at version {len(events)}.", current={"version": len(events)})
        folded = fold_asked(events, wanted)
        facts = facts_of(folded.state)
        if wanted.as_of is not None:
            return standing_at(player_id, facts, folded.version, wanted.as_of)
        return standing_now(player_id, facts, folded.version, self._clock.now())

    async def incident(self, incident_id: str, player_id: str | None = None, *, personal: bool) -> dict[str, Any]:
        """One incident as it stands now, on the record of `player_id` where it sanctioned that account along. Raises a `Refusal` `not_found`."""
        found = await self._find(incident_id, player_id)
        return incident_view(found.player, found.history, self._moment(found.player), personal=personal)

    async def incidents(self, player_id: str, *, status: str | None, personal: bool) -> list[tuple[IncidentHistory, dict[str, Any]]]:
        """A player's incidents, newest first."""
        player = collect(player_id, await self._records.events(player_id, personal=True))
        at = self._moment(player)
        return [(history, incident_view(player, history, at, personal=personal)) for history in newest_first(player, status=status)]

    async def active_sanctions(self, player_id: str) -> list[dict[str, Any]]:
        """What is in force now: not ended, lifted, replaced or carried out (D02, D03); oldest first."""
        player = collect(player_id, await self._records.events(player_id))
        at = self._moment(player)
        return [
            {**sanction_view(held, at), "incident_id": incident.incident_id}
            for incident in player.state.incidents.values()
            if incident.in_force
            for held in incident.sanctions
            if is_active(held, at)
        ]

    async def statement(self, incident_id: str, player_id: str | None = None) -> dict[str, Any]:
        """The player's statement of reasons: of whom the incident is about, or of `player_id`, whom it sanctioned along.

        Raises a `Refusal` `not_found` where the player is not told (I-18).
        """
        found = await self._find(incident_id, player_id)
        origin = found.history.origin
        policy = await self._policies.by_version(origin.policy_version) if isinstance(origin, IncidentDecided) else await self._policies.current()
        shown = statement(found.player, found.history, policy, self._moment(found.player))
        if shown is None:
            raise Refusal("not_found", "There is no statement for this incident.")
        return shown

    async def history(self, player_id: str, *, after: int, limit: int) -> list[dict[str, Any]]:
        """The player's events after a version, oldest first, at most `limit`: what an auditor reads."""
        stored, key = await self._records.page(player_id, after=after, limit=limit)
        return [history_item(self._codec, item, key) for item in stored]

    async def _find(self, incident_id: str, player_id: str | None) -> FoundIncident:
        account = player_id or await self._records.player_of(incident_id)
        player = collect(account, await self._records.events(account, personal=True))
        return FoundIncident(player=player, history=found_on(player, incident_id))

    def _moment(self, player: PlayerIncidents) -> datetime:
        return player.state.moment(self._clock.now())
