"""What may be asked of a rollback. Moments, ids and everything looked up come in with the command."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from services.moderation.record.commands import Decider
from services.moderation.rollbacks.events import KeptDecision, ListedDecision, PlayerReinstated, PlayerRolledBack


@dataclass(frozen=True, slots=True, kw_only=True)
class RollBackStaff:
    """Take back what `staff_id` decided from `since` to `until`; the rest says what that comes to on the records as they are."""

    rollback_id: str
    staff_id: str
    at: datetime
    by: Decider
    since: datetime
    until: datetime
    reason: str
    players: tuple[PlayerRolledBack, ...] = ()
    network_bans: tuple[str, ...] = ()
    kept: tuple[KeptDecision, ...] = ()
    listed: tuple[ListedDecision, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReverseRollback:
    """Reverse the rollback; the rest says what that comes to on the records as they are."""

    rollback_id: str
    at: datetime
    by: Decider
    reason: str
    players: tuple[PlayerReinstated, ...] = ()
    network_bans: tuple[str, ...] = ()
    kept: tuple[KeptDecision, ...] = ()


RollbackCommand = RollBackStaff | ReverseRollback
