"""Looks at withdrawn images as they were recorded once: events of installations that have them still decode.

Today a look is a read like every other sensitive one and stands in the reader's own stream (`services/gateway/sensitive.py`), once.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from shared.eventstore.registry import EventRegistry


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawnImageSeen:
    """A member of staff was shown an image that is no longer live."""

    cosmetic_id: str
    player_id: str
    staff_id: str
    role: str
    at: datetime


def register(registry: EventRegistry) -> None:
    """Give the event its stored name."""
    registry.register("cosmetics.withdrawn_image_seen", 1, WithdrawnImageSeen)
