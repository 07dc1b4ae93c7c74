"""Appealed bans of networks: the ban's own stream changes together with the appeal (I-30)."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from services.moderation.appeals.overturn import Effects
from shared.commands import StreamChange
from shared.context import CommandContext
from shared.eventstore.port import TableWrite


class NetworkAppeals(Protocol):
    """What the appeals ask of bans of networks."""

    async def check_exists(self, network_ban_id: str) -> None:
        """Raises a `Refusal` `not_found` when there is no such ban."""
        ...

    async def involved(self, network_ban_id: str | None) -> frozenset[str]:
        """The members of staff who imposed or changed the ban, and so may not decide its appeal."""
        ...

    async def decided(
        self, ctx: CommandContext, network_ban_id: str | None, effects: Effects, player_id: str, now: datetime, reason: str
    ) -> tuple[tuple[StreamChange, ...], tuple[TableWrite, ...]]:
        """What the decision changes on the ban: lifted for all, or this account exempt from it."""
        ...
