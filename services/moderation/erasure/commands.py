"""What may be asked: forget a player. Time, id and looked-up facts come in with the command."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from services.moderation.record.commands import Decider


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasePlayer:
    """Destroy what is personal. `replayed`: told by the ledger.

    `something_left`: the player has a data key, networks are remembered, or other services hold something of theirs.
    """

    erasure_id: str
    player_id: str
    at: datetime
    by: Decider
    reason: str | None = None
    something_left: bool = False
    replayed: bool = False
