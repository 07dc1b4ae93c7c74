"""A rollback, folded from its events."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import assert_never

from services.moderation.rollbacks.events import RollbackReversed, RollbackStreamEvent, StaffRolledBack


@dataclass(frozen=True, slots=True, kw_only=True)
class RollbackState:
    """What was rolled back, and how that was reversed, as far as either has happened; `version` counts the events."""

    version: int = 0
    made: StaffRolledBack | None = None
    reversed: RollbackReversed | None = None

    def moment(self, now: datetime) -> datetime:
        """`now`, but never before the rollback: clocks of several machines differ (E02)."""
        return now if self.made is None or now > self.made.at else self.made.at


INITIAL = RollbackState()


def evolve(state: RollbackState, event: RollbackStreamEvent) -> RollbackState:
    """The rollback after the event."""
    stepped = replace(state, version=state.version + 1)
    match event:
        case StaffRolledBack():
            return replace(stepped, made=event)
        case RollbackReversed():
            return replace(stepped, reversed=event)
        case _:
            assert_never(event)
