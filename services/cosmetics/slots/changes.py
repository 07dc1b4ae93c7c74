"""From decided events to everything that is recorded with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from services.cosmetics.slots.events import SlotEvent
from services.cosmetics.slots.repository import stream_of
from services.cosmetics.slots.state import SlotState, fold
from services.cosmetics.views.cosmetic import rows_of
from services.cosmetics.views.feed import slot_items
from shared.commands import Attempt, StreamChange
from shared.context import CommandContext


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """New events of one player's cosmetics, with the state before and after them."""

    player_id: str
    before: SlotState
    after: SlotState
    events: tuple[SlotEvent, ...]


def change_of(player_id: str, before: SlotState, events: Sequence[SlotEvent]) -> Change:
    """The change that these events make."""
    return Change(player_id=player_id, before=before, after=fold(before, events), events=tuple(events))


def attempt_of(
    ctx: CommandContext, change: Change, *, status: int, reply: dict[str, Any], along: Attempt | None = None, guards: tuple[StreamChange, ...] = ()
) -> Attempt:
    """What is recorded: the change, and before it what was decided along with it; `guards` are versions that must not have moved."""
    first = sum(len(other.events) for other in along.changes) if along is not None else 0
    own = StreamChange(
        stream=stream_of(change.player_id), expected_version=change.before.version, events=change.events, subject=change.player_id, meta=ctx.meta()
    )
    return Attempt(
        changes=(*(along.changes if along is not None else ()), own, *guards),
        meta=along.meta if along is not None else ctx.meta(),
        status=status,
        reply={**reply, "version": change.after.version},
        writes=(*(along.writes if along is not None else ()), *rows_of(change.player_id, change.before, change.after)),
        outbox=(*(along.outbox if along is not None else ()), *slot_items(change.player_id, change.before, change.events, first=first)),
    )
