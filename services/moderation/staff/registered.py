"""The stored names of the register's and the tokens' events."""

from __future__ import annotations

from services.moderation.staff.events import StaffChanged, StaffRegistered, TokenIssued, TokenRevoked
from shared.eventstore.registry import EventRegistry


def register(registry: EventRegistry) -> None:
    """Give each event its stored name."""
    registry.register("moderation.staff_registered", 1, StaffRegistered)
    registry.register("moderation.staff_changed", 1, StaffChanged)
    registry.register("moderation.token_issued", 1, TokenIssued)
    registry.register("moderation.token_revoked", 1, TokenRevoked)
