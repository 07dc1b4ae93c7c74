"""Carrying out commands on duel rooms, and showing them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from services.calls.rooms.authority import ruling_authority
from services.calls.rooms.commands import PutRoom
from services.calls.rooms.decider import put_room
from services.calls.rooms.repository import Rooms, stream_of
from services.calls.rooms.state import RoomState, evolve
from services.moderation.api import DuelIncidents
from shared.commands import Attempt, CommandReply, Executor, StreamChange
from shared.context import CommandContext


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRoom:
    """What PUT /v1/duels/{duel_id} says."""

    duel_id: str
    format: str
    kind: str
    players: tuple[str, ...]


class RoomHandler:
    """Opening, changing and showing duel rooms."""

    def __init__(self, *, rooms: Rooms, executor: Executor, incidents: DuelIncidents) -> None:
        self._rooms = rooms
        self._executor = executor
        self._incidents = incidents

    async def put(self, ctx: CommandContext, new: NewRoom) -> CommandReply:
        """Make the room what the game server says: 201 for a new one, else 200; nothing is recorded when it is so already."""

        async def attempt(now: datetime) -> Attempt:
            state = await self._rooms.load(new.duel_id)
            ctx.check_version(state.version)
            command = PutRoom(duel_id=new.duel_id, format=new.format, kind=new.kind, players=new.players, at=now)
            events = tuple(put_room(command, state))
            after = state
            for event in events:
                after = evolve(after, event)
            penalties = await self._incidents.of(new.duel_id) if state.exists else []
            return Attempt(
                changes=(StreamChange(stream=stream_of(new.duel_id), expected_version=state.version, events=events),),
                meta=ctx.meta(),
                status=200 if state.exists else 201,
                reply=room_view(after, penalties),
            )

        return await self._executor.run(ctx, stream_of(new.duel_id), attempt)

    async def show(self, duel_id: str) -> dict[str, Any]:
        """The room as it is now. Raises a `Refusal` `not_found`."""
        room = await self._rooms.find(duel_id)
        return room_view(room, await self._incidents.of(duel_id))


def room_view(state: RoomState, penalties: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The room as the API shows it. Chat is never closed by a call (I-43)."""
    return {
        "duel_id": state.duel_id,
        "format": state.format,
        "kind": state.kind,
        "ruling_authority": ruling_authority(state.format),
        "players": list(state.players),
        "paused": state.paused,
        "under_admin": state.admin is not None,
        "chat_open": True,
        "call_id": state.call_id,
        "penalties": list(penalties),
        "version": state.version,
    }
