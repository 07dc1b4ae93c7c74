"""Who decides, from how the command arrived."""

from __future__ import annotations

from services.moderation.record.commands import Decider
from shared.context import CommandContext


def decider_of(ctx: CommandContext) -> Decider:
    """The member of staff who decides."""
    return Decider(staff_id=ctx.principal.id, role=ctx.principal.role.value, player_id=ctx.principal.player_id)
