"""Who would stand differently under another rule table: every record told again under it, as information; old decisions stay untouched."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from services.moderation.appeals.cascade import Question, retell
from services.moderation.appeals.views import changes
from services.moderation.policy.tables import Policy
from services.moderation.record.repository import Records
from services.moderation.record.state import RecordState
from services.moderation.views.standing import as_reply, facts_of, standing_now
from services.moderation.views.timeline import Recorded, fold_all
from shared.clock import Clock
from shared.refusal import Refusal
from shared.unreadable import UnreadableEvent

SHOWN = 100
PAGE = 100
HTTP_SECONDS = 2.0
"""How long a request looks: longer ones are for `moderation policy check`, which looks at everybody and shows how far it is."""

_COUNT_SQL = "SELECT count(*) FROM standing"
_PAGE_SQL = "SELECT player_id FROM standing WHERE player_id > $1 ORDER BY player_id LIMIT $2"

Progress = Callable[[int, int], None]


@dataclass(slots=True)
class Impact:
    """How many players were looked at of how many there are, and who would stand differently.

    `players` shows the first of them only; `undetermined` are records that can't be told under the table: those that can't be read at all (E06), and
    those with an offense whose row it leaves out.
    """

    of: int = 0
    examined: int = 0
    differing: int = 0
    undetermined: int = 0
    complete: bool = False
    players: list[dict[str, Any]] = field(default_factory=list)


class PolicyImpact:
    """Tells records again under a table that is not published yet."""

    def __init__(
        self, *, records: Records, fetch: Callable[..., Awaitable[Sequence[Any]]], clock: Clock, new_id: Callable[[], str]
    ) -> None:
        self._records = records
        self._fetch = fetch
        self._clock = clock
        self._new_id = new_id

    async def of(self, policy: Policy, *, seconds: float | None = None, progress: Progress | None = None) -> Impact:
        """Everybody's standing under this table against what it is; after `seconds` it ends unfinished. Raises `Unavailable`."""
        began, last = time.monotonic(), ""
        found = Impact(of=int((await self._fetch(_COUNT_SQL))[0][0]))
        while names := [str(row[0]) for row in await self._fetch(_PAGE_SQL, last, PAGE)]:
            for player_id, record in (await self._records.readable_events_of(names)).items():
                if seconds is not None and time.monotonic() - began > seconds:
                    return found
                self._look(found, policy, player_id, record)
                await asyncio.sleep(0)  # much work for one request: others have their turn between two players
            last = names[-1]
            if progress is not None:
                progress(found.examined, max(found.of, found.examined))
        found.complete = True
        return found

    def _look(self, found: Impact, policy: Policy, player_id: str, record: Sequence[Recorded] | None) -> None:
        found.examined += 1
        told = self._told(policy, record) if record is not None else None
        if told is None:
            found.undetermined += 1
            return
        now = told[0].moment(self._clock.now())
        before, after = (as_reply(standing_now(player_id, facts_of(each), told[0].version, now)) for each in told)
        differences = changes(before, after)
        if not differences:
            return
        found.differing += 1
        if len(found.players) < SHOWN:
            found.players.append({"player_id": player_id, "before": before, "after": after, "changes": differences})

    def _told(self, policy: Policy, record: Sequence[Recorded]) -> tuple[RecordState, RecordState] | None:
        """The record as it is, and as it would be under the table; None where that can't be said."""
        question = Question(without=frozenset(), after=0, policies={}, choices={}, policy=policy, even_harsher=True)
        try:
            state = fold_all(record)
            return state, retell(record, state, question, self._ids()).state
        except (Refusal, UnreadableEvent):
            return None

    def _ids(self) -> Iterator[str]:
        while True:
            yield self._new_id()
