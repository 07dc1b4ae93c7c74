"""What happens to a webhook, one stream each (`webhook-{webhook_id}`)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookAdded:
    """The feed goes to this URL from now on (`types` empty: all of it); `sealed` is the signing secret under the service's own key.

    With `allow_private` the URL may be `http` and lie in a private network: for development.
    """

    webhook_id: str
    url: str
    types: tuple[str, ...]
    allow_private: bool
    secret_id: str
    sealed: str
    added_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookSecretRotated:
    """A new signing secret; messages carry the signature of the one before, too, until `previous_until`."""

    webhook_id: str
    secret_id: str
    sealed: str
    previous_until: datetime
    rotated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookDisabled:
    """Nothing is sent any more: the receiver answered 410 (`reason` gone), or the operator said so (operator)."""

    webhook_id: str
    reason: str
    disabled_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookEnabled:
    """Sending goes on where it stopped."""

    webhook_id: str
    enabled_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookRedeliveryAsked:
    """What was given up (`dead_only`), or everything at the positions from `first` to `last` (None: to the end), is to be sent again."""

    webhook_id: str
    redelivery_id: str
    dead_only: bool
    first: int
    last: int | None
    asked_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookRemoved:
    """The webhook is gone, and what waited for it."""

    webhook_id: str
    removed_at: datetime
