"""The rows of `calls` and `call_queue`, written in the transaction of the events: the queues are never behind the calls."""

from __future__ import annotations

import msgspec

from services.calls.calls.repository import LoadedCall
from services.calls.calls.state import CallState
from services.calls.calls.transitions import OPEN
from services.calls.rooms.state import RoomState
from services.calls.views.call import call_view
from shared.eventstore.port import Slot, TableWrite

_encode = msgspec.json.Encoder().encode


def call_writes(before: CallState, after: LoadedCall, room: RoomState | None) -> tuple[TableWrite, ...]:
    """The rows of a call after a change."""
    state = after.state
    row = (
        state.call_id,
        state.version,
        state.state,
        state.category,
        state.duel_id,
        state.opened_at,
        state.first_taken_at,
        state.taker if state.live else None,
        state.lease_until,
        _involved(state),
        _encode(call_view(after, room, personal=False)),
    )
    return (TableWrite(table="calls", row=row), *_queue_writes(before, state))


def _queue_writes(before: CallState, after: CallState) -> tuple[TableWrite, ...]:
    waited, waits = before.live and before.state == OPEN, after.state == OPEN
    if waits and not waited:
        # The place in the queue is the log's position, which only the append knows; a call that was released goes before all others (I-45).
        row = (after.call_id, after.category, before.exists, Slot.LAST_POSITION, after.opened_at)
        return (TableWrite(table="call_queue", row=row),)
    if waited and not waits:
        return (TableWrite(table="call_queue", row=(after.call_id,), delete=True),)
    return ()


def _involved(state: CallState) -> str:
    """Whose own account keeps them from taking the call (I-51), each between blanks: ids hold none."""
    return " ".join(["", *sorted({*state.players, *state.callers}), ""])
