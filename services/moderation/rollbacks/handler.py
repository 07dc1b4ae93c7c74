"""Carrying out rollbacks and their reversal: one transaction over all the records that they touch; and reading them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import msgspec

from services.moderation.record.acting import decider_of
from services.moderation.record.changes import outbox_of, writes_of
from services.moderation.rollbacks.commands import ReverseRollback, RollBackStaff
from services.moderation.rollbacks.decider import RollbackDecider, check_reverse, check_roll_back
from services.moderation.rollbacks.events import ListedDecision, PlayerReinstated, RollbackStreamEvent
from services.moderation.rollbacks.networks import NetworkLifts, NetworkPlan
from services.moderation.rollbacks.planning import CHANGES, INCIDENTS, Planner, PlayerPlan
from services.moderation.rollbacks.repository import RollbackStreams, stream_of, subject_of
from services.moderation.rollbacks.state import RollbackState
from services.moderation.rollbacks.views import entry_of, full_view, made_view, reversed_view, rollback_row
from services.moderation.views.staff_decisions import StaffDecision, StaffDecisions
from shared.commands import Attempt, CommandReply, Executor, StreamChange
from shared.context import CommandContext
from shared.decider import fold
from shared.refusal import Refusal

MAX_PLAYERS, MAX_DECISIONS = 500, 2000
"""What fits into one transaction without holding others up; a longer time is rolled back in parts, each of them reversible."""

_COVERED = INCIDENTS | CHANGES | {"network_ban_lift"}
_DECIDER = RollbackDecider()
_LIST_SQL = """
SELECT body, made_at, rollback_id FROM rollbacks
WHERE ($1::timestamptz IS NULL OR (made_at, rollback_id) < ($1, $2)) ORDER BY made_at DESC, rollback_id DESC LIMIT $3"""


class RollbackHandler:
    """Rollbacks of members of staff."""

    def __init__(
        self,
        *,
        streams: RollbackStreams,
        decisions: StaffDecisions,
        planner: Planner,
        networks: NetworkLifts,
        executor: Executor,
        fetch: Callable[..., Awaitable[Sequence[Any]]],
        new_id: Callable[[], str],
    ) -> None:
        self._streams = streams
        self._decisions = decisions
        self._planner = planner
        self._networks = networks
        self._executor = executor
        self._fetch = fetch
        self._new_id = new_id

    async def roll_back(self, ctx: CommandContext, staff_id: str, since: datetime, until: datetime, reason: str) -> CommandReply:
        """Take back what the member decided in that time, bounds included (I-20).

        Raises a `Refusal`: those of the decider, `not_found` for a member who never was, `invalid_request` for more than fits into one batch.
        """
        rollback_id = self._new_id()
        by = decider_of(ctx)

        async def attempt(now: datetime) -> Attempt:
            asked = RollBackStaff(rollback_id=rollback_id, staff_id=staff_id, at=now, by=by, since=since, until=until, reason=reason)
            check_roll_back(asked)
            decisions = await self._found(staff_id, since, until)
            plans = await self._planner.roll_back(decisions, by, rollback_id, now)
            networks = await self._networks.reimpose(decisions, by, rollback_id, now)
            command = replace(
                asked,
                players=tuple(entry_of(plan) for plan in plans),
                network_bans=networks.ban_ids,
                kept=(*(item for plan in plans for item in plan.undone.kept), *networks.kept),
                listed=tuple(_listed(item) for item in decisions if item.kind not in _COVERED),
            )
            state, events = _decided(command, _DECIDER.initial())
            if state.made is None:
                raise TypeError(type(events))
            reply = {**made_view(state.made, plans, now), "version": state.version}
            return _attempt(ctx, plans, networks, state, events, now=now, reply=reply, status=201)

        return await self._executor.run(ctx, stream_of(rollback_id), attempt)

    async def _found(self, staff_id: str, since: datetime, until: datetime) -> list[StaffDecision]:
        decisions = await self._decisions.of(staff_id, since, until, MAX_DECISIONS + 1)
        if not decisions and not await self._decisions.is_known(staff_id):
            raise Refusal("not_found", "There is no such member of staff.")
        players = {item.player_id for item in decisions if item.kind in _COVERED and item.player_id is not None}
        if len(decisions) > MAX_DECISIONS or len(players) > MAX_PLAYERS:
            detail = f"More than {MAX_DECISIONS} decisions or {MAX_PLAYERS} players are no single batch; name a shorter time, and then the next one."
            allowed = {"max_decisions": MAX_DECISIONS, "max_players": MAX_PLAYERS, "to": decisions[-1].at if decisions else None}
            raise Refusal("invalid_request", detail, field="to", allowed=allowed)
        return decisions

    async def reverse(self, ctx: CommandContext, rollback_id: str, reason: str) -> CommandReply:
        """Put back what the rollback changed, where nothing has changed since (I-20). Raises a `Refusal` of the decider."""
        by = decider_of(ctx)

        async def attempt(now: datetime) -> Attempt:
            before = await self._streams.state(rollback_id)
            asked = ReverseRollback(rollback_id=rollback_id, at=now, by=by, reason=reason)
            made = check_reverse(asked, before)
            ctx.check_version(before.version)
            touched = [entry for entry in made.players if entry.version_after > entry.version_before]
            plans = await self._planner.reverse(touched, by, rollback_id, now)
            networks = await self._networks.reinstate(made.network_bans, by, rollback_id, now)
            command = replace(
                asked,
                players=tuple(_reinstated(plan) for plan in plans),
                network_bans=networks.ban_ids,
                kept=(*(item for plan in plans for item in plan.reinstated.kept), *networks.kept),
            )
            state, events = _decided(command, before)
            reply = {**reversed_view(state, plans, now), "version": state.version}
            return _attempt(ctx, plans, networks, state, events, now=now, reply=reply, status=200)

        return await self._executor.run(ctx, stream_of(rollback_id), attempt)

    async def one(self, rollback_id: str) -> dict[str, Any]:
        """The rollback as it is recorded. Raises a `Refusal` `not_found`."""
        state = await self._streams.state(rollback_id, personal=True)
        if state.made is None:
            raise Refusal("not_found", "There is no such rollback.")
        return full_view(state)

    async def listed(self, after: Sequence[Any] | None, limit: int) -> list[tuple[dict[str, Any], tuple[str, str]]]:
        """At most `limit` rollbacks after the one with this moment and id, newest first, each with its sort key."""
        moment, rollback_id = (datetime.fromisoformat(after[0]), after[1]) if after is not None else (None, None)
        rows = await self._fetch(_LIST_SQL, moment, rollback_id, limit)
        return [(msgspec.json.decode(row[0]), (row[1].isoformat(), row[2])) for row in rows]


def _decided(command: RollBackStaff | ReverseRollback, before: RollbackState) -> tuple[RollbackState, tuple[RollbackStreamEvent, ...]]:
    events = tuple(_DECIDER.decide(command, before))
    return fold(_DECIDER, events, before), events


def _listed(item: StaffDecision) -> ListedDecision:
    return ListedDecision(kind=item.kind, at=item.at, player_id=item.player_id, decision_id=item.decision_id)


def _reinstated(plan: PlayerPlan) -> PlayerReinstated:
    change, done = plan.change, plan.reinstated
    return PlayerReinstated(
        player_id=change.player_id,
        version_before=change.before.version,
        version_after=change.after.version,
        incidents=done.incidents,
        proxy_lift=done.proxy_lift,
    )


def _attempt(
    ctx: CommandContext,
    plans: Sequence[PlayerPlan],
    networks: NetworkPlan,
    state: RollbackState,
    events: tuple[RollbackStreamEvent, ...],
    *,
    now: datetime,
    reply: dict[str, Any],
    status: int,
) -> Attempt:
    """All of it together. The players come first: what other systems are told names their events by number."""
    changes = [plan.change for plan in plans]
    rollback_id = reply["rollback_id"]
    own = StreamChange(
        stream=stream_of(rollback_id), expected_version=state.version - len(events), events=events, subject=subject_of(rollback_id)
    )
    return Attempt(
        changes=(*(change.stream for change in changes), *networks.changes, own),
        meta=ctx.meta(),
        status=status,
        reply=reply,
        writes=(*writes_of(changes), *networks.writes, rollback_row(state)),
        outbox=outbox_of(changes, now),
    )
