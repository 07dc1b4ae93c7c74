"""Appeals over HTTP (contract, "Appeals")."""

from __future__ import annotations

from services.moderation.appeals import examples
from services.moderation.appeals.bodies import AppealBody, AppealsQuery, DecisionBody, PreviewBody, WithdrawBody, target_of, wanted_of
from services.moderation.appeals.handler import AppealHandler
from services.moderation.appeals.queries import AppealQueries
from services.moderation.appeals.shapes import AppealPage, AppealReply, AppealShape, DecisionReply, PreviewReply
from shared.clock import Clock
from shared.http.answers import answered
from shared.http.call import Call, Reply
from shared.http.endpoint import EVERYONE, GAME_SERVER, SENIOR_ADMIN, SENIOR_ADMIN_REQUIRED, Endpoint
from shared.http.paging import after, cut, next_cursor, page
from shared.security.principals import Role


async def open_appeal(call: Call) -> Reply:
    """File an appeal for a player."""
    body: AppealBody = call.body
    return answered(await call.get(AppealHandler).open(call.context(), body.player_id, target_of(body), body.grounds))


async def preview(call: Call) -> Reply:
    """See what a decision would do."""
    body: PreviewBody = call.body
    now = call.get(Clock).now()  # type: ignore[type-abstract]
    return Reply.json(await call.get(AppealHandler).preview(call.context(), call.path["appeal_id"], wanted_of(body), now))


async def decide(call: Call) -> Reply:
    """Decide an appeal, for good."""
    body: DecisionBody = call.body
    handler = call.get(AppealHandler)
    return answered(await handler.decide(call.context(), call.path["appeal_id"], wanted_of(body), body.player_version))


async def withdraw(call: Call) -> Reply:
    """Take an appeal back for its player."""
    body: WithdrawBody = call.body
    return answered(await call.get(AppealHandler).withdraw(call.context(), call.path["appeal_id"], body.player_id))


async def get_appeal(call: Call) -> Reply:
    """One appeal."""
    found = await call.get(AppealQueries).one(call.path["appeal_id"], staff=call.principal.role is not Role.GAME_SERVER)
    call.about = found["player_id"]
    return Reply.json(found)


async def list_appeals(call: Call) -> Reply:
    """The appeals, oldest first."""
    query: AppealsQuery = call.query
    start = after(call, 2)
    rows = await call.get(AppealQueries).listed(query.state, start, query.limit + 1)
    shown, more = cut(rows, query.limit)
    staff = call.principal.role is not Role.GAME_SERVER
    items = [item if staff else {**item, "decided_by": None} for item, _ in shown]
    return Reply.json(page(items, next_cursor(call, list(shown[-1][1]) if more else None)))


_DECIDING = (
    "conflict_of_interest", "senior_admin_required", "already_decided", "duration_too_long", "discretion_out_of_range",
    "discretion_not_allowed",
)  # fmt: skip

ENDPOINTS = (
    Endpoint(
        method="POST", path="/v1/appeals", handler=open_appeal, roles=GAME_SERVER, tags=("appeals",), command=True, status=201,
        summary="File a player's appeal",
        description="Of an incident's decision, an adjustment, or a ban of a network. Nobody can reject the filing; bans keep running (I-30, I-36).",
        body=AppealBody, reply=AppealReply, codes=("appeal_exists", "decision_final", "incident_overturned", "not_found", "not_the_subject"),
        body_example=examples.BODY, reply_example=examples.OPENED,
    ),
    Endpoint(
        method="GET", path="/v1/appeals", handler=list_appeals, roles=EVERYONE, tags=("appeals",), summary="The appeals, oldest first",
        query=AppealsQuery, reply=AppealPage, reply_example=examples.PAGE,
    ),
    Endpoint(
        method="GET", path="/v1/appeals/{appeal_id}", handler=get_appeal, roles=EVERYONE, tags=("appeals",), summary="One appeal with its words",
        description="The game server sees what the player may: not who decided, nor the reason for staff.",
        reply=AppealShape, reply_example=examples.FULL,
    ),
    Endpoint(
        method="POST", path="/v1/appeals/{appeal_id}/preview", handler=preview, roles=SENIOR_ADMIN, role_code=SENIOR_ADMIN_REQUIRED,
        tags=("appeals",), summary="See what a decision would do",
        description="The standing before and after, every change, later incidents read again, what is kept, what can't be undone. Records nothing.",
        body=PreviewBody, reply=PreviewReply, codes=_DECIDING, body_example=examples.PREVIEW_BODY, reply_example=examples.PREVIEW,
    ),
    Endpoint(
        method="POST", path="/v1/appeals/{appeal_id}/decision", handler=decide, roles=SENIOR_ADMIN, role_code=SENIOR_ADMIN_REQUIRED,
        tags=("appeals",), command=True, dry_run=True, summary="Decide an appeal, for good",
        description="On the version that the preview gave; `stale_version` when the record changed since (I-35).",
        body=DecisionBody, reply=DecisionReply, codes=(*_DECIDING, "stale_version"),
        body_example=examples.DECISION_BODY, reply_example=examples.DECIDED,
    ),
    Endpoint(
        method="POST", path="/v1/appeals/{appeal_id}/withdraw", handler=withdraw, roles=GAME_SERVER, tags=("appeals",), command=True,
        summary="Take an appeal back for its player", body=WithdrawBody, reply=AppealReply, codes=("not_the_subject", "already_decided"),
        body_example=examples.WITHDRAW_BODY, reply_example=examples.WITHDRAWN,
    ),
)  # fmt: skip
