"""Erasure over HTTP (contract, "Operations")."""

from __future__ import annotations

import msgspec

from services.moderation.erasure.handler import ErasureHandler
from services.moderation.record import examples
from services.moderation.record.bodies import ReasonBody
from shared.http.answers import answered
from shared.http.call import Call, Reply
from shared.http.endpoint import HEAD_ADMIN, HEAD_ADMIN_REQUIRED, Endpoint


class ErasureReply(msgspec.Struct, frozen=True, kw_only=True):
    """What was destroyed; `position` is null when nothing personal had come since the last erasure."""

    player_id: str
    erasure_id: str
    key_destroyed: bool
    networks_forgotten: int
    version: int
    position: int | None


async def erase_player(call: Call) -> Reply:
    """Forget a player."""
    body: ReasonBody = call.body
    return answered(await call.get(ErasureHandler).erase(call.context(), call.path["player_id"], body.reason))


ENDPOINTS = (
    Endpoint(
        method="POST", path="/v1/players/{player_id}/erasure", handler=erase_player, roles=HEAD_ADMIN, role_code=HEAD_ADMIN_REQUIRED,
        tags=("incidents",), command=True, summary="Destroy what is personal about a player",
        description="Destroys the key of the player's descriptions, evidence, notes, reasons, appeals and messages, which then read as null for "
        "ever, forgets the networks they came from, and destroys the images that they uploaded until then. Decisions, strikes, bans and proofs stay. "
        "What is written later has a new key; asked again it destroys that too. Nobody erases their own player account.",
        body=ReasonBody, reply=ErasureReply, codes=("conflict_of_interest", "head_admin_required"),
        body_example={"reason": "Asked for by the player."},
        reply_example={
            "player_id": examples.PLAYER, "erasure_id": examples.ADJUSTMENT_ID, "key_destroyed": True, "networks_forgotten": 2, "version": 2,
            "position": 18,
        },
    ),
)  # fmt: skip
