"""Records of a given length, appended event by event to the log: importing ten thousand incidents of one player takes minutes."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

from services.moderation.record.events import IncidentImported, Sanction
from services.moderation.record.repository import stream_of
from services.moderation.record.state import INITIAL, evolve
from services.moderation.registered import register_events
from services.moderation.views.standing import facts_of
from services.moderation.views.tables import standing_write
from shared.eventstore.codec import Codec
from shared.eventstore.envelope import EventMeta, NewEvent
from shared.eventstore.port import Appended, AppendRequest, StreamAppend
from shared.eventstore.postgres import PostgresEventStore
from shared.eventstore.registry import EventRegistry
from shared.ids import new_id
from tests.support.database import Database

_FIRST = datetime(2020, 1, 1, tzinfo=UTC)
_PART = 500


def event_of(player_id: str, number: int) -> IncidentImported:
    """An old incident whose ban was served long ago."""
    at = _FIRST + timedelta(hours=number)
    sanction = Sanction(sanction_id=f"s-{number}", kind="ban", starts_at=at, ends_at=at + timedelta(days=1))
    return IncidentImported(
        incident_id=f"i-{player_id}-{number}",
        player_id=player_id,
        at=at,
        decided_by="former-admin",
        infraction="spam-major",
        strike=number + 1,
        sanctions=(sanction,),
        legal_review=False,
        external_id=f"old-{number}",
        imported_at=at,
        imported_by="head-1",
    )


def recorded(database: Database, lengths: dict[str, int]) -> None:
    """A record of so many events for each player, and the standing that belongs to it."""

    async def work() -> None:
        registry = EventRegistry()
        register_events(registry)
        codec = Codec(registry)
        async with PostgresEventStore(database.app) as store:
            for player_id, count in lengths.items():
                await _append(store, codec, player_id, count)

    asyncio.run(work())


async def _append(store: PostgresEventStore, codec: Codec, player_id: str, count: int) -> None:
    meta = codec.encode_meta(EventMeta(actor="head-1", role="head_admin"))
    stream, state = stream_of(player_id), INITIAL
    for start in range(0, count, _PART):
        events = []
        for number in range(start, min(start + _PART, count)):
            event = event_of(player_id, number)
            state = evolve(state, event)
            kind, payload = codec.encode(event, stream=stream, version=number + 1)
            events.append(NewEvent(type=kind, payload=payload, meta=meta))
        part = StreamAppend(stream=stream, expected_version=start, events=tuple(events))
        writes = (standing_write(player_id, facts_of(state), state.version),)
        done = await store.append(AppendRequest(command_id=new_id(), appends=(part,), writes=writes))
        if not isinstance(done, Appended):
            raise TypeError(done)
