"""The stored names of a room's events."""

from __future__ import annotations

from services.calls.rooms.events import AdminEntered, AdminLeft, CallAttached, CallDetached, DuelPaused, DuelResumed, RoomChanged, RoomOpened
from shared.eventstore.registry import EventRegistry


def register(registry: EventRegistry) -> None:
    """Give each event its stored name."""
    registry.register("calls.room_opened", 1, RoomOpened)
    registry.register("calls.room_changed", 1, RoomChanged)
    registry.register("calls.call_attached", 1, CallAttached)
    registry.register("calls.call_detached", 1, CallDetached)
    registry.register("calls.duel_paused", 1, DuelPaused)
    registry.register("calls.duel_resumed", 1, DuelResumed)
    registry.register("calls.admin_entered", 1, AdminEntered)
    registry.register("calls.admin_left", 1, AdminLeft)
