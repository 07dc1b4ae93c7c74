"""The rules of webhooks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from ipaddress import ip_address
from typing import Final, assert_never
from urllib.parse import urlsplit

from services.moderation.webhooks.commands import AddWebhook, DisableWebhook, EnableWebhook, Redeliver, RemoveWebhook, RotateSecret
from services.moderation.webhooks.events import (
    WebhookAdded,
    WebhookDisabled,
    WebhookEnabled,
    WebhookRedeliveryAsked,
    WebhookRemoved,
    WebhookSecretRotated,
)
from services.moderation.webhooks.state import SealedSecret, WebhookState
from shared.refusal import Refusal
from shared.webhooks.public import is_public

WebhookCommand = AddWebhook | RotateSecret | DisableWebhook | EnableWebhook | Redeliver | RemoveWebhook
WebhookEvent = WebhookAdded | WebhookSecretRotated | WebhookDisabled | WebhookEnabled | WebhookRedeliveryAsked | WebhookRemoved

FEED_TYPES: Final = frozenset(
    {
        "incident.decided", "sanction.changed", "standing.changed", "appeal.opened", "appeal.decided", "call.opened", "call.taken", "call.released",
        "call.cancelled", "call.resolved", "duel.paused", "duel.resumed", "cosmetic.activated", "cosmetic.removed", "effect.ordered",
        "tournament.penalty",
    }
)  # fmt: skip
"""Contract, "Feed types"."""

MAX_URL: Final = 2000


class WebhookDecider:
    """A webhook, one stream each."""

    __slots__ = ()

    def initial(self) -> WebhookState:
        """No webhook."""
        return WebhookState()

    def decide(self, command: WebhookCommand, state: WebhookState) -> Sequence[WebhookEvent]:
        """Dispatch to the command's own rule. Raises a `Refusal` `not_found` for a webhook that is not there."""
        if isinstance(command, AddWebhook):
            return _add(command, state)
        if not state.added or state.removed:
            raise Refusal("not_found", "There is no such webhook.")
        match command:
            case RotateSecret():
                return _rotate(command, state.webhook_id)
            case DisableWebhook():
                return [WebhookDisabled(webhook_id=state.webhook_id, reason=command.reason, disabled_at=command.at)] if state.active else []
            case EnableWebhook():
                return [] if state.active else [WebhookEnabled(webhook_id=state.webhook_id, enabled_at=command.at)]
            case Redeliver():
                return _redeliver(command, state.webhook_id)
            case RemoveWebhook():
                return [WebhookRemoved(webhook_id=state.webhook_id, removed_at=command.at)]
            case _:
                assert_never(command)

    def evolve(self, state: WebhookState, event: WebhookEvent) -> WebhookState:
        """The webhook after the event."""
        match event:
            case WebhookAdded():
                return WebhookState(
                    webhook_id=event.webhook_id, added=True, active=True, url=event.url, types=event.types, allow_private=event.allow_private,
                    secrets=(SealedSecret(secret_id=event.secret_id, sealed=event.sealed),), added_at=event.added_at,
                )  # fmt: skip
            case WebhookSecretRotated():
                before = replace(state.secrets[0], until=event.previous_until)
                return replace(state, secrets=(SealedSecret(secret_id=event.secret_id, sealed=event.sealed), before))
            case WebhookDisabled():
                return replace(state, active=False, reason=event.reason)
            case WebhookEnabled():
                return replace(state, active=True, reason=None)
            case WebhookRedeliveryAsked():
                return state
            case WebhookRemoved():
                return replace(state, removed=True, active=False)
            case _:
                assert_never(event)




def _add(command: AddWebhook, state: WebhookState) -> Sequence[WebhookEvent]:
    if state.added:
        raise Refusal("invalid_transition", "There is such a webhook already.")
    _check_url(command.url, allow_private=command.allow_private)
    if unknown := sorted(set(command.types) - FEED_TYPES):
        raise Refusal("invalid_request", f"The feed has no {', '.join(unknown)}.", field="types", allowed=sorted(FEED_TYPES))
    return [
        WebhookAdded(
            webhook_id=command.webhook_id,
            url=command.url,
            types=tuple(sorted(set(command.types))),
            allow_private=command.allow_private,
            secret_id=command.secret_id,
            sealed=command.sealed,
            added_at=command.at,
        )
    ]


def _check_url(url: str, *, allow_private: bool) -> None:
    """Standard Webhooks asks for https; credentials in a URL would stand in the log, a fragment is never sent."""
    schemes = ("https", "http") if allow_private else ("https",)
    try:
        parts = urlsplit(url)
        fine = parts.scheme in schemes and bool(parts.hostname) and parts.port != 0
    except ValueError:
        fine = False
    if not fine or len(url) > MAX_URL or not url.isascii() or not url.isprintable() or " " in url:
        raise Refusal("invalid_request", f"A URL of at most {MAX_URL} ASCII characters with {' or '.join(schemes)} is needed.", field="url")
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise Refusal("invalid_request", "A webhook's URL has no user, password or fragment.", field="url")
    if not allow_private and _plainly_private(parts.hostname or ""):
        raise Refusal("invalid_request", "The URL leads to no public address.", field="url")


def _plainly_private(host: str) -> bool:
    """Whether the host says by itself that it is not public; what a name resolves to is checked at every attempt."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        ip_address(host)
    except ValueError:
        return False
    return not is_public(host)


def _rotate(command: RotateSecret, webhook_id: str) -> Sequence[WebhookEvent]:
    if command.previous_until < command.at:
        raise Refusal("invalid_request", "The secret before ends in the past.", field="previous_until")
    return [
        WebhookSecretRotated(
            webhook_id=webhook_id,
            secret_id=command.secret_id,
            sealed=command.sealed,
            previous_until=command.previous_until,
            rotated_at=command.at,
        )
    ]


def _redeliver(command: Redeliver, webhook_id: str) -> Sequence[WebhookEvent]:
    if command.first < 0 or (command.last is not None and command.last < command.first):
        raise Refusal("invalid_request", "The last position lies before the first.", field="last")
    return [
        WebhookRedeliveryAsked(
            webhook_id=webhook_id,
            redelivery_id=command.redelivery_id,
            dead_only=command.dead_only,
            first=command.first,
            last=command.last,
            asked_at=command.at,
        )
    ]
