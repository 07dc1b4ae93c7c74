"""The stored names of the webhooks' events."""

from __future__ import annotations

from services.moderation.webhooks.events import (
    WebhookAdded,
    WebhookDisabled,
    WebhookEnabled,
    WebhookRedeliveryAsked,
    WebhookRemoved,
    WebhookSecretRotated,
)
from shared.eventstore.registry import EventRegistry


def register(registry: EventRegistry) -> None:
    """Give each event its stored name."""
    registry.register("moderation.webhook_added", 1, WebhookAdded)
    registry.register("moderation.webhook_secret_rotated", 1, WebhookSecretRotated)
    registry.register("moderation.webhook_disabled", 1, WebhookDisabled)
    registry.register("moderation.webhook_enabled", 1, WebhookEnabled)
    registry.register("moderation.webhook_redelivery_asked", 1, WebhookRedeliveryAsked)
    registry.register("moderation.webhook_removed", 1, WebhookRemoved)
