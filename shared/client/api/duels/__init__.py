"""Operations and types of `duels`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from shared.client.api.duels.bodies import RoomBody
from shared.client.api.duels.operations import DuelsOperations
from shared.client.api.duels.replies import Penalty, PenaltySanction, Room, RoomReply

__all__ = [
    "DuelsOperations",
    "Penalty",
    "PenaltySanction",
    "Room",
    "RoomBody",
    "RoomReply",
]
