"""The rules of a duel room: pure, one function per command. Sources: I-41, I-43, I-44, I-48, I-50."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from services.calls.rooms.commands import PutRoom, RoomCommand, SettleRoom
from services.calls.rooms.events import (
    AdminEntered,
    AdminLeft,
    CallAttached,
    CallDetached,
    DuelPaused,
    DuelResumed,
    RoomChanged,
    RoomEvent,
    RoomOpened,
)
from services.calls.rooms.state import INITIAL, RoomState
from services.calls.rooms.state import evolve as evolve_room
from shared.refusal import Refusal


class RoomDecider:
    """A room, one stream each (`duel-{duel_id}`)."""

    __slots__ = ()

    def initial(self) -> RoomState:
        """No room."""
        return INITIAL

    def decide(self, command: RoomCommand, state: RoomState) -> Sequence[RoomEvent]:
        """The events that the command causes; none when it is so already. Raises a `Refusal`."""
        match command:
            case PutRoom():
                return put_room(command, state)
            case SettleRoom():
                return settle_room(command, state)
            case _:
                assert_never(command)

    def evolve(self, state: RoomState, event: RoomEvent) -> RoomState:
        """The room after the event."""
        return evolve_room(state, event)


def put_room(command: PutRoom, state: RoomState) -> Sequence[RoomEvent]:
    """Open the room, or change it while no call lives in it: a call is about the players and the format it was made under.

    Raises a `Refusal` `invalid_request` when a player is named twice, `invalid_transition` for a change under a live call.
    """
    if len(set(command.players)) != len(command.players):
        raise Refusal("invalid_request", "A player is named twice.", field="players")
    said = (command.format, command.kind, command.players)
    if (state.format, state.kind, state.players) == said and state.exists:
        return []
    if state.call_id is not None:
        raise Refusal("invalid_transition", "A call lives in this room; it changes when that has ended.", current="live_call", allowed=["same_room"])
    form = RoomChanged if state.exists else RoomOpened
    at = state.moment(command.at)
    return [form(duel_id=command.duel_id, format=command.format, kind=command.kind, players=command.players, at=at)]


def settle_room(command: SettleRoom, state: RoomState) -> Sequence[RoomEvent]:
    """Bring the room in line with its call (I-41, I-43, I-50): each change once, in the order in which players see it."""
    at = state.moment(command.at)
    events: list[RoomEvent] = []
    if command.live and state.call_id is None:
        events.append(CallAttached(call_id=command.call_id, at=at))
    elif state.call_id != command.call_id:
        raise ValueError(f"call {command.call_id} is not the room's live call {state.call_id}")
    if state.admin is not None and state.admin != command.admin:
        events.append(AdminLeft(call_id=command.call_id, staff_id=state.admin, at=at))
    if command.admin is not None and state.admin != command.admin:
        events.append(AdminEntered(call_id=command.call_id, staff_id=command.admin, at=at))
    if command.pause and not state.paused:
        events.append(DuelPaused(call_id=command.call_id, at=at))
    if state.paused and not command.pause:
        events.append(DuelResumed(call_id=command.call_id, at=at, because=command.because))
    if not command.live:
        events.append(CallDetached(call_id=command.call_id, at=at))
    return events
