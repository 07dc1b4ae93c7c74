"""Whom a decision is about: a player appeals their own decisions only (contract, Appeals)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from services.moderation.appeals.events import Target
from services.moderation.appeals.networks import NetworkAppeals
from services.moderation.record.repository import Records
from services.moderation.record.state import RecordState
from shared.refusal import Refusal

_ADJUSTED_SQL = "SELECT 1 FROM staff_decisions WHERE decision_id = $1 AND kind = 'adjustment'"


class Subjects:
    """Finds what is appealed."""

    def __init__(self, *, records: Records, network_bans: NetworkAppeals, fetch: Callable[..., Awaitable[Sequence[Any]]]) -> None:
        self._records = records
        self._network_bans = network_bans
        self._fetch = fetch

    async def incident_of(self, player_id: str, state: RecordState, target: Target) -> str | None:
        """The incident that is appealed, None for a network ban or for an adjustment that nobody made.

        Raises a `Refusal`: `not_the_subject` for another player's decision, `not_found` for nobody's.
        """
        if target.network_ban_id is not None:
            await self._network_bans.check_exists(target.network_ban_id)
            return None
        if target.incident_id is None:
            found = next((i.incident_id for i in state.incidents.values() if target.adjustment_id in i.adjustments), None)
            theirs = found is not None or not await self._fetch(_ADJUSTED_SQL, target.adjustment_id)
        else:
            found = target.incident_id
            theirs = found in state.incidents or await self._records.player_of(found) == player_id
        if not theirs:
            raise Refusal("not_the_subject", "This decision is about another player.")
        return found
