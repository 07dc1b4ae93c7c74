"""Importing incidents decided before this service existed (I-22): each player's rows in one transaction, repeatable by external id."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from services.moderation.policy.holder import PolicyHolder
from services.moderation.policy.tables import Policy
from services.moderation.record.acting import decider_of
from services.moderation.record.changes import changes_of, incident_index, outbox_of, writes_of
from services.moderation.record.commands import Facts, ImportIncident
from services.moderation.record.decider import import_incident
from services.moderation.record.events import Act, IncidentImported, Outcome, RecordEvent
from services.moderation.record.linking import LinkedAccounts
from services.moderation.record.naming import hashed_name
from services.moderation.record.repository import Records
from services.moderation.record.state import evolve
from services.moderation.views.networks_seen import NetworksSeen
from shared.commands import Attempt, CommandReply, Executor, StreamChange
from shared.context import CommandContext
from shared.eventstore.port import TableWrite
from shared.refusal import Refusal
from shared.security.keys import KeyedHash


@dataclass(frozen=True, slots=True, kw_only=True)
class OldIncident:
    """One row of an import."""

    player_id: str
    infraction: str
    decided_at: datetime
    decided_by: str
    strike: bool
    sanctions: tuple[Outcome, ...]
    external_id: str


class Importer:
    """Imports incidents. The whole import is one command: recorded as a whole, except for the rows that are refused and named."""

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
        self._acts = acts
        self._executor = executor
        self._policies = policies
        self._networks = networks
        self._new_id = new_id
        self._linked = LinkedAccounts(records=records, networks=networks, new_id=new_id)

    async def run(self, ctx: CommandContext, rows: Sequence[OldIncident]) -> CommandReply:
        """Import the rows in their order."""
        policy = await self._policies.current()

        async def attempt(now: datetime) -> Attempt:
            return await self._attempt(ctx, rows, policy, now)

        return await self._executor.run(ctx, "import", attempt)

    async def _attempt(self, ctx: CommandContext, rows: Sequence[OldIncident], policy: Policy, now: datetime) -> Attempt:
        players = list(dict.fromkeys(row.player_id for row in rows))
        before = await self._records.states(players)
        seen = await self._networks.of([row.player_id for row in rows if any(s.kind == "ip_ban" for s in row.sanctions)], now, policy)
        states, events = dict(before), dict[str, list[RecordEvent]]()
        failed, index = [], list[TableWrite]()
        for number, row in enumerate(rows):
            command = self._command(ctx, row, policy, now, seen.get(row.player_id, ()))
            try:
                decided = import_incident(command, states[row.player_id])
            except Refusal as refusal:
                failed.append({"index": number, "code": refusal.code, "detail": refusal.detail})
                continue
            for event in decided:
                states[row.player_id] = evolve(states[row.player_id], event)
                events.setdefault(row.player_id, []).append(event)
                if isinstance(event, IncidentImported):
                    index.append(incident_index(event, states[row.player_id].version))
        imports = [changes_of(player_id, before[player_id], its) for player_id, its in events.items()]
        changes = await self._linked.followed(imports, decider_of(ctx), policy, now)
        imported = sum(len(its) for its in events.values())
        meta = ctx.meta(policy_version=policy.version)
        return Attempt(
            changes=tuple(_with_moments(change.stream, ctx) for change in changes),
            meta=meta,
            status=200,
            reply={"imported": imported, "known": len(rows) - imported - len(failed), "failed": failed},
            writes=(*writes_of(changes), *index),
            outbox=outbox_of(changes, now),
        )

    def _command(self, ctx: CommandContext, row: OldIncident, policy: Policy, now: datetime, networks: tuple[str, ...]) -> ImportIncident:
        return ImportIncident(
            incident_id=self._new_id(),
            player_id=row.player_id,
            at=now,
            by=decider_of(ctx),
            policy=policy,
            infraction=row.infraction,
            decided_at=row.decided_at,
            decided_by=row.decided_by,
            strike=row.strike,
            sanctions=row.sanctions,
            external_id=hashed_name(self._acts, row.player_id, row.external_id),
            act=Act(external_id=row.external_id),
            ids=tuple(self._new_id() for _ in range(len(row.sanctions) + 1)),
            facts=Facts(networks=networks),
        )


def _with_moments(change: StreamChange, ctx: CommandContext) -> StreamChange:
    """Imported incidents occurred when they were decided; their events share one policy and one actor."""
    moments = {event.at for event in change.events if isinstance(event, IncidentImported)}
    return replace(change, meta=ctx.meta(occurred_at=moments.pop())) if len(moments) == 1 else change
