"""What the application opens at start-up, in this order; it closes in the reverse order.

An opener is an async context manager that registers what it opened under its type. It finds what it needs among what was opened before.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from migrations.runner import status
from services.calls import api as calls
from services.cosmetics import api as cosmetics
from services.gateway.operations import Readiness
from services.gateway.waiting import PositionWaits
from services.moderation import api as moderation
from services.moderation.composition import open_moderation
from services.moderation.registered import register_events
from services.moderation.staff.directory import load_directory
from services.moderation.webhooks.composition import open_webhooks
from shared.clock import Clock, SystemClock
from shared.eventstore.codec import Codec
from shared.eventstore.connections import READER_SETTINGS, Link
from shared.eventstore.postgres import PostgresEventStore
from shared.eventstore.registry import EventRegistry
from shared.eventstore.writer import BatchReport
from shared.feed.endpoints import OpenStreams
from shared.feed.hub import FeedHub
from shared.feed.stream import CATCH_UPS, Streams
from shared.feed.tail import FeedTail
from shared.http.auth import Authenticator
from shared.http.paging import Cursors
from shared.http.resources import Resources
from shared.loop_lag import watch_lag
from shared.observability import METRICS, Metrics
from shared.security.keys import Keys, derive_keys
from shared.security.principals import Directory, DirectoryHolder
from shared.settings import Settings
from shared.translog.keys import log_keys
from shared.translog.reading import TransparencyLog
from shared.translog.sealer import SETTINGS as SEALER_SETTINGS
from shared.translog.sealer import Sealer

Opener = Callable[[Settings, Resources], AbstractAsyncContextManager[None]]


@asynccontextmanager
async def open_basics(settings: Settings, resources: Resources) -> AsyncIterator[None]:
    """Keys, cursors, clock and metrics: nothing that can be away."""
    keys = resources.add(Keys, derive_keys(settings.master_key))
    resources.add(Cursors, Cursors(keys.cursor_mac))
    resources.add(Clock, SystemClock())  # type: ignore[type-abstract]  # a protocol is a key as good as any
    lag = asyncio.create_task(watch_lag(resources.add(Metrics, METRICS).loop_lag.observe), name="loop-lag")
    try:
        yield
    finally:
        lag.cancel()
        await asyncio.wait([lag])


@asynccontextmanager
async def open_store(settings: Settings, resources: Resources) -> AsyncIterator[None]:
    """The event store and the codec of every service's events. The database may be away: then requests say so until it is back."""
    registry = EventRegistry()
    register_events(registry)
    calls.register_events(registry)
    cosmetics.register_events(registry)
    resources.add(Codec, Codec(registry))
    metrics = resources.get(Metrics)

    def report(batch: BatchReport) -> None:
        metrics.append_batch_size.observe(batch.requests)
        metrics.append_seconds.observe(batch.seconds)
        metrics.append_conflicts.inc(batch.conflicts)
        metrics.append_queue_depth.set(batch.queued)

    async with PostgresEventStore(settings.database_url, on_batch=report) as store:
        resources.add(PostgresEventStore, store)
        resources.add(PositionWaits, PositionWaits(store.head))
        yield


@asynccontextmanager
async def open_principals(settings: Settings, resources: Resources) -> AsyncIterator[None]:
    """Who calls: the directory of tokens and staff, loaded again when the configuration's epoch moves."""
    store, keys = resources.get(PostgresEventStore), resources.get(Keys)

    async def load() -> Directory:
        return await load_directory(store.fetch, keys.token_hash, accept_dev_tokens=settings.allow_dev_tokens)

    holder = resources.add(DirectoryHolder, DirectoryHolder(load))
    resources.add(Authenticator, Authenticator(store.epoch, holder))

    async def database() -> bool:
        await store.head()
        return True

    async def migrated() -> bool:
        return not (await asyncio.to_thread(status, settings.database_url)).pending

    resources.add(Readiness, Readiness((("database", database), ("migrations", migrated))))
    yield


@asynccontextmanager
async def open_erasure(_settings: Settings, resources: Resources) -> AsyncIterator[None]:
    """What an erasure reaches beyond the record: the services' own things about a player."""
    resources.get(moderation.ErasureHandler).also(resources.get(cosmetics.Forgetting))
    yield


@asynccontextmanager
async def open_log(settings: Settings, resources: Resources) -> AsyncIterator[None]:
    """The signed log: its reads, and the task that seals what is new."""
    store, metrics = resources.get(PostgresEventStore), resources.get(Metrics)
    keys = log_keys(settings)
    resources.add(TransparencyLog, TransparencyLog(store.fetch, keys))
    link = Link(dsn=settings.database_url, name="moderation-sealer", settings=SEALER_SETTINGS)
    sealer = Sealer(link=link, keys=keys, on_sealed=metrics.log_sealed.set, on_doubt=metrics.log_doubts.inc)
    sealing = asyncio.create_task(sealer.run(), name="sealer")
    try:
        yield
    finally:
        sealing.cancel()
        await asyncio.wait([sealing])
        await sealer.close()


@asynccontextmanager
async def open_feed(settings: Settings, resources: Resources) -> AsyncIterator[None]:
    """The feed: the task that follows the outbox, and what its readers share."""
    store = resources.get(PostgresEventStore)
    hub = resources.add(FeedHub, FeedHub(resources.get(Metrics)))
    resources.add(Streams, Streams(hub=hub, fetch=store.fetch, catching_up=asyncio.Semaphore(CATCH_UPS)))
    resources.add(OpenStreams, OpenStreams())
    tail = FeedTail(link=Link(dsn=settings.database_url, name="moderation-feed", settings=READER_SETTINGS), hub=hub)
    following = asyncio.create_task(tail.run(), name="feed-tail")
    try:
        yield
    finally:
        hub.drain()
        following.cancel()
        await asyncio.wait([following])
        await tail.close()


OPENERS: tuple[Opener, ...] = (
    open_basics,
    open_store,
    open_principals,
    open_moderation,
    calls.open_calls,
    cosmetics.open_cosmetics,
    open_erasure,
    open_feed,
    open_webhooks,
    open_log,
)
