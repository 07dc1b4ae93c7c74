"""Whenever a player is erased, the bytes of the pictures that they uploaded until then go (I-64, bar 14).

The erasure itself asks for it and is answered only when it is done. Should the service end between the two, or should the erasure have been told to a
restored backup by its ledger, the table of erasures tells it here: at the start, before anything is served, and every few seconds.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any, Final

from services.cosmetics.slots.changes import attempt_of, change_of
from services.cosmetics.slots.commands import Forget, Staff
from services.cosmetics.slots.decider import forget
from services.cosmetics.slots.pictures import Pictures
from services.cosmetics.slots.repository import Slots, stream_of
from services.cosmetics.slots.state import PURGED
from shared.commands import Attempt, Executor
from shared.context import CommandContext
from shared.observability import get_logger
from shared.periodic import every
from shared.refusal import Unavailable
from shared.security.principals import Principal, Role

EVERY_SECONDS: Final = 5.0
_HELD_SQL: Final = "SELECT count(*) FROM cosmetics WHERE player_id = $1 AND state <> 'purged'"
_ERASED_SQL: Final = "SELECT max(erased_at) FROM erasures WHERE player_id = $1"
_LEFT_SQL: Final = """
SELECT DISTINCT c.player_id FROM erasures e JOIN cosmetics c USING (player_id)
WHERE c.state <> 'purged' AND (convert_from(c.body, 'UTF8')::jsonb ->> 'uploaded_at')::timestamptz <= e.erased_at"""
_SYSTEM: Final = Principal(id="cosmetics", role=Role.GAME_SERVER, token_id="none")  # noqa: S106  no token: nobody calls
_log = get_logger(__name__)


class Forgetting:
    """The pictures of the erased; what an erasure reaches of this service (`Belongings`)."""

    def __init__(
        self,
        *,
        slots: Slots,
        executor: Executor,
        pictures: Pictures,
        fetch: Callable[..., Awaitable[Sequence[Any]]],
        head: Callable[[], Awaitable[int]],
    ) -> None:
        self._slots = slots
        self._executor = executor
        self._pictures = pictures
        self._fetch = fetch
        self._head = head
        self._seen = -1

    async def held(self, player_id: str) -> int:
        """How many pictures there are of the player whose bytes are not gone."""
        return int((await self._fetch(_HELD_SQL, player_id))[0][0])

    async def forget(self, ctx: CommandContext, player_id: str) -> None:
        """First it is recorded, so that nobody is shown them any more, then the bytes go. May be repeated. Raises `Unavailable`."""
        until: datetime | None = (await self._fetch(_ERASED_SQL, player_id))[0][0]
        if until is None:
            return
        by = Staff(staff_id=ctx.principal.id, role=ctx.principal.role.value)
        own = CommandContext(principal=ctx.principal, route="forget", fingerprint=b"", request_id=ctx.request_id)  # the key was the erasure's

        async def attempt(now: datetime) -> Attempt:
            state = await self._slots.load(player_id)
            change = change_of(player_id, state, forget(Forget(by=by, until=until, at=now), state))
            return attempt_of(own, change, status=200, reply={})

        await self._executor.run(own, stream_of(player_id), attempt)
        for item in (await self._slots.load(player_id)).cosmetics.values():
            if item.state == PURGED:
                await self._pictures.destroy(item.cosmetic_id)

    async def run(self) -> None:
        """Follow the erasures until cancelled."""
        await every(EVERY_SECONDS, self.look, "forgetting")

    async def look(self) -> int:
        """Forget the pictures of those who were erased and still have some; how many players. Raises `Unavailable`.

        Who can't be forgotten now holds up no other one, and is tried again at every look.
        """
        head = await self._head()
        if head == self._seen:
            return 0
        ctx = CommandContext(principal=_SYSTEM, route="forget", fingerprint=b"")
        players = [row[0] for row in await self._fetch(_LEFT_SQL)]
        done = 0
        for player_id in players:
            try:
                await self.forget(ctx, player_id)
                done += 1
            except Unavailable:
                await self._head()  # raises when it is not this player's alone
                _log.warning("not forgotten yet", player_id=player_id)
        if done == len(players):
            self._seen = head
        return done
