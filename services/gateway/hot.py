"""What the game server asks at every login and every match: standings and access checks (contract, "Standing")."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from services.gateway.waiting import PositionWaits
from services.moderation.policy.holder import PolicyHolder
from services.moderation.record import examples
from services.moderation.record.handler import RecordHandler
from services.moderation.record.queries import RecordQueries
from services.moderation.record.shapes import StandingShape
from services.moderation.views.access import AccessChecks, access_reply
from services.moderation.views.shapes import AccessReply, StandingsReply
from services.moderation.views.standing import Standing, as_reply
from services.moderation.views.standing_reads import StandingReads, in_row
from services.moderation.views.timeline import Asked
from shared.clock import Clock
from shared.eventstore.postgres import HotRow, PostgresEventStore
from shared.http.call import Call, Reply
from shared.http.concurrency import none_match, weak_etag_of
from shared.http.endpoint import EVERYONE, Endpoint
from shared.http.resources import Resources
from shared.http.types import Count, GameId, ShortText, Utc, Version
from shared.security.principals import Role

NO_CACHE = "private, no-cache"
_encode = msgspec.json.Encoder().encode


class StandingQuery(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Which standing: as it stood at a moment, from what was known by then, after a version; `min_position` waits for a write."""

    as_of: Utc | None = None
    known_at: Utc | None = None
    at_version: Version | None = None
    min_position: Count | None = None


class StandingsBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Whose standings."""

    player_ids: Annotated[list[GameId], Meta(min_length=1, max_length=1000)]


class AccessBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Who comes in, from which address, and whether through a proxy."""

    player_id: GameId
    ip: Annotated[ShortText, Meta(description="An IPv4 or IPv6 address.")]
    proxy: bool = False


async def read_standing(resources: Resources, path: Mapping[str, str]) -> tuple[int, HotRow]:
    """The player's row, and the epoch of the same snapshot."""
    row = await resources.get(PostgresEventStore).hot_read(path["player_id"])
    return row.epoch, row


async def get_standing(call: Call) -> Reply:
    """The standing of one player. It is never cached without asking again: a ban's end changes it by itself."""
    query: StandingQuery = call.query
    player_id = call.path["player_id"]
    if query.min_position is not None:
        await call.get(PositionWaits).until(query.min_position)
    if query.as_of is None and query.known_at is None and query.at_version is None:
        now = call.get(Clock).now()  # type: ignore[type-abstract]
        reads, row = call.get(StandingReads), call.found
        found = None if row is None else in_row(player_id, row, now)
        standing = await reads.one(player_id, now) if found is None else found
    else:
        asked = Asked(as_of=query.as_of, known_at=query.known_at, at_version=query.at_version)
        standing = await call.get(RecordQueries).standing(player_id, asked)
    return conditional(call, standing)


def conditional(call: Call, standing: Standing) -> Reply:
    """The standing under a weak ETag over everything but `as_of`; 304 to whoever has it."""
    body = as_reply(standing)
    as_of = body.pop("as_of")
    text = _encode(body)
    etag = weak_etag_of(text)
    headers = {"ETag": etag, "Cache-Control": NO_CACHE}
    if not none_match(call.request.scope["headers"], etag):
        return Reply(status=304, headers=headers)
    return Reply(body=b'%b,"as_of":%b}' % (text[:-1], _encode(as_of)), headers=headers)


async def query_standings(call: Call) -> Reply:
    """The standings of up to 1,000 players, in the order asked."""
    body: StandingsBody = call.body
    found = await call.get(StandingReads).many(body.player_ids, call.get(Clock).now())  # type: ignore[type-abstract]
    return Reply.json({"standings": [_standing_or_error(item) for item in found]})


def _standing_or_error(item: Standing | str) -> dict[str, Any]:
    return {"player_id": item, "error": "unavailable"} if isinstance(item, str) else as_reply(item)


async def check_access(call: Call) -> Reply:
    """Whether an account may come in from an address; remembers the network."""
    body: AccessBody = call.body
    checks, now = call.get(AccessChecks), call.get(Clock).now()  # type: ignore[type-abstract]
    keys = checks.keys(body.ip)
    if body.proxy and (await call.get(PolicyHolder).current()).settings.proxy_ban == "automatic":
        await call.get(RecordHandler).ban_proxy(call.context(), body.player_id)
    standing, barred, _ = await asyncio.gather(
        call.get(StandingReads).one(body.player_id, now),
        checks.barring(body.player_id, keys, now),
        checks.remember(body.player_id, keys, now),
    )
    return Reply.json(access_reply(standing, barred))


ENDPOINTS = (
    Endpoint(
        method="GET", path="/v1/players/{player_id}/standing", handler=get_standing, roles=EVERYONE, tags=("standing",),
        summary="A player's standing",
        description="As it is now, or with `as_of` as it stood or will stand at a moment, with `known_at` from what had been recorded by then, with "
        "`at_version` after that event of the record. A player never seen has a good standing, version 0. Send `If-None-Match` to get 304 while "
        "nothing changed.",
        query=StandingQuery, reads=("If-None-Match",), gives=("ETag",), also={304: "Nothing changed."}, ahead=read_standing,
        reply=StandingShape, reply_example=examples.STANDING,
    ),
    Endpoint(
        method="POST", path="/v1/standings/query", handler=query_standings, roles=EVERYONE, tags=("standing",),
        summary="The standings of many players", description="In the order asked. A record that can't be read says so and is never taken as clean.",
        body=StandingsBody, reply=StandingsReply, body_example=examples.QUERY_BODY, reply_example=examples.QUERIED,
    ),
    Endpoint(
        method="POST", path="/v1/access-checks", handler=check_access, roles=frozenset({Role.GAME_SERVER}), tags=("standing",),
        summary="May this account come in from this address",
        description="Names every reason that holds. Remembers the network for IP bans; no header changes the address.",
        body=AccessBody, reply=AccessReply, codes=("invalid_network",), body_example=examples.ACCESS_BODY, reply_example=examples.ACCESS,
    ),
)  # fmt: skip
