"""What the webhooks need at start-up: the dispatcher, in every process; one of them works."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from services.moderation.webhooks.dispatcher import SETTINGS, Dispatcher
from services.moderation.webhooks.operator import Webhooks
from shared.clock import Clock
from shared.eventstore.codec import Codec
from shared.eventstore.connections import Link
from shared.eventstore.postgres import PostgresEventStore
from shared.http.resources import Resources
from shared.ids import new_id
from shared.observability import Metrics
from shared.security.keys import Keys
from shared.settings import Settings
from shared.webhooks.sender import Sender


@asynccontextmanager
async def open_webhooks(settings: Settings, resources: Resources) -> AsyncIterator[None]:
    """Start the dispatcher; it ends with the block, and what was under way is sent again by the next one."""
    webhooks = Webhooks(
        store=resources.get(PostgresEventStore),
        codec=resources.get(Codec),
        clock=resources.get(Clock),  # type: ignore[type-abstract]
        new_id=new_id,
        wrapping_key=resources.get(Keys).key_wrapping,
    )
    resources.add(Webhooks, webhooks)
    link = Link(dsn=settings.database_url, name="moderation-webhooks", settings=SETTINGS)
    dispatcher = resources.add(Dispatcher, Dispatcher(link=link, webhooks=webhooks, sender=Sender(), metrics=resources.get(Metrics)))
    dispatching = asyncio.create_task(dispatcher.run(), name="webhook-dispatcher")
    try:
        yield
    finally:
        dispatching.cancel()
        await asyncio.wait([dispatching])
        await dispatcher.close()
