"""The tables of this service as the log alone gives them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from services.calls.calls.repository import NO_CALL, LoadedCall
from services.calls.rooms import state as rooms
from services.calls.views.tables import call_writes
from shared.eventstore.port import TableWrite
from shared.projections.folding import Category, Step, TableView

CALL: Category[LoadedCall] = Category(prefix="call-", initial=NO_CALL, evolve=lambda call, event: call.after([event]))
ROOM: Category[rooms.RoomState] = Category(prefix="duel-", initial=rooms.INITIAL, evolve=rooms.evolve)


def _calls(step: Step[LoadedCall]) -> Iterable[TableWrite]:
    duel_id = step.after.state.duel_id
    return call_writes(step.before.state, step.after, step.state(ROOM, duel_id) if duel_id is not None else None)


VIEWS: tuple[TableView[Any], ...] = (
    TableView(table="calls", category=CALL, writes=_calls, also=(ROOM,)),
    TableView(table="call_queue", category=CALL, writes=_calls, also=(ROOM,)),
)
