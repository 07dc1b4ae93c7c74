"""What a call asks of the conduct record beyond charging an incident."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from shared.commands import Attempt
from shared.context import CommandContext


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyVerdict:
    """What a reviewer decides of the incident behind a penalty; the fields are those of an appeal's decision (contract, Appeals)."""

    outcome: str
    text: str
    sanctions: Sequence[Any] | None = None
    strike: bool | None = None
    cascade: bool = True
    reassess: Mapping[str, Any] | None = None
    player_version: int | None = None

    @property
    def details(self) -> bool:
        """Whether it says anything that only a penalty's incident can take."""
        return self.sanctions is not None or self.strike is not None or self.reassess is not None or self.player_version is not None


class PenaltyAppeals(Protocol):
    """Appeals of incidents, planned so that they are recorded in the transaction of the call (I-47): an incident has one appeal by either route."""

    async def plan_open(self, ctx: CommandContext, appeal_id: str, player_id: str, incident_id: str, now: datetime) -> Attempt:
        """File the appeal of a player's incident. Raises a `Refusal` `appeal_exists` or `decision_final`."""
        ...

    async def plan_decision(self, ctx: CommandContext, appeal_id: str, player_id: str, verdict: PenaltyVerdict, now: datetime) -> Attempt | None:
        """Decide it under I-34; None when it was decided so already, by the other route.

        Raises a `Refusal`: `already_decided` otherwise, `stale_version`, `conflict_of_interest`, or those of sanctions.
        """
        ...
