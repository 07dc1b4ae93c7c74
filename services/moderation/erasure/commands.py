"""What may be asked: forget a player. Time, id and looked-up facts come in with the command."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from services.moderation.record.commands import Decider


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasePlayer:
    """Destroy what is personal. `something_left`: the player has a data key, or networks are remembered; `replayed`: told by the ledger."""

    erasure_id: str
    player_id: str
    at: datetime
    by: Decider
    reason: str | None = None
    something_left: bool = False
    replayed: bool = False
