"""Samples of duel rooms."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from services.calls.rooms.events import AdminEntered, AdminLeft, CallAttached, CallDetached, DuelPaused, DuelResumed, RoomChanged, RoomOpened
from tests.golden.files import Sample

_AT: Final = datetime(2026, 11, 30, 10, 0, 0, 123456, tzinfo=UTC)
_CALL: Final = "019ad000-0000-7000-8000-000000000010"
_STREAM: Final = "duel-d1"

SAMPLES: Final = (
    Sample(event=RoomOpened(duel_id="d1", format="tcg", kind="match", players=("p1", "p2"), at=_AT), stream=_STREAM),
    Sample(event=RoomChanged(duel_id="d1", format="ocg-2026-10", kind="single", players=("p1", "p3"), at=_AT), stream=_STREAM, version=2),
    Sample(event=CallAttached(call_id=_CALL, at=_AT), stream=_STREAM, version=3),
    Sample(event=DuelPaused(call_id=_CALL, at=_AT), stream=_STREAM, version=4),
    Sample(event=AdminEntered(call_id=_CALL, staff_id="admin-1", at=_AT), stream=_STREAM, version=5),
    Sample(event=DuelResumed(call_id=_CALL, at=_AT, because="taken"), stream=_STREAM, version=6),
    Sample(event=AdminLeft(call_id=_CALL, staff_id="admin-1", at=_AT), stream=_STREAM, version=7),
    Sample(event=CallDetached(call_id=_CALL, at=_AT), stream=_STREAM, version=8),
)
