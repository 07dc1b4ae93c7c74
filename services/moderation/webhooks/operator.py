"""What the operator does with webhooks at the command line, and the dispatcher after a 410: the same log and the same rules."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, cast

import msgspec

from services.moderation.webhooks.commands import AddWebhook, DisableWebhook, EnableWebhook, Redeliver, RemoveWebhook, RotateSecret
from services.moderation.webhooks.decider import WebhookCommand, WebhookDecider, WebhookEvent
from services.moderation.webhooks.state import WebhookState
from shared.clock import Clock
from shared.decider import fold
from shared.eventstore.codec import Codec
from shared.eventstore.envelope import EventMeta, NewEvent
from shared.eventstore.port import Appended, AppendRequest, EventStore, Slot, StreamAppend, TableWrite
from shared.refusal import Unavailable
from shared.security.shredding import seal, unseal
from shared.webhooks.sender import Target
from shared.webhooks.signing import new_secret, written

_TRIES: Final = 5
_META: Final = EventMeta(actor="operator", role="operator")
_DISPATCHER: Final = EventMeta(actor="webhook-dispatcher", role="service")
_WEBHOOK: Final = WebhookDecider()
OVERLAP: Final = timedelta(hours=24)

_encode = msgspec.json.Encoder().encode
_state = msgspec.json.Decoder(WebhookState)
Fetch = Callable[..., Awaitable[Sequence[Any]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSecret:
    """A webhook with a new secret; `secret` is shown to the operator once."""

    webhook_id: str
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhooks:
    """The webhooks of a store. Every method raises `Refusal` (`not_found` among them) or `Unavailable`."""

    store: EventStore
    codec: Codec
    clock: Clock
    new_id: Callable[[], str]
    wrapping_key: bytes = field(repr=False)

    async def add(self, url: str, *, types: Sequence[str] = (), allow_private: bool = False, after: int | None = None) -> NewSecret:
        """Send the feed to this URL: what comes behind the position `after` (None: from now on)."""
        webhook_id, secret, secret_id = self.new_id(), new_secret(), self.new_id()
        command = AddWebhook(
            webhook_id=webhook_id, url=url, types=tuple(types), allow_private=allow_private, secret_id=secret_id,
            sealed=self._seal(webhook_id, secret_id, secret), at=self.clock.now(),
        )  # fmt: skip
        begin = Slot.LAST_POSITION if after is None else after
        await self._decide(webhook_id, command, TableWrite(table="webhook_progress", row=(webhook_id, begin, 0, None, None, None)))
        return NewSecret(webhook_id=webhook_id, secret=written(secret))

    async def rotate(self, webhook_id: str, overlap: timedelta = OVERLAP) -> NewSecret:
        """A new secret; for the time of `overlap` messages are signed with the one before, too."""
        secret, secret_id, now = new_secret(), self.new_id(), self.clock.now()
        sealed = self._seal(webhook_id, secret_id, secret)
        await self._decide(webhook_id, RotateSecret(secret_id=secret_id, sealed=sealed, previous_until=now + overlap, at=now))
        return NewSecret(webhook_id=webhook_id, secret=written(secret))

    async def disable(self, webhook_id: str, *, gone: bool = False) -> bool:
        """Send nothing more; False when it was so before. `gone`: the receiver said so itself."""
        return await self._decide(webhook_id, DisableWebhook(reason="gone" if gone else "operator", at=self.clock.now()))

    async def enable(self, webhook_id: str) -> bool:
        """Go on where it stopped; False when it was so before."""
        return await self._decide(webhook_id, EnableWebhook(at=self.clock.now()))

    async def redeliver(self, webhook_id: str, *, first: int | None = None, last: int | None = None) -> None:
        """Send again what was given up, or with `first` everything from that position on, to `last`."""
        asked = Redeliver(redelivery_id=self.new_id(), dead_only=first is None, first=first or 0, last=last, at=self.clock.now())
        row = (asked.redelivery_id, webhook_id, asked.dead_only, asked.first, asked.last)
        await self._decide(webhook_id, asked, TableWrite(table="webhook_redeliveries", row=row))

    async def remove(self, webhook_id: str) -> None:
        """Forget the webhook, and what waits for it."""
        await self._decide(webhook_id, RemoveWebhook(at=self.clock.now()), TableWrite(table="webhook_progress", row=(webhook_id,), delete=True))

    def target(self, state: WebhookState, now: datetime) -> Target:
        """Where to send, with the secrets that sign at this moment."""
        live = [one for one in state.secrets if one.until is None or now < one.until]
        secrets = tuple(unseal(self.wrapping_key, one.sealed, _place(state.webhook_id, one.secret_id)) for one in live)
        return Target(webhook_id=state.webhook_id, url=state.url, allow_private=state.allow_private, secrets=secrets)

    def _seal(self, webhook_id: str, secret_id: str, secret: bytes) -> str:
        return seal(self.wrapping_key, secret, _place(webhook_id, secret_id))

    async def _decide(self, webhook_id: str, command: WebhookCommand, *rows: TableWrite) -> bool:
        stream = f"webhook-{webhook_id}"
        meta = _DISPATCHER if isinstance(command, DisableWebhook) and command.reason == "gone" else _META
        for _ in range(_TRIES):
            stored = await self.store.read(stream)
            state = fold(_WEBHOOK, cast("Sequence[WebhookEvent]", [self.codec.decode(event) for event in stored]))
            events = _WEBHOOK.decide(command, state)
            if not events:
                return False
            new = []
            for number, event in enumerate(events, start=len(stored) + 1):
                name, payload = self.codec.encode(event, stream=stream, version=number)
                new.append(NewEvent(type=name, payload=payload, meta=self.codec.encode_meta(meta)))
            after = fold(_WEBHOOK, events, state)
            row = webhook_row(webhook_id, len(stored) + len(events), after)
            append = StreamAppend(stream=stream, expected_version=len(stored), events=tuple(new))
            result = await self.store.append(AppendRequest(command_id=self.new_id(), appends=(append,), writes=(row, *rows)))
            if isinstance(result, Appended):
                return True
        raise Unavailable("others change the same webhook at the same time")


def webhook_row(webhook_id: str, version: int, state: WebhookState) -> TableWrite:
    """The webhook's row, from which the dispatcher works."""
    return TableWrite(table="webhooks", row=(webhook_id, version, _encode(state)))


def _place(webhook_id: str, secret_id: str) -> bytes:
    return f"webhook-secret|{webhook_id}|{secret_id}".encode()


async def load_webhooks(fetch: Fetch) -> list[WebhookState]:
    """All webhooks that are not removed, oldest first."""
    found = [_state.decode(row[0]) for row in await fetch("SELECT body FROM webhooks ORDER BY webhook_id")]
    return [state for state in found if not state.removed]
