"""The record of sensitive reads over HTTP."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from services.moderation.reads.queries import Asked, ReadQueries
from shared.http.call import Call, Reply
from shared.http.endpoint import Endpoint
from shared.http.paging import after, cut, next_cursor, page
from shared.http.types import GameId, PageQuery, ShortText, Utc
from shared.security.principals import Role


class ReadsQuery(PageQuery, forbid_unknown_fields=True, frozen=True, kw_only=True, rename={"start": "from", "end": "to"}):
    """Whose reads, of whom, and when (`from` included, `to` not)."""

    reader: ShortText | None = None
    player_id: GameId | None = None
    start: Annotated[Utc | None, Meta(description="The earliest moment.")] = None
    end: Annotated[Utc | None, Meta(description="The moment before which.")] = None


class ReadShape(msgspec.Struct, frozen=True, kw_only=True):
    """One read. `player_id` is null for a list that is about no one player, `subject` the incident or appeal that was named."""

    reader: str
    role: str
    what: str
    at: datetime
    player_id: str | None
    subject: str | None
    request_id: str | None


class ReadsPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of reads."""

    items: list[ReadShape]
    next_cursor: str | None


async def list_reads(call: Call) -> Reply:
    """Who read what, the newest first."""
    query: ReadsQuery = call.query
    start = after(call, 3)
    asked = Asked(reader=query.reader, player_id=query.player_id, start=query.start, end=query.end)
    rows = await call.get(ReadQueries).listed(asked, start, query.limit + 1)
    shown, more = cut(rows, query.limit)
    return Reply.json(page([item for item, _ in shown], next_cursor(call, shown[-1][1] if more else None)))


_EXAMPLE: dict[str, Any] = {
    "reader": "auditor-1",
    "role": "auditor",
    "what": "history",
    "at": "2026-11-30T10:00:00Z",
    "player_id": "p1",
    "subject": None,
    "request_id": "01890a5d-ac96-774b-bcce-b302099a8057",
}

ENDPOINTS = (
    Endpoint(
        method="GET", path="/v1/reads", handler=list_reads, roles=frozenset({Role.HEAD_ADMIN, Role.AUDITOR}), tags=("audit",),
        summary="Who read what of whom, the newest first",
        description="Every read of evidence, histories, replays, explanations and appeals by staff and auditors; recorded before the data was sent.",
        query=ReadsQuery, reply=ReadsPage, reply_example={"items": [_EXAMPLE], "next_cursor": None},
    ),
)  # fmt: skip
