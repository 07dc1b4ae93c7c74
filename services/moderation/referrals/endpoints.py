"""Referrals over HTTP (contract, Tournaments)."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final, Literal

import msgspec

from services.moderation.referrals.handler import ReferralHandler
from shared.http.answers import answered
from shared.http.call import Call, Reply
from shared.http.endpoint import STAFF, STAFF_AND_AUDITOR, Endpoint
from shared.http.paging import after, cut, next_cursor, page
from shared.http.types import PageQuery, Reason, Uuid

State = Literal["open", "closed"]
PenaltyName = Literal["caution", "warning", "match_point", "game_loss", "match_loss", "disqualification", "disqualification_without_prize"]


class CloseBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """What became of it: an incident of that person, or none, and why."""

    incident_id: Uuid | None = None
    reason: Reason


class ReferralsQuery(PageQuery, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Which referrals."""

    state: State | None = None


class ReferralListed(msgspec.Struct, frozen=True, kw_only=True):
    """A penalty that a head judge referred to the site. It never adds a strike by itself."""

    referral_id: str
    state: State
    tournament_id: str
    penalty_id: str
    person_id: str
    infraction: str
    penalty: PenaltyName | None
    referred_by: str
    opened_at: datetime
    closed_by: str | None
    closed_at: datetime | None
    incident_id: str | None
    version: int


class ReferralShape(ReferralListed, frozen=True, kw_only=True):
    """The referral with the reason of its end."""

    reason: str | None


class ReferralReply(ReferralListed, frozen=True, kw_only=True):
    """The referral after a command."""

    position: int | None


class ReferralPage(msgspec.Struct, frozen=True, kw_only=True):
    """Referrals, oldest first."""

    items: list[ReferralListed]
    next_cursor: str | None


EXAMPLE: Final[dict[str, Any]] = {
    "referral_id": "019ad000-0000-7000-8000-000000000061",
    "state": "open",
    "tournament_id": "spring-open",
    "penalty_id": "019ad000-0000-7000-8000-000000000062",
    "person_id": "p-bakura",
    "infraction": "fraud",
    "penalty": "disqualification_without_prize",
    "referred_by": "senior-1",
    "opened_at": "2026-11-30T10:00:00Z",
    "closed_by": None,
    "closed_at": None,
    "incident_id": None,
    "version": 1,
}
_CLOSED: Final[dict[str, Any]] = {
    **EXAMPLE, "state": "closed", "closed_by": "admin-1", "closed_at": "2026-11-30T12:00:00Z", "version": 2, "position": 41,
}  # fmt: skip


async def list_referrals(call: Call) -> Reply:
    """The referrals, oldest first."""
    query: ReferralsQuery = call.query
    rows = await call.get(ReferralHandler).listed(query.state, after(call, 2), query.limit + 1)
    shown, more = cut(rows, query.limit)
    return Reply.json(page([item for item, _ in shown], next_cursor(call, list(shown[-1][1]) if more else None)))


async def get_referral(call: Call) -> Reply:
    """One referral."""
    found = await call.get(ReferralHandler).one(call.path["referral_id"])
    call.about = found["person_id"]
    return Reply.json(found)


async def close_referral(call: Call) -> Reply:
    """Close a referral."""
    body: CloseBody = call.body
    return answered(await call.get(ReferralHandler).close(call.context(), call.path["referral_id"], body.incident_id, body.reason))


ENDPOINTS: Final = (
    Endpoint(
        method="GET", path="/v1/referrals", handler=list_referrals, roles=STAFF_AND_AUDITOR, tags=("referrals",),
        summary="Penalties that head judges referred to the site", query=ReferralsQuery, reply=ReferralPage,
        reply_example={"items": [EXAMPLE], "next_cursor": None},
    ),
    Endpoint(
        method="GET", path="/v1/referrals/{referral_id}", handler=get_referral, roles=STAFF_AND_AUDITOR, tags=("referrals",),
        summary="One referral, with the reason of its end", reply=ReferralShape, codes=("not_found",), reply_example={**EXAMPLE, "reason": None},
    ),
    Endpoint(
        method="POST", path="/v1/referrals/{referral_id}/close", handler=close_referral, roles=STAFF, tags=("referrals",), command=True,
        summary="Close a referral", codes=("not_found", "already_decided", "conflict_of_interest"), body=CloseBody, reply=ReferralReply,
        description="With the incident that came of it, or without one. The incident is charged first, as any other.",
        body_example={"incident_id": None, "reason": "Nothing that the site's rules know."}, reply_example=_CLOSED,
    ),
)  # fmt: skip
