"""The appeal of a penalty is an appeal of its incident: both move in one transaction (I-47)."""

from __future__ import annotations

from datetime import datetime

from services.calls.calls.ports import PenaltyVerdict
from services.moderation.api import AppealHandler, Target, Wanted, discretion_of, outcomes_of
from shared.commands import Attempt
from shared.context import CommandContext
from shared.refusal import Refusal

GROUNDS = "Appealed by a participant on the call."


class IncidentAppeals:
    """See `PenaltyAppeals`; stands on the appeals of conduct records."""

    def __init__(self, appeals: AppealHandler) -> None:
        self._appeals = appeals

    async def plan_open(self, ctx: CommandContext, appeal_id: str, player_id: str, incident_id: str, now: datetime) -> Attempt:
        """File the appeal of the penalised player's incident."""
        return await self._appeals.plan_open(ctx, appeal_id, player_id, Target(incident_id=incident_id), GROUNDS, now)

    async def plan_decision(self, ctx: CommandContext, appeal_id: str, player_id: str, verdict: PenaltyVerdict, now: datetime) -> Attempt | None:
        """Decide the incident's appeal as the call's; an end that it found by itself is the end here too."""
        state, outcome = await self._appeals.state_of(appeal_id, player_id)
        if state != "open":
            stands = outcome or "upheld"
            if verdict.outcome == stands:
                return None
            raise Refusal("already_decided", "The incident's own appeal has ended.", current={"state": state, "outcome": outcome}, allowed=[stands])
        wanted = Wanted(
            outcome=verdict.outcome,
            reason=verdict.text,
            reply=verdict.text,
            sanctions=None if verdict.sanctions is None else outcomes_of(list(verdict.sanctions)),
            strike=verdict.strike,
            cascade=verdict.cascade,
            choices={incident_id: discretion_of(chosen) for incident_id, chosen in (verdict.reassess or {}).items()},
        )
        return await self._appeals.plan_decision(ctx, appeal_id, player_id, wanted, verdict.player_version, now)
