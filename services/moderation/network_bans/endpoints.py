"""Network bans over HTTP (contract, "Incidents and sanctions"): for Head Admins only."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from services.moderation.network_bans import shapes
from services.moderation.network_bans.handler import NetworkBanHandler
from services.moderation.networks import range_of
from services.moderation.record.bodies import ReasonBody
from shared.http.answers import answered
from shared.http.call import Call, Reply
from shared.http.endpoint import HEAD_ADMIN, HEAD_ADMIN_REQUIRED, Endpoint
from shared.http.paging import after, cut, next_cursor, page
from shared.http.types import PageQuery


async def ban_network(call: Call) -> Reply:
    """Ban an address or a range."""
    body: shapes.NetworkBanBody = call.body
    return answered(await call.get(NetworkBanHandler).ban(call.context(), range_of(body.network), body.reason, body.ends_at))


async def list_network_bans(call: Call) -> Reply:
    """All network bans, newest first."""
    query: PageQuery = call.query
    start = after(call, 2)
    since = None if start is None else (datetime.fromisoformat(start[0]), str(start[1]))
    shown, more = cut(await call.get(NetworkBanHandler).listed(since, query.limit + 1), query.limit)
    last = [shown[-1][1].isoformat(), shown[-1][2]] if more else None
    return Reply.json(page([view for view, _, _ in shown], next_cursor(call, last)))


async def lift_network_ban(call: Call) -> Reply:
    """Lift one ban."""
    body: ReasonBody = call.body
    return answered(await call.get(NetworkBanHandler).lift(call.context(), call.path["network_ban_id"], body.reason))


async def exempt_account(call: Call) -> Reply:
    """Free one account from one ban."""
    body: shapes.ExemptionBody = call.body
    handler = call.get(NetworkBanHandler)
    return answered(await handler.exempt(call.context(), call.path["network_ban_id"], body.player_id, body.reason))


_head_admins = partial(Endpoint, roles=HEAD_ADMIN, role_code=HEAD_ADMIN_REQUIRED, tags=("network bans",))

ENDPOINTS = (
    _head_admins(
        method="POST", path="/v1/network-bans", handler=ban_network, command=True, if_match=False, status=201,
        summary="Ban an address or a range",
        description="An IPv6 address stands for its /64, an IPv4-mapped one for its IPv4 address. Each ban has its own id and is lifted by it alone, "
        "so a range over a banned address is another ban, and so is the same network with another end. The very same network with the same end, "
        "while that ban stands, is no second one: 200 with the first, whose reason stays, and nothing is recorded. A ban ends at its `ends_at` by "
        "itself.",
        body=shapes.NetworkBanBody, reply=shapes.NetworkBanReply, codes=("invalid_network", "duration_too_long"),
        body_example=shapes.BAN_BODY, reply_example=shapes.BANNED, also={200: "The network is banned so already."},
    ),
    _head_admins(
        method="GET", path="/v1/network-bans", handler=list_network_bans, summary="All network bans, newest first",
        description="Also the IP ban of each incident (`source` incident), whose networks are known by keyed hash only. Ended and lifted ones stay "
        "listed.",
        query=PageQuery, reply=shapes.NetworkBanPage, reply_example=shapes.PAGE,
    ),
    _head_admins(
        method="POST", path="/v1/network-bans/{network_ban_id}/lift", handler=lift_network_ban, command=True, summary="Lift one network ban",
        description="Other bans over the same network stay. One that is over already stays as it is. An incident's IP ban is lifted on its incident: "
        "`invalid_transition` names the path in `allowed`.",
        body=ReasonBody, reply=shapes.NetworkBanReply, codes=("not_found", "invalid_transition"),
        body_example=shapes.LIFT_BODY, reply_example=shapes.LIFTED,
    ),
    _head_admins(
        method="POST", path="/v1/network-bans/{network_ban_id}/exemptions", handler=exempt_account, command=True, status=201,
        summary="Free one account from one network ban",
        description="Counts from the next access check on, for that account and this ban only; also for an incident's IP ban, by its sanction id. It "
        "changes nothing about the account's own bans. 200 when the account is exempt already; nobody exempts their own player account.",
        body=shapes.ExemptionBody, reply=shapes.NetworkBanReply, codes=("not_found", "invalid_transition", "conflict_of_interest"),
        body_example=shapes.EXEMPTION_BODY, reply_example=shapes.EXEMPTED, also={200: "The account is exempt already."},
    ),
)  # fmt: skip
