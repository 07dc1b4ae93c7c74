"""Closing referrals, and showing them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any, cast

import msgspec

from services.moderation.record.repository import Records
from services.moderation.referrals.commands import CloseReferral
from services.moderation.referrals.decider import close_referral
from services.moderation.referrals.events import ReferralEvent
from services.moderation.referrals.state import ReferralState
from services.moderation.referrals.view import change_of, folded, referral_row, referral_view, stream_of
from shared.commands import Attempt, CommandReply, Executor
from shared.context import CommandContext
from shared.eventstore.codec import Codec
from shared.eventstore.port import EventStore
from shared.refusal import Refusal
from shared.security.data_keys import DataKeys

Fetch = Callable[..., Awaitable[Sequence[Any]]]
_LIST_SQL = """
SELECT body, opened_at, referral_id FROM referrals
WHERE ($1::text IS NULL OR state = $1) AND ($2::timestamptz IS NULL OR (opened_at, referral_id) > ($2, $3))
ORDER BY opened_at, referral_id LIMIT $4"""


class ReferralHandler:
    """Commands on referrals, and their list."""

    def __init__(self, *, store: EventStore, codec: Codec, data_keys: DataKeys, executor: Executor, records: Records, fetch: Fetch) -> None:
        self._store = store
        self._codec = codec
        self._data_keys = data_keys
        self._executor = executor
        self._records = records
        self._fetch = fetch

    async def _load(self, referral_id: str, *, personal: bool = False) -> ReferralState:
        stored = await self._store.read(stream_of(referral_id))
        if not stored:
            raise Refusal("not_found", "There is no such referral.")
        state = folded(tuple(cast("ReferralEvent", self._codec.decode(item)) for item in stored))
        if personal and state.opened is not None:
            key = (await self._data_keys.of([state.opened.person_id])).get(state.opened.person_id)
            state = folded(tuple(cast("ReferralEvent", self._codec.decode(item, data_key=key)) for item in stored))
        return state

    async def close(self, ctx: CommandContext, referral_id: str, incident_id: str | None, reason: str) -> CommandReply:
        """Close a referral."""

        async def attempt(now: datetime) -> Attempt:
            state = await self._load(referral_id)
            ctx.check_version(state.version)
            command = CloseReferral(
                by=ctx.principal.id,
                role=ctx.principal.role.value,
                own_player=ctx.principal.player_id,
                at=now,
                reason=reason,
                incident_id=incident_id,
                incident_player=await self._records.player_of(incident_id) if incident_id is not None else None,
            )
            events = tuple(close_referral(command, state))
            after = folded(events, state)
            person_id = after.opened.person_id if after.opened is not None else ""
            return Attempt(
                changes=(change_of(referral_id, person_id, state, events),),
                meta=ctx.meta(),
                status=200,
                reply=referral_view(after),
                writes=(referral_row(after),),
            )

        return await self._executor.run(ctx, stream_of(referral_id), attempt)

    async def one(self, referral_id: str) -> dict[str, Any]:
        """The referral with the reason of its end. Raises a `Refusal` `not_found`."""
        return referral_view(await self._load(referral_id, personal=True), words=True)

    async def listed(self, state: str | None, after: Sequence[Any] | None, limit: int) -> list[tuple[dict[str, Any], tuple[str, str]]]:
        """At most `limit` referrals after the one with this moment and id, oldest first, each with its sort key."""
        moment, referral_id = (datetime.fromisoformat(after[0]), after[1]) if after is not None else (None, None)
        rows = await self._fetch(_LIST_SQL, state, moment, referral_id, limit)
        return [(msgspec.json.decode(row[0]), (row[1].isoformat(), row[2])) for row in rows]
