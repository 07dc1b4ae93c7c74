"""What this service opens at start-up; it stands on what the moderation service opened before."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from services.cosmetics.gallery.handler import GalleryHandler
from services.cosmetics.imaging.decoders import Decoders
from services.cosmetics.imaging.pace import Pace
from services.cosmetics.imaging.spool import Intake
from services.cosmetics.reactors.collect import Collector
from services.cosmetics.reactors.forget import Forgetting
from services.cosmetics.reactors.restore import Restoring
from services.cosmetics.slots.handler import SlotHandler
from services.cosmetics.slots.pictures import Pictures
from services.cosmetics.slots.repository import Slots
from services.cosmetics.views.known import KnownImages
from services.cosmetics.views.metrics import ReviewMetrics
from services.cosmetics.views.queries import CosmeticQueries
from services.moderation.api import Conduct, RecordHandler
from shared.blobs.store import BlobStore
from shared.clock import Clock
from shared.commands import Executor
from shared.eventstore.codec import Codec
from shared.eventstore.postgres import PostgresEventStore
from shared.http.resources import Resources
from shared.ids import new_id
from shared.observability import Metrics
from shared.refusal import Unavailable
from shared.security.data_keys import DataKeys
from shared.settings import Settings


@asynccontextmanager
async def open_cosmetics(settings: Settings, resources: Resources) -> AsyncIterator[None]:
    """Open everything that the endpoints of this service ask for."""
    store, codec, executor = resources.get(PostgresEventStore), resources.get(Codec), resources.get(Executor)
    clock, metrics, conduct = resources.get(Clock), resources.get(Metrics), resources.get(Conduct)  # type: ignore[type-abstract]
    blobs = resources.add(BlobStore, BlobStore.at(settings.media))

    def report(outcome: str, seconds: float) -> None:
        metrics.image_seconds.labels(outcome).observe(seconds)

    decoders = resources.add(Decoders, Decoders(on_job=report))
    resources.add(Intake, Intake(pace=Pace(answered=lambda: metrics.answered)))
    pictures = resources.add(Pictures, Pictures(blobs, decoders))
    slots = resources.add(Slots, Slots(store, codec, resources.get(DataKeys), store.fetch))
    known = resources.add(KnownImages, KnownImages(store.fetch))
    queries = resources.add(CosmeticQueries, CosmeticQueries(store.fetch))
    resources.add(GalleryHandler, GalleryHandler(store=store, codec=codec, executor=executor, decoders=decoders))
    handler = SlotHandler(
        slots=slots,
        executor=executor,
        decoders=decoders,
        pictures=pictures,
        known=known,
        conduct=conduct,
        record=resources.get(RecordHandler),
        clock=clock,
        new_id=new_id,
    )
    resources.add(SlotHandler, handler)
    restoring = resources.add(Restoring, Restoring(slots=slots, executor=executor, conduct=conduct, fetch=store.fetch, head=store.head))
    forgetting = resources.add(Forgetting, Forgetting(slots=slots, executor=executor, pictures=pictures, fetch=store.fetch, head=store.head))
    collector = resources.add(Collector, Collector(blobs, store.fetch, clock))
    with contextlib.suppress(Unavailable):  # a restored backup may just have been told whom to forget: done before anything is shown
        await forgetting.look()
    tasks = [
        asyncio.create_task(forgetting.run(), name="forget-images"),
        asyncio.create_task(restoring.run(), name="restore-cosmetics"),
        asyncio.create_task(collector.run(), name="collect-images"),
        asyncio.create_task(ReviewMetrics(queries, metrics).run(), name="review-metrics"),
    ]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        await decoders.close()
