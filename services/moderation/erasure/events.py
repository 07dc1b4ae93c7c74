"""What an erasure adds to a player's record: that it happened. It stands in the stream of the record, so one version guards both."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from services.moderation.record.outcomes import Words


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerErased:
    """The player's data key was destroyed with this event: what it sealed before can't be read again; what is sealed later has a new key.

    `replayed`: a restored backup had forgotten the erasure, and the ledger told it again. `words` is why, sealed under a key of the erasure's own
    (`erasure/ERASURE_ID`), which goes with the next erasure of the player.
    """

    erasure_id: str
    player_id: str
    at: datetime
    by: str
    role: str
    replayed: bool = False
    words: Words | None = None
