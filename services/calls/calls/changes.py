"""From decided events to everything that is recorded with them: the room brought in line, projection rows, integration events, the reply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, get_args

from services.calls.calls.events import CallCancelled, CallEvent, CallTaken, PersonalEvent, PresenceNoted, ProblemsWithdrawn
from services.calls.calls.repository import LoadedCall, stream_of
from services.calls.rooms import repository as rooms
from services.calls.rooms.commands import SettleRoom
from services.calls.rooms.decider import settle_room
from services.calls.rooms.events import RoomEvent
from services.calls.rooms.state import RoomState
from services.calls.rooms.state import evolve as evolve_room
from services.calls.views.call import call_view
from services.calls.views.feed import call_items, room_items
from services.calls.views.tables import call_writes
from shared.commands import Attempt, StreamChange
from shared.context import CommandContext

_PERSONAL = get_args(PersonalEvent)
NOTHING: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class CallChange:
    """New events of a call and its room, decided on what was read; `room` is None for a call from the lobby."""

    before: LoadedCall
    after: LoadedCall
    events: tuple[CallEvent, ...]
    room: RoomState | None
    room_after: RoomState | None
    room_events: tuple[RoomEvent, ...]


def change_of(call: LoadedCall, room: RoomState | None, events: Sequence[CallEvent], now: datetime) -> CallChange:
    """The change that these events make, to the room too (I-41, I-43, I-50)."""
    after = call.after(events)
    room_events: tuple[RoomEvent, ...] = ()
    if room is not None and events:
        state = after.state
        settle = SettleRoom(call_id=state.call_id, live=state.live, pause=state.pauses, admin=state.admin, because=_because(events), at=now)
        room_events = tuple(settle_room(settle, room))
    room_after = room
    for event in room_events:
        room_after = evolve_room(room_after, event) if room_after is not None else None
    return CallChange(before=call, after=after, events=tuple(events), room=room, room_after=room_after, room_events=room_events)


def _because(events: Sequence[CallEvent]) -> str:
    """Why play goes on, should it."""
    for event in events:
        if isinstance(event, CallTaken):
            return "taken"
        if isinstance(event, ProblemsWithdrawn | CallCancelled):
            return "withdrawn"
        if isinstance(event, PresenceNoted):
            return "nobody_left"
    return "ended"


def attempt_of(ctx: CommandContext, change: CallChange, *, status: int, more: Mapping[str, Any] = NOTHING, along: Attempt | None = None) -> Attempt:
    """All that is recorded: what goes `along` (an incident), the room, and last of all the call, since the queue's order is its position.

    The reply is the call with `more`, and free of personal data.
    """
    first = (*(replace(part, meta=part.meta or along.meta) for part in along.changes),) if along is not None else ()
    parts = [*first, *_room_part(change), _call_part(change)]
    placed = sum(len(part.events) for part in first)
    outbox = list(along.outbox) if along is not None else []
    if change.room_after is not None:
        outbox += room_items(change.room_after, change.room_events, first=placed)
    outbox += call_items(change.after.state, change.events, first=placed + len(change.room_events))
    writes = call_writes(change.before.state, change.after, change.room_after) if change.events else ()
    return Attempt(
        changes=tuple(parts),
        meta=ctx.meta(),
        status=status,
        reply={**call_view(change.after, change.room_after, personal=False), **more},
        writes=(*(along.writes if along is not None else ()), *writes),
        outbox=tuple(outbox),
    )


def _room_part(change: CallChange) -> list[StreamChange]:
    """The room's events, or its version alone: call and room were read one after the other, and what was decided holds for both as they were."""
    if change.room is None or not change.events:
        return []
    return [StreamChange(stream=rooms.stream_of(change.room.duel_id), expected_version=change.room.version, events=change.room_events)]


def _call_part(change: CallChange) -> StreamChange:
    subjects = {event.subject for event in change.events if isinstance(event, _PERSONAL)}
    if len(subjects) > 1:
        raise ValueError("the words of one command belong to one player")
    call_id, version = change.after.state.call_id, change.before.state.version
    return StreamChange(stream=stream_of(call_id), expected_version=version, events=change.events, subject=next(iter(subjects), None))
