"""Whenever the incident of a removal falls, the picture is off the list, and back in its slot unless that was used again (I-63, A10)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any, Final

from services.cosmetics.slots.changes import attempt_of, change_of
from services.cosmetics.slots.commands import Restore
from services.cosmetics.slots.decider import restore
from services.cosmetics.slots.repository import Slots, stream_of
from services.moderation.api import Conduct
from shared.commands import Attempt, Executor
from shared.context import CommandContext
from shared.periodic import every
from shared.refusal import Unavailable
from shared.security.principals import Principal, Role

EVERY_SECONDS: Final = 2.0
_PAGE: Final = 200
_BARRED_SQL: Final = """
SELECT k.incident_id, k.player_id FROM known_images k
WHERE k.listed AND k.kind = 'removed' AND k.incident_id IS NOT NULL
  AND EXISTS (SELECT 1 FROM events e WHERE e.stream = 'record-' || k.player_id AND e.position > $1)
  AND k.incident_id > $2
ORDER BY k.incident_id LIMIT $3"""
_SYSTEM: Final = Principal(id="cosmetics", role=Role.GAME_SERVER, token_id="none")  # noqa: S106  no token: nobody calls


class Restoring:
    """Looks at the records of those with barred pictures whenever these have new events; asks the record itself whether a removal stands."""

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
        self._left = frozenset[tuple[str, str]]()

    async def run(self) -> None:
        """Follow the records until cancelled."""
        await every(EVERY_SECONDS, self.look, "restoring")

    async def look(self) -> None:
        """Restore what fell since the last look; after a start, whatever fell ever. Raises `Unavailable`.

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

    async def _moved(self) -> AsyncIterator[tuple[str, str]]:
        """The removals, by incident and player, whose player's record has events since the last look."""
        last = ""
        while rows := await self._fetch(_BARRED_SQL, self._seen, last, _PAGE):
            for incident_id, player_id in rows:
                yield incident_id, player_id
            last = rows[-1][0]

    async def _settled(self, incident_id: str, player_id: str) -> bool:
        """Restore the picture if its removal fell; False when that can't be told now. Raises `Unavailable` when nothing can."""
        try:
            if not await self._conduct.removal_stands(player_id, incident_id):
                await self._restore(player_id, incident_id)
        except Unavailable:
            await self._head()
            return False
        return True

    async def _restore(self, player_id: str, incident_id: str) -> None:
        ctx = CommandContext(principal=_SYSTEM, route="restore", fingerprint=b"")

        async def attempt(now: datetime) -> Attempt:
            state = await self._slots.load(player_id)
            change = change_of(player_id, state, restore(Restore(incident_id=incident_id, at=now), state))
            return attempt_of(ctx, change, status=200, reply={})

        await self._executor.run(ctx, stream_of(player_id), attempt)
