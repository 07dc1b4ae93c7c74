"""Carrying out commands on records: look up the facts, decide, and hand everything that is recorded together to the one write path."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from services.moderation.policy.holder import PolicyHolder
from services.moderation.record.acting import decider_of
from services.moderation.record.changes import Change, changes_of, outbox_of, writes_of
from services.moderation.record.commands import (
    AcknowledgeEffect,
    AdjustSanctions,
    BanProxy,
    Facts,
    LiftIpBan,
    LiftProxyBan,
)
from services.moderation.record.decider import decide
from services.moderation.record.evasion import reached
from services.moderation.record.events import Outcome
from services.moderation.record.linking import LinkedAccounts
from services.moderation.record.planning import IncidentPlanner, NewIncident
from services.moderation.record.replies import lift_reply
from services.moderation.record.repository import Records, stream_of
from services.moderation.views.networks_seen import NetworksSeen
from shared.commands import Attempt, CommandReply, Executor
from shared.context import CommandContext
from shared.security.keys import KeyedHash


class RecordHandler:
    """Commands on the conduct records of players."""

    def __init__(
        self,
        *,
        records: Records,
        executor: Executor,
        policies: PolicyHolder,
        networks: NetworksSeen,
        acts: KeyedHash,
        new_id: Callable[[], str],
    ) -> None:
        self._records = records
        self._executor = executor
        self._policies = policies
        self._networks = networks
        self._new_id = new_id
        self._linked = LinkedAccounts(records=records, networks=networks, new_id=new_id)
        self._planner = IncidentPlanner(records=records, policies=policies, networks=networks, acts=acts, new_id=new_id)

    async def decide_incident(self, ctx: CommandContext, new: NewIncident) -> CommandReply:
        """Handle the offenses as one incident; alts are banned in the same transaction (I-13)."""
        incident_id = self._new_id()

        async def attempt(now: datetime) -> Attempt:
            return await self.plan_incident(ctx, new, incident_id, now, if_match=True)

        return await self._executor.run(ctx, stream_of(new.player_id), attempt)

    async def plan_incident(self, ctx: CommandContext, new: NewIncident, incident_id: str, now: datetime, *, if_match: bool = False) -> Attempt:
        """See `IncidentPlanner.plan`."""
        return await self._planner.plan(ctx, new, incident_id, now, if_match=if_match)

    async def adjust(
        self, ctx: CommandContext, incident_id: str, sanctions: tuple[Outcome, ...], *, strike: bool, reason: str, player_id: str | None = None
    ) -> CommandReply:
        """Raise or lower an incident's sanctions (I-20): on the account that it is about, or on `player_id`, which it sanctioned along."""
        account = player_id or await self._records.player_of(incident_id)
        policy = await self._policies.current()
        adjustment_id = self._new_id()

        async def attempt(now: datetime) -> Attempt:
            state = await self._records.state(account)
            ctx.check_version(state.version)
            command = AdjustSanctions(
                adjustment_id=adjustment_id,
                incident_id=incident_id,
                player_id=account,
                at=now,
                by=decider_of(ctx),
                policy=policy,
                sanctions=sanctions,
                strike=strike,
                reason=reason,
                ids=self._ids(12),
                facts=Facts(networks=(await self._networks.of([account], now, policy)).get(account, ())),
            )
            changes = await self._linked.followed([changes_of(account, state, decide(command, state))], command.by, policy, now)
            reply = lift_reply(changes[0], incident_id, now, adjustment_id=adjustment_id)
            return self._simple(ctx, changes, now, status=201, reply=reply)

        return await self._executor.run(ctx, stream_of(account), attempt)

    async def lift_ip_ban(self, ctx: CommandContext, incident_id: str, reason: str) -> CommandReply:
        """Lift the IP ban of an incident, on the account and on those it was imposed on along with it (I-14)."""
        player_id = await self._records.player_of(incident_id)

        async def attempt(now: datetime) -> Attempt:
            state = await self._records.state(player_id)
            ctx.check_version(state.version)
            states = {player_id: state, **await self._records.states(reached(state.incidents[incident_id], state))}
            changes = []
            for account, its in states.items():
                incident = its.incidents.get(incident_id)
                if account != player_id and (incident is None or incident.overturned):
                    continue
                why = reason if account == player_id else None  # words about one player, so that they go when that one is erased
                command = LiftIpBan(incident_id=incident_id, player_id=account, at=now, by=decider_of(ctx), reason=why)
                changes.append(changes_of(account, its, decide(command, its)))
            return self._simple(ctx, changes, now, status=200, reply=lift_reply(changes[0], incident_id, now))

        return await self._executor.run(ctx, stream_of(player_id), attempt)

    async def lift_proxy_ban(self, ctx: CommandContext, player_id: str, reason: str) -> CommandReply:
        """Lift a player's proxy ban (I-15)."""

        async def attempt(now: datetime) -> Attempt:
            state = await self._records.state(player_id)
            ctx.check_version(state.version)
            command = LiftProxyBan(player_id=player_id, at=now, by=decider_of(ctx), reason=reason)
            change = changes_of(player_id, state, decide(command, state))
            return self._simple(ctx, [change], now, status=200, reply=lift_reply(change, None, now))

        return await self._executor.run(ctx, stream_of(player_id), attempt)

    async def ban_proxy(self, ctx: CommandContext, player_id: str) -> CommandReply:
        """Ban an account that came through a proxy, where the policy says so (I-15)."""
        policy = await self._policies.current()

        async def attempt(now: datetime) -> Attempt:
            state = await self._records.state(player_id)
            command = BanProxy(at=now, reported_by=ctx.principal.id, policy=policy)
            change = changes_of(player_id, state, decide(command, state))
            return self._simple(ctx, [change], now, status=200, reply=lift_reply(change, None, now))

        return await self._executor.run(ctx, stream_of(player_id), attempt)

    async def acknowledge(self, ctx: CommandContext, incident_id: str, effect: str) -> CommandReply:
        """The game server carried an effect out (I-16)."""
        player_id = await self._records.player_of(incident_id)

        async def attempt(now: datetime) -> Attempt:
            state = await self._records.state(player_id)
            ctx.check_version(state.version)
            command = AcknowledgeEffect(incident_id=incident_id, effect=effect, at=now, by=ctx.principal.id)
            change = changes_of(player_id, state, decide(command, state))
            return self._simple(ctx, [change], now, status=200, reply=lift_reply(change, incident_id, now))

        return await self._executor.run(ctx, stream_of(player_id), attempt)

    def _simple(self, ctx: CommandContext, changes: Sequence[Change], now: datetime, *, status: int, reply: dict[str, Any]) -> Attempt:
        return Attempt(
            changes=tuple(change.stream for change in changes),
            meta=ctx.meta(),
            status=status,
            reply=reply,
            writes=writes_of(changes),
            outbox=outbox_of(changes, now),
        )

    def _ids(self, count: int) -> tuple[str, ...]:
        return tuple(self._new_id() for _ in range(count))
