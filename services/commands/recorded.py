"""Whoever reads a player's record on the service's own machine is recorded, too: as the operator, since the shell knows no name."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shared.eventstore.port import EventStore


async def record_read(store: EventStore, what: str, player_id: str | None) -> None:
    """Record that the operator reads this (`what` also names the command), durably; None: of everybody.

    The reader's name with the slash is nobody's of the staff. Raises `Unavailable`: then nothing may be shown.
    """
    from services.moderation.reads.events import RecordRead, register
    from services.moderation.reads.recorder import ReadRecorder
    from shared.clock import SystemClock
    from shared.eventstore.codec import Codec
    from shared.eventstore.registry import EventRegistry
    from shared.ids import new_id

    registry = EventRegistry()
    register(registry)
    read = RecordRead(reader=f"operator/{what}", role="operator", what=what, at=SystemClock().now(), player_id=player_id)
    await ReadRecorder(store, Codec(registry), new_id).record(read)
