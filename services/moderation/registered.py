"""Every event of this service under its stored name."""

from __future__ import annotations

from services.moderation.network_bans import registered as network_bans
from services.moderation.policy import events as policy
from services.moderation.reads import events as reads
from services.moderation.record import registered as record
from services.moderation.referrals import registered as referrals
from services.moderation.rollbacks import registered as rollbacks
from services.moderation.staff import registered as staff
from services.moderation.tournaments import registered as tournaments
from services.moderation.webhooks import registered as webhooks
from shared.eventstore.registry import EventRegistry


def register_events(registry: EventRegistry) -> None:
    """Register what each folder stores."""
    staff.register(registry)
    record.register(registry)
    policy.register(registry)
    network_bans.register(registry)
    reads.register(registry)
    tournaments.register(registry)
    referrals.register(registry)
    rollbacks.register(registry)
    webhooks.register(registry)
