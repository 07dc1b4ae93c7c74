"""Replay, diff, what-if and explanation over HTTP (contract, Audit)."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from services.moderation.appeals.shapes import ChangeShape, KeptShape
from services.moderation.audit.queries import AuditQueries
from services.moderation.record import examples
from services.moderation.record.shapes import StandingShape
from services.moderation.views.endpoints import AccountQuery
from services.moderation.views.shapes import HistoryItem
from shared.http.call import Call, Reply
from shared.http.endpoint import STAFF_AND_AUDITOR, Endpoint
from shared.http.paging import after, cut, next_cursor, page
from shared.http.problems import invalid
from shared.http.types import MAX_INT, PageQuery, ShortText, Slug, Uuid, utc
from shared.security.principals import Role

REVIEWERS = frozenset({Role.SENIOR_ADMIN, Role.HEAD_ADMIN, Role.AUDITOR})
_VERSION = re.compile(r"[0-9]{1,16}\Z", re.ASCII)


class DiffQuery(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True, rename={"start": "from", "end": "to"}):
    """Two points of the record: versions (whole numbers) or moments (RFC 3339)."""

    start: Annotated[ShortText, Meta(description="A version, or a moment as in `as_of`.")]
    end: Annotated[ShortText, Meta(description="A version, or a moment as in `as_of`.")]


class WhatIfBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """What to leave out, and under which policy version to read instead of each decision's own."""

    without_incidents: Annotated[list[Uuid], Meta(max_length=200)]
    policy_version: Slug | None = None


class ReplayItem(HistoryItem, frozen=True, kw_only=True):
    """An event with the standing after it, and what it changed."""

    standing: StandingShape
    changes: list[ChangeShape]


class ReplayPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the replay."""

    items: list[ReplayItem]
    next_cursor: str | None


class DiffReply(msgspec.Struct, frozen=True, kw_only=True):
    """The standings at two points, and every difference."""

    before: StandingShape
    after: StandingShape
    changes: list[ChangeShape]


class ReadAgain(msgspec.Struct, frozen=True, kw_only=True):
    """An incident that would be read at another column."""

    incident_id: str
    column_before: int
    column_after: int


class WhatIfReply(msgspec.Struct, frozen=True, kw_only=True):
    """The standing as it would be."""

    standing: StandingShape
    changes: list[ChangeShape]
    reassessed: list[ReadAgain]
    kept: list[KeptShape]


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """Why an incident's sanctions are what they are: events, rule rows, column, choices, and what changed them since."""

    incident_id: str
    player_id: str
    policy_version: str | None
    column: dict[str, Any]
    strike: dict[str, Any]
    events: list[dict[str, Any]]
    offenses: list[dict[str, Any]]
    sanctions: list[dict[str, Any]]


async def get_replay(call: Call) -> Reply:
    """The record step by step."""
    query: PageQuery = call.query
    start = after(call, 1)
    found = await call.get(AuditQueries).replay(call.path["player_id"], after=start[0] if start is not None else 0, limit=query.limit + 1)
    shown, more = cut(found, query.limit)
    return Reply.json(page(shown, next_cursor(call, [shown[-1]["version"]] if more else None)))


async def get_diff(call: Call) -> Reply:
    """Two points of the record compared."""
    query: DiffQuery = call.query
    return Reply.json(await call.get(AuditQueries).diff(call.path["player_id"], point_of(query.start, "from"), point_of(query.end, "to")))


def point_of(text: str, field: str) -> int | datetime:
    """A version or a moment. Raises a `Refusal` `invalid_request` for anything else."""
    if _VERSION.match(text):
        version = int(text)
        if version <= MAX_INT:
            return version
    try:
        moment = msgspec.convert(text, Annotated[datetime, Meta(tz=True)], strict=False) if "T" in text.upper() else None
    except msgspec.ValidationError:
        moment = None
    if moment is None:
        raise invalid(field, "A version (a whole number) or a moment in RFC 3339 with an offset is expected.")
    return utc(moment, field)


async def what_if(call: Call) -> Reply:
    """The standing as it would be."""
    body: WhatIfBody = call.body
    return Reply.json(await call.get(AuditQueries).what_if(call.path["player_id"], body.without_incidents, body.policy_version))


async def explain(call: Call) -> Reply:
    """Why."""
    query: AccountQuery = call.query
    found = await call.get(AuditQueries).explain(call.path["incident_id"], query.player_id)
    call.about = found["player_id"]
    return Reply.json(found)


_GOOD: dict[str, Any] = {**examples.STANDING, "status": "good", "strikes": 0, "ban": None, "version": 0}
_CHANGES: list[dict[str, Any]] = [
    {"path": "status", "before": "good", "after": "banned"},
    {"path": "strikes", "before": 0, "after": 1},
    {"path": "ban", "before": None, "after": examples.STANDING["ban"]},
]
_REPLAY: dict[str, Any] = {"items": [{**examples.HISTORY["items"][0], "standing": examples.STANDING, "changes": _CHANGES}], "next_cursor": None}
_DIFF: dict[str, Any] = {"before": _GOOD, "after": examples.STANDING, "changes": _CHANGES}
_WHAT_IF: dict[str, Any] = {
    "standing": _GOOD,
    "changes": [{"path": "status", "before": "banned", "after": "good"}],
    "reassessed": [],
    "kept": [],
}
_EXPLANATION: dict[str, Any] = {
    "incident_id": examples.INCIDENT_ID,
    "player_id": examples.PLAYER,
    "policy_version": "5f0c9a1e7b2d4c68",
    "column": {"value": 1, "why": "0 active strikes over all categories at the decision, and one more (I-2)."},
    "strike": {"number": 1, "why": "At least one of the offenses carries a strike; an incident adds at most one (I-1, I-4)."},
    "events": [{"version": 1, "position": 17, "type": "IncidentDecided", "at": examples.STARTS}],
    "offenses": examples.INCIDENT_VIEW["assessment"],
    "sanctions": [{**examples.BAN, "why": ["Imposed by the cell of spam-major."], "from": ["spam-major"]}],
}

ENDPOINTS = (
    Endpoint(
        method="GET", path="/v1/players/{player_id}/replay", handler=get_replay, roles=STAFF_AND_AUDITOR, tags=("audit",),
        summary="The record step by step",
        description="Every event with the standing after it, at the moment of its decision, and what it changed.",
        query=PageQuery, reply=ReplayPage, reply_example=_REPLAY,
    ),
    Endpoint(
        method="GET", path="/v1/players/{player_id}/diff", handler=get_diff, roles=STAFF_AND_AUDITOR, tags=("audit",),
        summary="The standing at two points compared", query=DiffQuery, reply=DiffReply, reply_example=_DIFF,
    ),
    Endpoint(
        method="POST", path="/v1/players/{player_id}/what-if", handler=what_if, roles=REVIEWERS, tags=("audit",),
        role_code={Role.ADMIN: "senior_admin_required"}, summary="The standing as it would be",
        description="Without some incidents, later ones read again; or with every incident read under another policy version. Records nothing.",
        body=WhatIfBody, reply=WhatIfReply, body_example={"without_incidents": [examples.INCIDENT_ID]}, reply_example=_WHAT_IF,
    ),
    Endpoint(
        method="GET", path="/v1/incidents/{incident_id}/explanation", handler=explain, roles=STAFF_AND_AUDITOR, tags=("audit",),
        summary="Why the sanctions are what they are", query=AccountQuery, reply=Explanation, reply_example=_EXPLANATION,
    ),
)  # fmt: skip
