"""The staff register over HTTP (contract, Operations)."""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec

from services.moderation.staff.commands import PutStaff
from services.moderation.staff.handler import StaffEntry, StaffRegister
from shared.http.call import Call, Reply
from shared.http.endpoint import HEAD_ADMIN, HEAD_ADMIN_REQUIRED, Endpoint
from shared.http.types import GameId
from shared.security.roles import Role

_EXAMPLE: Final[dict[str, Any]] = {"level": "senior_admin", "player_id": "p-kaiba", "active": True}


class StaffBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """An entry of the register, whole; `player_id` is the member's own player account, null when there is none."""

    level: Literal["admin", "senior_admin", "head_admin", "auditor"]
    player_id: GameId | None
    active: bool


class StaffReply(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of the register after a command; `position` is null when nothing changed."""

    staff_id: str
    level: Role
    player_id: str | None
    active: bool
    version: int
    position: int | None


async def put_staff(call: Call) -> Reply:
    """Make an entry say what the body says."""
    body: StaffBody = call.body
    command = PutStaff(staff_id=call.path["staff_id"], level=Role(body.level), player_id=body.player_id, active=body.active, by=call.principal.id)
    done = await call.get(StaffRegister).put(call.context(), command)
    return Reply(status=done.status, body=done.body, headers={"Idempotency-Replayed": "true"} if done.replayed else {})


async def get_staff(call: Call) -> Reply:
    """Show an entry."""
    return Reply.json(await call.get(StaffRegister).get(call.path["staff_id"]))


ENDPOINTS: Final = (
    Endpoint(
        method="PUT",
        path="/v1/staff/{staff_id}",
        handler=put_staff,
        roles=HEAD_ADMIN,
        role_code=HEAD_ADMIN_REQUIRED,
        summary="Register or change a member of staff",
        description="201 when the member is new. Counts from the next request on, for tokens in use too. Nobody edits their own entry.",
        tags=("staff",),
        body=StaffBody,
        reply=StaffReply,
        codes=("conflict_of_interest",),
        command=True,
        also={201: "The member is new."},
        body_example=_EXAMPLE,
        reply_example={"staff_id": "senior-1", **_EXAMPLE, "version": 1, "position": 17},
    ),
    Endpoint(
        method="GET",
        path="/v1/staff/{staff_id}",
        handler=get_staff,
        roles=HEAD_ADMIN,
        role_code=HEAD_ADMIN_REQUIRED,
        summary="Show a member of staff",
        tags=("staff",),
        reply=StaffEntry,
        codes=("not_found",),
        reply_example={"staff_id": "senior-1", **_EXAMPLE, "version": 1},
    ),
)
