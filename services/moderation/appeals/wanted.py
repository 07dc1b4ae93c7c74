"""What a reviewer asks for, and what it came to on the record that was read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from services.moderation.appeals.commands import DecideAppeal
from services.moderation.appeals.views import Review
from services.moderation.record.changes import Change
from services.moderation.record.events import Discretion, Outcome
from shared.commands import StreamChange
from shared.eventstore.port import TableWrite


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a reviewer wants to decide, or to see before."""

    outcome: str
    reason: str = ""
    reply: str | None = None
    sanctions: tuple[Outcome, ...] | None = None
    strike: bool | None = None
    cascade: bool = True
    choices: Mapping[str, Discretion] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A decision on the state that was read."""

    command: DecideAppeal
    changes: tuple[Change, ...]
    review: Review
    extra: tuple[StreamChange, ...] = ()
    writes: tuple[TableWrite, ...] = ()
