"""Samples of the webhooks' events."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from services.moderation.webhooks.events import (
    WebhookAdded,
    WebhookDisabled,
    WebhookEnabled,
    WebhookRedeliveryAsked,
    WebhookRemoved,
    WebhookSecretRotated,
)
from tests.golden.files import Sample

_NOW: Final = datetime(2026, 11, 30, 10, 0, 0, 123456, tzinfo=UTC)
_ID: Final = "019ad000-0000-7000-8000-00000000000a"
_STREAM: Final = f"webhook-{_ID}"

SAMPLES: Final = (
    Sample(
        event=WebhookAdded(
            webhook_id=_ID, url="https://hooks.example/feed", types=("duel.paused", "duel.resumed"), allow_private=False, secret_id="s1",
            sealed="enc1.AAAA", added_at=_NOW,
        ),
        stream=_STREAM,
    ),
    Sample(
        event=WebhookSecretRotated(webhook_id=_ID, secret_id="s2", sealed="enc1.BBBB", previous_until=_NOW, rotated_at=_NOW),
        stream=_STREAM, version=2,
    ),
    Sample(event=WebhookDisabled(webhook_id=_ID, reason="gone", disabled_at=_NOW), stream=_STREAM, version=3),
    Sample(event=WebhookEnabled(webhook_id=_ID, enabled_at=_NOW), stream=_STREAM, version=4),
    Sample(
        event=WebhookRedeliveryAsked(webhook_id=_ID, redelivery_id="r1", dead_only=False, first=7, last=None, asked_at=_NOW),
        stream=_STREAM, version=5,
    ),
    Sample(event=WebhookRemoved(webhook_id=_ID, removed_at=_NOW), stream=_STREAM, version=6),
)  # fmt: skip
