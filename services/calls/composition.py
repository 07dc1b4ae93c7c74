"""What this service opens at start-up; it stands on what the moderation service opened before."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from services.calls.rooms.handler import RoomHandler
from services.calls.rooms.repository import Rooms
from services.moderation.api import DuelIncidents
from shared.commands import Executor
from shared.eventstore.codec import Codec
from shared.eventstore.postgres import PostgresEventStore
from shared.http.resources import Resources
from shared.settings import Settings


@asynccontextmanager
async def open_calls(_settings: Settings, resources: Resources) -> AsyncIterator[None]:
    """Open everything that the endpoints of this service ask for."""
    store, codec, executor = resources.get(PostgresEventStore), resources.get(Codec), resources.get(Executor)
    rooms = resources.add(Rooms, Rooms(store, codec))
    resources.add(RoomHandler, RoomHandler(rooms=rooms, executor=executor, incidents=resources.get(DuelIncidents)))
    yield
