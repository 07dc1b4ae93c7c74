"""What other systems are told of calls and duels: integration events for the feed and the webhooks, free of what people wrote.

The game server lives by `duel.paused` and `duel.resumed`; the rest is for showing players where they stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from services.calls.calls.events import CallAppealDecided, CallCancelled, CallEvent, CallOpened, CallReleased, CallResolved, CallTaken
from services.calls.calls.state import CallState
from services.calls.rooms.events import DuelPaused, DuelResumed, RoomEvent
from services.calls.rooms.state import RoomState
from shared.eventstore.port import OutboxItem

_encode = msgspec.json.Encoder().encode


def room_items(room: RoomState, events: Sequence[RoomEvent], *, first: int) -> list[OutboxItem]:
    """What is told of a room's events, which are number `first` and on of the request."""
    items = []
    for number, event in enumerate(events, first):
        if isinstance(event, DuelPaused):
            data = {"duel_id": room.duel_id, "call_id": event.call_id, "at": event.at, "chat_open": True, "players": room.players}
            items.append(OutboxItem(type="duel.paused", player_id=None, data=_encode(data), event=number))
        elif isinstance(event, DuelResumed):
            data = {"duel_id": room.duel_id, "call_id": event.call_id, "at": event.at, "because": event.because, "players": room.players}
            items.append(OutboxItem(type="duel.resumed", player_id=None, data=_encode(data), event=number))
    return items


def call_items(call: CallState, events: Sequence[CallEvent], *, first: int) -> list[OutboxItem]:
    """What is told of a call's events; `call` is as it is after them. They belong to the first caller."""
    items = []
    for number, event in enumerate(events, first):
        told = _told(call, event)
        if told is not None:
            kind, data = told
            whole = {"call_id": call.call_id, "duel_id": call.duel_id, "category": call.category, "at": event.at, **data}
            items.append(OutboxItem(type=kind, player_id=call.first_caller, data=_encode(whole), event=number))
    return items


def _told(call: CallState, event: CallEvent) -> tuple[str, dict[str, Any]] | None:
    match event:
        case CallOpened():
            return "call.opened", {"caller_id": event.subject, "origin": event.origin, "pauses": call.pauses}
        case CallTaken():
            return "call.taken", {"taken_by": event.staff_id, "taken_over_from": event.previous, "lease_until": event.lease_until}
        case CallAppealDecided():  # the call is the reviewer's from now on (I-47)
            return "call.taken", {"taken_by": event.staff_id, "outcome": event.outcome, "lease_until": event.lease_until}
        case CallReleased():
            return "call.released", {"released_by": event.staff_id}
        case CallCancelled():
            return "call.cancelled", {}
        case CallResolved():
            return "call.resolved", {"misuse": event.misuse, "incident_id": event.incident_id}
        case _:
            return None
