"""What this service opens at start-up; it stands on what the moderation service opened before."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from services.calls.calls.handler import CallHandler
from services.calls.calls.judgements import Judgements
from services.calls.calls.penalties import IncidentAppeals
from services.calls.calls.repository import Calls
from services.calls.rooms.handler import RoomHandler
from services.calls.rooms.repository import Rooms
from services.calls.views.metrics import QueueMetrics
from services.calls.views.queues import Queues
from services.moderation.api import AppealHandler, Conduct, DuelIncidents, Involved, PolicyHolder, RecordHandler
from shared.clock import Clock
from shared.commands import Executor
from shared.eventstore.codec import Codec
from shared.eventstore.postgres import PostgresEventStore
from shared.http.resources import Resources
from shared.ids import new_id
from shared.observability import Metrics
from shared.security.data_keys import DataKeys
from shared.settings import Settings


@asynccontextmanager
async def open_calls(_settings: Settings, resources: Resources) -> AsyncIterator[None]:
    """Open everything that the endpoints of this service ask for."""
    store, codec, executor = resources.get(PostgresEventStore), resources.get(Codec), resources.get(Executor)
    clock = resources.get(Clock)  # type: ignore[type-abstract]
    rooms = resources.add(Rooms, Rooms(store, codec))
    resources.add(RoomHandler, RoomHandler(rooms=rooms, executor=executor, incidents=resources.get(DuelIncidents)))
    queues = resources.add(Queues, Queues(store.fetch))
    calls = Calls(store, codec, resources.get(DataKeys))
    resources.get(Involved).ask_calls(calls.takers)
    handler = CallHandler(
        calls=calls,
        rooms=rooms,
        queues=queues,
        conduct=resources.get(Conduct),
        executor=executor,
        policies=resources.get(PolicyHolder),
        clock=clock,
        new_id=new_id,
    )
    resources.add(CallHandler, handler)
    penalties = IncidentAppeals(resources.get(AppealHandler))
    resources.add(Judgements, Judgements(calls=handler, record=resources.get(RecordHandler), appeals=penalties, new_id=new_id))
    figures = asyncio.create_task(QueueMetrics(queues, resources.get(Metrics), clock).run(), name="call-queue-metrics")
    try:
        yield
    finally:
        figures.cancel()
        await asyncio.wait([figures])
