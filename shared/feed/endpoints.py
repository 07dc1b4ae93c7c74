"""`GET /v1/feed` and `GET /v1/feed/stream`: what a game server follows."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from shared.eventstore.postgres import PostgresEventStore
from shared.feed.hub import FeedHub
from shared.feed.items import Place, fitting
from shared.feed.reading import read
from shared.feed.stream import FeedStream, Streams
from shared.http.auth import Authenticator, caller
from shared.http.call import Call, Reply
from shared.http.endpoint import GAME_SERVER, STAFF, Endpoint
from shared.http.headers import values
from shared.http.problems import invalid
from shared.http.types import MAX_INT, Limit
from shared.refusal import Refusal, Unavailable
from shared.security.roles import Role

MAX_STREAMS: Final = 3000
MAX_STREAMS_OF_STAFF: Final = 16
REACH_SECONDS: Final = 1.0
_POSITION: Final = re.compile(rb"(?:0|[1-9][0-9]{0,15})\Z")

Position = Annotated[int, Meta(ge=0, le=MAX_INT, description="A position of the log.")]
Behind = Annotated[
    int, Meta(ge=0, le=MAX_INT, description="The position behind which to begin; `Last-Event-ID` wins over it. With neither: from now on.")
]


class FeedQuery(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Which part of the feed, and how long to wait for it."""

    after: Annotated[int, Meta(ge=0, le=MAX_INT, description="The position behind which to go on; 0 for the beginning.")] = 0
    limit: Limit = 50
    wait: Annotated[int, Meta(ge=0, le=30, description="Seconds to wait for an item when there is none yet.")] = 0


class StreamQuery(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Where to begin."""

    after: Behind | None = None


class FeedItem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An integration event. Items that one event caused share its position."""

    position: Position
    type: str
    player_id: str | None = None
    data: dict[str, Any]


class FeedPage(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the feed, in order; `next_after` is the position to ask behind next."""

    items: list[FeedItem]
    next_after: Position


class FeedEvent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One event of the stream as a reader of server-sent events has it: before OpenAPI 3.2 the schema of a stream is that of each event."""

    data: Annotated[
        str, Meta(extra_json_schema={"contentMediaType": "application/json", "contentSchema": {"$ref": "#/components/schemas/FeedItem"}})
    ]
    id: Annotated[str, Meta(pattern=r"^(0|[1-9][0-9]{0,15})\Z", description="Where to resume.")] | msgspec.UnsetType = msgspec.UNSET


class OpenStreams:
    """How many streams this process holds, in all and of each member of staff."""

    __slots__ = ("_by", "_total")

    def __init__(self) -> None:
        self._by: Counter[str] = Counter()
        self._total = 0

    def enter(self, principal: str, *, staff: bool) -> None:
        """Count one more. Raises `Unavailable` when the process holds all it may, a `Refusal` 429 when this member of staff does."""
        if self._total >= MAX_STREAMS:
            detail = "There are too many streams here."
            raise Unavailable(detail)
        if staff and self._by[principal] >= MAX_STREAMS_OF_STAFF:
            raise Refusal("rate_limited", f"A member of staff has at most {MAX_STREAMS_OF_STAFF} streams.")
        self._by[principal] += 1
        self._total += 1

    def leave(self, principal: str) -> None:
        """Count one less."""
        self._by[principal] -= 1
        self._by += Counter()  # drops those without any
        self._total -= 1


async def get_feed(call: Call) -> Reply:
    """A page of the feed. With `wait` it comes as soon as there is an item, or empty when the time is up or the service ends."""
    query: FeedQuery = call.query
    found, upto = await _now(call)
    if not found and query.wait:
        found, upto = await _awaited(call)
    return _page(fitting(found, query.limit), upto)


async def _now(call: Call) -> tuple[list[Place], int]:
    """What there is behind the caller's position, and up to where that is all: never less than was answered to anybody before this was asked."""
    query: FeedQuery = call.query
    hub, store = call.get(FeedHub), call.get(PostgresEventStore)
    if await hub.reach(await store.head(), REACH_SECONDS):
        found = hub.after(query.after, query.limit)
        if found is not None:
            return found, max(hub.head, query.after)
    page = await read(store.fetch, query.after, query.limit + 1)
    return page.places, page.upto


async def _awaited(call: Call) -> tuple[list[Place], int]:
    """The same within the time that the caller waits. Raises a `Refusal` when the caller's token stops to count meanwhile (N10)."""
    query: FeedQuery = call.query
    hub, epoch, clock = call.get(FeedHub), call.get(FeedHub).epoch, asyncio.get_running_loop()
    deadline, over = clock.time() + query.wait, False
    with hub.waiting() as waiting:
        while True:
            if hub.epoch != epoch:
                epoch = hub.epoch
                await caller(call.request.scope, call.get(Authenticator))
                continue
            found, upto = hub.after(query.after, query.limit), max(hub.head, query.after)  # no await between: one moment's answer
            if found is None:  # the ring was overrun while this reader waited, or the tail has not begun
                page = await read(call.get(PostgresEventStore).fetch, query.after, query.limit + 1)
                found, upto = page.places, page.upto
            if found or over:
                return found, upto
            left = deadline - clock.time()
            over = hub.draining or left <= 0 or not await waiting.wait(left)


def _page(found: list[Place], upto: int) -> Reply:
    last = found[-1].position if found else upto
    return Reply(body=b'{"items":[' + b",".join(place.items for place in found) + b'],"next_after":%d}' % last)


async def get_feed_stream(call: Call) -> Reply:
    """Open a stream. Who reads it is looked at again whenever tokens or staff change."""
    query: StreamQuery = call.query
    scope, principal = call.request.scope, call.principal
    after = last_event_id(values(scope["headers"], b"last-event-id"))
    after = query.after if after is None else after
    streams, opened, authenticator = call.get(Streams), call.get(OpenStreams), call.get(Authenticator)
    if streams.hub.draining or not streams.hub.started:
        detail = "The feed is not there yet, or no longer."
        raise Unavailable(detail)
    if after is None:
        await streams.hub.reach(await call.get(PostgresEventStore).head(), REACH_SECONDS)

    async def check() -> None:
        if (await caller(scope, authenticator)).role not in STREAM_ROLES:
            raise Refusal("forbidden", "This is not for this role any more.")

    opened.enter(principal.id, staff=principal.role is not Role.GAME_SERVER)
    return Reply(response=FeedStream(streams, after, check, lambda: opened.leave(principal.id)))


def last_event_id(given: list[bytes]) -> int | None:
    """The position in `Last-Event-ID`; None without one. Raises a `Refusal` 422 for what no id of ours is."""
    if not given or given == [b""]:
        return None
    if len(given) > 1 or not _POSITION.match(given[0]) or int(given[0]) > MAX_INT:
        raise invalid("Last-Event-ID", "The id of an event of this stream is expected.")
    return int(given[0])


STREAM_ROLES = GAME_SERVER | STAFF
_ITEM = {"position": 17, "type": "call.taken", "data": {"call_id": "01890a5d-ac96-774b-bcce-b302099a8057", "taken_by": "admin-1"}}

ENDPOINTS = (
    Endpoint(
        method="GET", path="/v1/feed", handler=get_feed, roles=GAME_SERVER, tags=("feed",), query=FeedQuery, reply=FeedPage,
        summary="What happened, in order", reply_example={"items": [_ITEM], "next_after": 17},
        description="Integration events by the log's positions: none is left out, doubled or out of order. Ask with `after` = `next_after` of the "
        "page before; a page holds whole positions, so it may exceed `limit` by the items of one event. With `wait` an empty page comes only after "
        "so many seconds.",
    ),
    Endpoint(
        method="GET", path="/v1/feed/stream", handler=get_feed_stream, roles=STREAM_ROLES, tags=("feed",), query=StreamQuery, reply=FeedEvent,
        reads=("Last-Event-ID",),
        summary="The feed as server-sent events", reply_type="text/event-stream", codes=("rate_limited",),
        reply_example={"data": '{"position":17,"type":"call.taken","data":{}}', "id": "17"},
        description="Each event's `data` is an item of `GET /v1/feed`. An `id` comes with a position's last item only: reconnect with it in "
        "`Last-Event-ID` and nothing is skipped or sent twice but the items of a position that was not complete. A comment comes every 15 seconds. "
        "The stream ends when its token is revoked and when the service restarts: then reconnect.",
    ),
)  # fmt: skip
