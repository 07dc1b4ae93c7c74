"""The stored names of the events of network bans. A name or version once released is never changed."""

from __future__ import annotations

from services.moderation.network_bans.events import (
    AccountExempted,
    NetworkBanEntered,
    NetworkBanLifted,
    NetworkBanned,
    NetworkBanReimposed,
    NetworkLiftReinstated,
)
from shared.eventstore.registry import EventRegistry


def register(registry: EventRegistry) -> None:
    """Give each event its stored name."""
    registry.register("moderation.network_banned", 1, NetworkBanned, personal=("details",))
    registry.register("moderation.network_ban_lifted", 1, NetworkBanLifted, personal=("words",))
    registry.register("moderation.network_account_exempted", 1, AccountExempted, personal=("words",))
    registry.register("moderation.network_ban_entered", 1, NetworkBanEntered)
    registry.register("moderation.network_ban_reimposed", 1, NetworkBanReimposed)
    registry.register("moderation.network_lift_reinstated", 1, NetworkLiftReinstated)
