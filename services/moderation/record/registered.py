"""The stored names of the record's events. A name or version once released is never changed: a new form gets a new version and an upcaster."""

from __future__ import annotations

from typing import Any

from services.moderation.record.events import (
    AdjustmentReverted,
    AltBanned,
    AppealDecided,
    AppealOpened,
    AppealWithdrawn,
    EffectAcknowledged,
    IncidentDecided,
    IncidentImported,
    IncidentOverturned,
    IncidentReassessed,
    IncidentReinstated,
    IpBanLifted,
    IpBanReimposed,
    LinkedIpBanImposed,
    PlayerErased,
    ProxyBanLifted,
    ProxyBanned,
    ProxyBanReimposed,
    ProxyLiftReinstated,
    SanctionsAdjusted,
)
from shared.eventstore.registry import EventRegistry


def named(body: dict[str, Any]) -> dict[str, Any]:
    """Version 2 seals the name of the act in `act` and keeps a keyed hash of it; before, `external_id` was the name as it is."""
    return {**body, "act": None}


def told(body: dict[str, Any]) -> dict[str, Any]:
    """Version 2 says whether the player is told (I-18); before, everybody was."""
    return {**body, "notify": True}


def register(registry: EventRegistry) -> None:
    """Register every event of a conduct record."""
    registry.register("moderation.incident_decided", 2, IncidentDecided, personal=("details", "act"))
    registry.upcast("moderation.incident_decided", 1, named)
    registry.register("moderation.incident_imported", 2, IncidentImported, personal=("act",))
    registry.upcast("moderation.incident_imported", 1, named)
    registry.register("moderation.sanctions_adjusted", 1, SanctionsAdjusted, personal=("words",))
    registry.register("moderation.ip_ban_lifted", 1, IpBanLifted, personal=("words",))
    registry.register("moderation.alt_banned", 2, AltBanned)
    registry.upcast("moderation.alt_banned", 1, told)
    registry.register("moderation.linked_ip_ban_imposed", 2, LinkedIpBanImposed)
    registry.upcast("moderation.linked_ip_ban_imposed", 1, told)
    registry.register("moderation.proxy_banned", 1, ProxyBanned)
    registry.register("moderation.proxy_ban_lifted", 1, ProxyBanLifted, personal=("words",))
    registry.register("moderation.effect_acknowledged", 1, EffectAcknowledged)
    registry.register("moderation.appeal_opened", 1, AppealOpened, personal=("words",))
    registry.register("moderation.appeal_withdrawn", 1, AppealWithdrawn)
    registry.register("moderation.appeal_decided", 1, AppealDecided, personal=("words",))
    registry.register("moderation.incident_overturned", 1, IncidentOverturned)
    registry.register("moderation.incident_reassessed", 1, IncidentReassessed)
    registry.register("moderation.adjustment_reverted", 1, AdjustmentReverted)
    registry.register("moderation.ip_ban_reimposed", 1, IpBanReimposed)
    registry.register("moderation.proxy_ban_reimposed", 1, ProxyBanReimposed)
    registry.register("moderation.incident_reinstated", 1, IncidentReinstated)
    registry.register("moderation.proxy_lift_reinstated", 1, ProxyLiftReinstated)
    registry.register("moderation.player_erased", 1, PlayerErased, personal=("words",))
