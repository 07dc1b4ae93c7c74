"""Whenever the incident of a removal falls, the picture is off the list, and back in its slot unless that was used again (I-63, A10).

Whenever it stands again, as the rollback that overturned it was reversed (I-20), the picture is removed and barred again.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any, Final

from services.cosmetics.slots.changes import attempt_of, change_of
from services.cosmetics.slots.commands import Reinstate, Restore
from services.cosmetics.slots.decider import decide
from services.cosmetics.slots.repository import Slots, stream_of
from services.moderation.api import Conduct
from shared.commands import Attempt, Executor
from shared.context import CommandContext
from shared.periodic import every
from shared.refusal import Unavailable
from shared.security.principals import Principal, Role

EVERY_SECONDS: Final = 2.0
_PAGE: Final = 200
_REMOVED_SQL: Final = """
SELECT k.incident_id, k.player_id, k.listed FROM known_images k
WHERE k.kind = 'removed' AND k.incident_id IS NOT NULL
  AND EXISTS (SELECT 1 FROM events e WHERE e.stream = 'record-' || k.player_id AND e.position > $1)
  AND k.incident_id > $2
ORDER BY k.incident_id LIMIT $3"""
_SYSTEM: Final = Principal(id="cosmetics", role=Role.GAME_SERVER, token_id="none")  # noqa: S106  no token: nobody calls
_Removal = tuple[str, str, bool]
"""A removal: its incident, its player, and whether the picture is on the list."""


class Restoring:
    """Looks at the records of those who had pictures removed, whenever these have new events; asks the record itself whether a removal stands."""

    def __init__(
        self,
        *,
        slots: Slots,
        executor: Executor,
        conduct: Conduct,
        fetch: Callable[..., Awaitable[Sequence[Any]]],
        head: Callable[[], Awaitable[int]],
    ) -> None:
        self._slots = slots
        self._executor = executor
        self._conduct = conduct
        self._fetch = fetch
        self._head = head
        self._seen = 0
        self._left = frozenset[_Removal]()

    async def run(self) -> None:
        """Follow the records until cancelled."""
        await every(EVERY_SECONDS, self.look, "restoring")

    async def look(self) -> None:
        """Restore what fell since the last look, and remove what stands again; after a start, whatever fell ever. Raises `Unavailable`.

        A record that can't be read holds up no other one's: it is asked again at every look.
        """
        head = await self._head()
        if head == self._seen and not self._left:
            return
        left = {one for one in self._left if not await self._settled(*one)}
        if head != self._seen:
            async for one in self._moved():
                if one not in self._left and not await self._settled(*one):
                    left.add(one)
        self._seen, self._left = head, frozenset(left)

    async def _moved(self) -> AsyncIterator[_Removal]:
        """The removals whose player's record has events since the last look."""
        last = ""
        while rows := await self._fetch(_REMOVED_SQL, self._seen, last, _PAGE):
            for incident_id, player_id, listed in rows:
                yield incident_id, player_id, listed
            last = rows[-1][0]

    async def _settled(self, incident_id: str, player_id: str, listed: bool) -> bool:  # noqa: FBT001  the row as it is
        """Have the picture as its removal is; False when that can't be told now. Raises `Unavailable` when nothing can."""
        try:
            stands = await self._conduct.removal_stands(player_id, incident_id)
            if stands != listed:
                await self._follow(player_id, incident_id, stands=stands)
        except Unavailable:
            await self._head()
            return False
        return True

    async def _follow(self, player_id: str, incident_id: str, *, stands: bool) -> None:
        ctx = CommandContext(principal=_SYSTEM, route="restore", fingerprint=b"")

        async def attempt(now: datetime) -> Attempt:
            state = await self._slots.load(player_id)
            command = Reinstate(incident_id=incident_id, at=now) if stands else Restore(incident_id=incident_id, at=now)
            return attempt_of(ctx, change_of(player_id, state, decide(command, state)), status=200, reply={})

        await self._executor.run(ctx, stream_of(player_id), attempt)
