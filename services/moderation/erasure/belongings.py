"""What other services hold of a player, and destroy when the player is erased; the gateway brings them together, so that neither knows the other."""

from __future__ import annotations

from typing import Protocol

from shared.context import CommandContext


class Belongings(Protocol):
    """Things of players outside the record. Destroying them may be repeated, and is: whoever crashed half-way is asked again."""

    async def held(self, player_id: str) -> int:
        """How many things of the player there are to destroy."""
        ...

    async def forget(self, ctx: CommandContext, player_id: str) -> None:
        """Destroy them all, durably, before this returns. Raises `Unavailable`: the same request again destroys the rest."""
        ...
