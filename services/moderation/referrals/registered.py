"""The stored names of a referral's events."""

from __future__ import annotations

from services.moderation.referrals.events import ReferralClosed, ReferralOpened
from shared.eventstore.registry import EventRegistry


def register(registry: EventRegistry) -> None:
    """Give each event its stored name."""
    registry.register("moderation.referral_opened", 1, ReferralOpened)
    registry.register("moderation.referral_closed", 1, ReferralClosed, personal=("words",))
