"""Duel rooms over HTTP (contract, Calls)."""

from __future__ import annotations

from typing import Any, Final

from services.calls.rooms.bodies import RoomBody, RoomReply, RoomShape
from services.calls.rooms.handler import NewRoom, RoomHandler
from shared.http.call import Call, Reply
from shared.http.endpoint import STAFF, Endpoint
from shared.security.principals import Role

GAME: Final = frozenset({Role.GAME_SERVER})
BODY: Final[dict[str, Any]] = {"format": "tcg", "players": ["p-yugi", "p-kaiba"], "kind": "match"}
ROOM: Final[dict[str, Any]] = {
    "duel_id": "duel-4711",
    "format": "tcg",
    "kind": "match",
    "ruling_authority": "TCG",
    "players": ["p-yugi", "p-kaiba"],
    "paused": False,
    "under_admin": False,
    "chat_open": True,
    "call_id": None,
    "penalties": [],
    "version": 1,
}


async def put_room(call: Call) -> Reply:
    """Open or change a room."""
    body: RoomBody = call.body
    new = NewRoom(duel_id=call.path["duel_id"], format=body.format, kind=body.kind, players=tuple(body.players))
    done = await call.get(RoomHandler).put(call.context(), new)
    return Reply(status=done.status, body=done.body, headers={"Idempotency-Replayed": "true"} if done.replayed else {})


async def get_room(call: Call) -> Reply:
    """Show a room."""
    return Reply.json(await call.get(RoomHandler).show(call.path["duel_id"]))


ENDPOINTS: Final = (
    Endpoint(
        method="PUT", path="/v1/duels/{duel_id}", handler=put_room, roles=GAME, tags=("duels",), command=True, status=201,
        summary="Open or change a duel room",
        description="201 for a new room, 200 for a known one. It can't be changed while a call lives in it.",
        also={200: "The room was known."}, body=RoomBody, reply=RoomReply, codes=("invalid_transition",),
        body_example=BODY, reply_example={**ROOM, "position": 17},
    ),
    Endpoint(
        method="GET", path="/v1/duels/{duel_id}", handler=get_room, roles=GAME | STAFF, tags=("duels",), summary="Show a duel room",
        description="`paused` and `under_admin` tell the game server whether play goes on; `penalties` are the incidents of this room.",
        reply=RoomShape, reply_example=ROOM, codes=("not_found",),
    ),
)  # fmt: skip
