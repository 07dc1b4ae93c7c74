"""Rollbacks over HTTP (contract, "Incidents and sanctions"; I-20)."""

from __future__ import annotations

from services.moderation.record.bodies import ReasonBody
from services.moderation.rollbacks import examples
from services.moderation.rollbacks.bodies import RollbackBody
from services.moderation.rollbacks.handler import MAX_DECISIONS, MAX_PLAYERS, RollbackHandler
from services.moderation.rollbacks.shapes import ReversalReply, RollbackPage, RollbackReply, RollbackShape
from shared.http.answers import answered
from shared.http.call import Call, Reply
from shared.http.endpoint import HEAD_ADMIN, HEAD_ADMIN_REQUIRED, Endpoint
from shared.http.paging import after, cut, next_cursor, page
from shared.http.types import PageQuery
from shared.security.principals import Role

READERS = HEAD_ADMIN | {Role.AUDITOR}


async def roll_back(call: Call) -> Reply:
    """Take back what one member decided."""
    body: RollbackBody = call.body
    return answered(await call.get(RollbackHandler).roll_back(call.context(), call.path["staff_id"], body.since, body.until, body.reason))


async def reverse(call: Call) -> Reply:
    """Reverse a rollback."""
    body: ReasonBody = call.body
    return answered(await call.get(RollbackHandler).reverse(call.context(), call.path["rollback_id"], body.reason))


async def get_rollback(call: Call) -> Reply:
    """One rollback."""
    return Reply.json(await call.get(RollbackHandler).one(call.path["rollback_id"]))


async def list_rollbacks(call: Call) -> Reply:
    """The rollbacks, newest first."""
    query: PageQuery = call.query
    rows = await call.get(RollbackHandler).listed(after(call, 2), query.limit + 1)
    shown, more = cut(rows, query.limit)
    return Reply.json(page([item for item, _ in shown], next_cursor(call, list(shown[-1][1]) if more else None)))


ENDPOINTS = (
    Endpoint(
        method="POST", path="/v1/staff/{staff_id}/rollback", handler=roll_back, roles=HEAD_ADMIN, role_code=HEAD_ADMIN_REQUIRED,
        tags=("rollbacks",), command=True, if_match=False, dry_run=True, status=201, summary="Take back what one member of staff decided",
        description="In the given time, bounds included, as one batch: incidents are overturned and later ones read again, adjustments and lifts are "
        "taken back where they are still the latest. What stays says why in `kept`; decisions of appeals, and bans of networks, are only `listed`. "
        "With `dry_run=true` the same answer apart from ids and times, and nothing is recorded. Nobody rolls back their own decisions, nor any about "
        f"their own player account. A batch holds at most {MAX_DECISIONS} decisions and {MAX_PLAYERS} players.",
        body=RollbackBody, reply=RollbackReply, codes=("conflict_of_interest", "head_admin_required", "not_found"),
        body_example=examples.BODY, reply_example=examples.ROLLED_BACK,
    ),
    Endpoint(
        method="POST", path="/v1/rollbacks/{rollback_id}/reverse", handler=reverse, roles=HEAD_ADMIN, role_code=HEAD_ADMIN_REQUIRED,
        tags=("rollbacks",), command=True, dry_run=True, summary="Reverse a rollback",
        description="What has not changed since is as it was before the rollback; the rest stays, and says why in `kept`. Once only.",
        body=ReasonBody, reply=ReversalReply, codes=("conflict_of_interest", "head_admin_required", "invalid_transition", "not_found"),
        body_example=examples.REVERSE_BODY, reply_example=examples.REVERSED,
    ),
    Endpoint(
        method="GET", path="/v1/rollbacks", handler=list_rollbacks, roles=READERS, role_code=HEAD_ADMIN_REQUIRED, tags=("rollbacks",),
        summary="The rollbacks, newest first", query=PageQuery, reply=RollbackPage, reply_example=examples.PAGE,
    ),
    Endpoint(
        method="GET", path="/v1/rollbacks/{rollback_id}", handler=get_rollback, roles=READERS, role_code=HEAD_ADMIN_REQUIRED, tags=("rollbacks",),
        summary="One rollback as it is recorded", reply=RollbackShape, reply_example=examples.FULL, codes=("not_found",),
    ),
)  # fmt: skip
