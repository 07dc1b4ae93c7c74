"""What the operator, and the dispatcher after a 410, can ask of a webhook."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AddWebhook:
    """Send the feed (`types` empty: all of it) to this URL; `sealed` is the new secret under the service's own key."""

    webhook_id: str
    url: str
    types: tuple[str, ...]
    allow_private: bool
    secret_id: str
    sealed: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RotateSecret:
    """Sign with a new secret, and with the one before until `previous_until`."""

    secret_id: str
    sealed: str
    previous_until: datetime
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DisableWebhook:
    """Send nothing any more; `reason` is gone or operator."""

    reason: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class EnableWebhook:
    """Go on."""

    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Redeliver:
    """Send again: what was given up, or everything from `first` to `last` (positions; None: to the end)."""

    redelivery_id: str
    dead_only: bool
    first: int
    last: int | None
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveWebhook:
    """Forget it."""

    at: datetime
