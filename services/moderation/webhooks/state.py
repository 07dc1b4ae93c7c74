"""What the rules of webhooks ask for, and what the dispatcher goes by."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedSecret:
    """A signing secret under the service's own key; it signs until `until` (None: as long as the webhook stands)."""

    secret_id: str
    sealed: str
    until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookState:
    """A webhook; before `added` and after `removed` the rest means nothing. `secrets` has the newest first, two at most."""

    webhook_id: str = ""
    added: bool = False
    removed: bool = False
    active: bool = False
    reason: str | None = None
    url: str = ""
    types: tuple[str, ...] = ()
    allow_private: bool = False
    secrets: tuple[SealedSecret, ...] = ()
    added_at: datetime | None = None
