"""The operations of `duels`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from typing import Unpack

from shared.client.api.duels.bodies import RoomBody
from shared.client.api.duels.replies import Room, RoomReply
from shared.client.options import ReadOptions, VersionedOptions
from shared.client.transport import Transport, segment


class DuelsOperations:
    """The operations of `duels`."""

    __slots__ = ("transport",)

    def __init__(self, transport: Transport) -> None:
        self.transport = transport

    async def get_room(self, duel_id: str, **options: Unpack[ReadOptions]) -> Room:
        """Show a duel room.

        `paused` and `under_admin` tell the game server whether play goes on; `penalties` are the incidents of this room. For game_server, admin,
        senior_admin, head_admin. Problems of its own: not_found.
        """
        return await self.transport.fetch("GET", f"/v1/duels/{segment(duel_id)}", Room, options=options)

    async def put_room(self, duel_id: str, body: RoomBody, **options: Unpack[VersionedOptions]) -> RoomReply:
        """Open or change a duel room.

        201 for a new room, 200 for a known one. It can't be changed while a call lives in it. For game_server. Problems of its own:
        invalid_transition.
        """
        return await self.transport.fetch("PUT", f"/v1/duels/{segment(duel_id)}", RoomReply, command=True, body=body, options=options)
