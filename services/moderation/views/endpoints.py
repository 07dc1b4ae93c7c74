"""Reading records over HTTP: incidents, sanctions in force, statements, history (contract, "Incidents and sanctions", "Audit")."""

from __future__ import annotations

from typing import Literal

import msgspec

from services.moderation.record import examples
from services.moderation.record.queries import RecordQueries
from services.moderation.record.shapes import IncidentShape
from services.moderation.views.shapes import ActiveSanctions, HistoryPage, IncidentPage, StatementShape
from shared.http.call import Call, Reply
from shared.http.endpoint import EVERYONE, STAFF, Endpoint
from shared.http.paging import after, cut, next_cursor, page
from shared.http.types import GameId, PageQuery
from shared.security.principals import Role

READERS = EVERYONE
AUDITORS = STAFF | {Role.AUDITOR}


class IncidentsQuery(PageQuery, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Which incidents of the player."""

    status: Literal["in_force", "overturned"] | None = None


class AccountQuery(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Of which account: of the one that the incident is about, or of one that it sanctioned along, as an alt (I-13)."""

    player_id: GameId | None = None


async def get_incident(call: Call) -> Reply:
    """One incident as it stands now; evidence and notes only for staff and auditors."""
    query: AccountQuery = call.query
    found = await call.get(RecordQueries).incident(call.path["incident_id"], query.player_id, personal=call.principal.role in AUDITORS)
    call.about = found["player_id"]
    return Reply.json(found)


async def list_incidents(call: Call) -> Reply:
    """A player's incidents, newest first."""
    query: IncidentsQuery = call.query
    start = after(call, 2)
    found = await call.get(RecordQueries).incidents(call.path["player_id"], status=query.status, personal=call.principal.role in AUDITORS)
    rows = [((history.origin.at.isoformat(timespec="microseconds"), history.version), view) for history, view in found]
    if start is not None:
        rows = [row for row in rows if row[0] < (start[0], start[1])]
    shown, more = cut(rows, query.limit)
    return Reply.json(page([view for _, view in shown], next_cursor(call, list(shown[-1][0]) if more else None)))


async def list_active(call: Call) -> Reply:
    """The sanctions in force."""
    query: PageQuery = call.query
    start = after(call, 1)
    found = await call.get(RecordQueries).active_sanctions(call.path["player_id"])
    rows = sorted((row for row in found if start is None or row["sanction_id"] > start[0]), key=lambda row: str(row["sanction_id"]))
    shown, more = cut(rows, query.limit)
    return Reply.json(page(shown, next_cursor(call, [shown[-1]["sanction_id"]] if more else None)))


async def get_statement(call: Call) -> Reply:
    """The player's statement of reasons."""
    query: AccountQuery = call.query
    return Reply.json(await call.get(RecordQueries).statement(call.path["incident_id"], query.player_id))


async def get_history(call: Call) -> Reply:
    """The player's events, oldest first."""
    query: PageQuery = call.query
    start = after(call, 1)
    found = await call.get(RecordQueries).history(call.path["player_id"], after=start[0] if start is not None else 0, limit=query.limit + 1)
    shown, more = cut(found, query.limit)
    return Reply.json(page(shown, next_cursor(call, [shown[-1]["version"]] if more else None)))


_OF_AN_ALT = "With `player_id` as it is for an account that was sanctioned along as an alt: its own sanctions."

ENDPOINTS = (
    Endpoint(
        method="GET", path="/v1/incidents/{incident_id}", handler=get_incident, roles=READERS, tags=("incidents",),
        summary="One incident as it stands now", description=_OF_AN_ALT, query=AccountQuery,
        reply=IncidentShape, reply_example=examples.INCIDENT_VIEW,
    ),
    Endpoint(
        method="GET", path="/v1/players/{player_id}/incidents", handler=list_incidents, roles=READERS, tags=("incidents",),
        summary="A player's incidents, newest first", query=IncidentsQuery, reply=IncidentPage, reply_example=examples.INCIDENT_PAGE,
    ),
    Endpoint(
        method="GET", path="/v1/players/{player_id}/sanctions/active", handler=list_active, roles=READERS, tags=("incidents",),
        summary="The sanctions in force now", query=PageQuery, reply=ActiveSanctions, reply_example=examples.ACTIVE,
    ),
    Endpoint(
        method="GET", path="/v1/incidents/{incident_id}/statement", handler=get_statement, roles=frozenset({Role.GAME_SERVER}), tags=("incidents",),
        summary="The player's statement of reasons",
        description="Facts, rules, sanctions with dates, how to appeal. A silent incident shows its ban while that stands (I-18). " + _OF_AN_ALT,
        query=AccountQuery, reply=StatementShape, reply_example=examples.STATEMENT,
    ),
    Endpoint(
        method="GET", path="/v1/players/{player_id}/history", handler=get_history, roles=AUDITORS, tags=("audit",),
        summary="Every event of a player, oldest first", query=PageQuery, reply=HistoryPage, reply_example=examples.HISTORY,
    ),
)  # fmt: skip
