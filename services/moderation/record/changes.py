"""From decided events to everything that is recorded with them: new state, projection rows, integration events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from services.moderation.record.events import IncidentDecided, IncidentImported, RecordEvent
from services.moderation.record.repository import stream_of
from services.moderation.record.state import RecordState, fold
from services.moderation.views.feed import outbox_items
from services.moderation.views.network_rows import network_writes
from services.moderation.views.staff_decisions import record_decisions
from services.moderation.views.standing import StandingFacts, facts_of, standing_now
from services.moderation.views.tables import standing_write
from shared.commands import StreamChange
from shared.eventstore.port import OutboxItem, TableWrite


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """New events of one player, with the record before and after them and what the standing after them is computed from."""

    player_id: str
    before: RecordState
    after: RecordState
    events: tuple[RecordEvent, ...]
    facts: StandingFacts

    @property
    def stream(self) -> StreamChange:
        """The change as the write path takes it; without events it guards that the record is still as it was read."""
        return StreamChange(
            stream=stream_of(self.player_id), expected_version=self.before.version, events=self.events, subject=self.player_id
        )


def changes_of(player_id: str, before: RecordState, events: Sequence[RecordEvent]) -> Change:
    """The change that these events make."""
    after = fold(events, before)
    return Change(player_id=player_id, before=before, after=after, events=tuple(events), facts=facts_of(after))


def writes_of(changes: Sequence[Change]) -> tuple[TableWrite, ...]:
    """The projection rows of these changes."""
    return tuple(
        write
        for change in changes
        if change.events
        for write in (
            standing_write(change.player_id, change.facts, change.after.version),
            *network_writes(change.player_id, change.before, change.after),
            *record_decisions(change.player_id, stream_of(change.player_id), change.before.version, change.events),
        )
    )


def outbox_of(changes: Sequence[Change], now: datetime) -> tuple[OutboxItem, ...]:
    """What other systems are told of these changes, in their order."""
    items: list[OutboxItem] = []
    first = 0
    for change in changes:
        if change.events:
            standing = standing_now(change.player_id, change.facts, change.after.version, now)
            items += outbox_items(change.player_id, change.events, change.after, standing, first=first)
        first += len(change.events)
    return tuple(items)


def incident_index(event: IncidentDecided | IncidentImported, version: int) -> TableWrite:
    """The row by which an incident's player is found."""
    return TableWrite(table="incidents", row=(event.incident_id, event.player_id, event.decided_by, event.at, version))
