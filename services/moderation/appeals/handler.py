"""Carrying out commands on appeals: facts, decision, and everything that is recorded with it in one transaction."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from services.moderation.appeals.along import fallen_along
from services.moderation.appeals.cascade import policy_versions
from services.moderation.appeals.commands import DecideAppeal, Facts, OpenAppeal, WithdrawAppeal
from services.moderation.appeals.decider import decide_appeal, open_appeal, withdraw_appeal
from services.moderation.appeals.events import IncidentOverturned, Target
from services.moderation.appeals.involved import Involved
from services.moderation.appeals.networks import NetworkAppeals
from services.moderation.appeals.subjects import Subjects
from services.moderation.appeals.views import Review, appeal_row, appeal_view, review_view
from services.moderation.appeals.wanted import Decided, Wanted
from services.moderation.policy.holder import PolicyHolder
from services.moderation.policy.tables import Policy
from services.moderation.record.acting import decider_of
from services.moderation.record.changes import Change, changes_of, outbox_of, writes_of
from services.moderation.record.linking import LinkedAccounts
from services.moderation.record.repository import Records, stream_of
from services.moderation.record.state import RecordState
from services.moderation.views.networks_seen import NetworksSeen
from services.moderation.views.standing import facts_of, standing_now
from services.moderation.views.timeline import Recorded, fold_all
from shared.commands import Attempt, CommandReply, Executor
from shared.context import CommandContext
from shared.refusal import Refusal, Unavailable

Fetch = Callable[..., Awaitable[Sequence[Any]]]
_PLAYER_SQL = "SELECT player_id FROM appeals WHERE appeal_id = $1"


class AppealHandler:
    """Commands on appeals."""

    def __init__(
        self,
        *,
        records: Records,
        executor: Executor,
        policies: PolicyHolder,
        seen: NetworksSeen,
        network_bans: NetworkAppeals,
        involved: Involved,
        fetch: Fetch,
        new_id: Callable[[], str],
    ) -> None:
        self._records = records
        self._executor = executor
        self._policies = policies
        self._seen = seen
        self._network_bans = network_bans
        self._involved = involved
        self._subjects = Subjects(records=records, network_bans=network_bans, fetch=fetch)
        self._fetch = fetch
        self._new_id = new_id
        self._linked = LinkedAccounts(records=records, networks=seen, new_id=new_id)

    async def open(self, ctx: CommandContext, player_id: str, target: Target, grounds: str) -> CommandReply:
        """File an appeal for the player."""
        appeal_id = self._new_id()

        async def attempt(now: datetime) -> Attempt:
            return await self.plan_open(ctx, appeal_id, player_id, target, grounds, now, if_match=True)

        return await self._executor.run(ctx, stream_of(player_id), attempt)

    async def plan_open(
        self, ctx: CommandContext, appeal_id: str, player_id: str, target: Target, grounds: str, now: datetime, *, if_match: bool = False
    ) -> Attempt:
        """What filing the appeal comes to, to be recorded alone or with what caused it; `if_match`: `If-Match` is about this record."""
        state = await self._records.state(player_id)
        if if_match:
            ctx.check_version(state.version)
        command = OpenAppeal(
            appeal_id=appeal_id,
            player_id=player_id,
            at=now,
            filed_by=ctx.principal.id,
            target=target,
            incident_id=await self._subjects.incident_of(player_id, state, target),
            grounds=grounds,
        )
        return self._attempt(ctx, changes_of(player_id, state, open_appeal(command, state)), appeal_id, now, status=201)

    async def withdraw(self, ctx: CommandContext, appeal_id: str, player_id: str) -> CommandReply:
        """Take the player's appeal back."""
        await self._check_appellant(appeal_id, player_id)

        async def attempt(now: datetime) -> Attempt:
            state = await self._records.state(player_id)
            ctx.check_version(state.version)
            command = WithdrawAppeal(appeal_id=appeal_id, player_id=player_id, at=now, by=ctx.principal.id)
            return self._attempt(ctx, changes_of(player_id, state, withdraw_appeal(command, state)), appeal_id, now, status=200)

        return await self._executor.run(ctx, stream_of(player_id), attempt)

    async def _check_appellant(self, appeal_id: str, player_id: str) -> None:
        if await self.player_of(appeal_id) != player_id:
            raise Refusal("not_the_subject", "This is another player's appeal.")

    async def player_of(self, appeal_id: str) -> str:
        """Whose appeal it is. Raises a `Refusal` `not_found`."""
        rows = await self._fetch(_PLAYER_SQL, appeal_id)
        if not rows:
            raise Refusal("not_found", "There is no such appeal.")
        return str(rows[0][0])

    async def preview(self, ctx: CommandContext, appeal_id: str, wanted: Wanted, now: datetime) -> dict[str, Any]:
        """What the decision would do, computed as the decision itself and not recorded (I-34, I-35)."""
        player_id = await self.player_of(appeal_id)
        return review_view((await self._decided(ctx, appeal_id, player_id, wanted, now)).review)

    async def decide(self, ctx: CommandContext, appeal_id: str, wanted: Wanted, player_version: int) -> CommandReply:
        """Decide the appeal, on the version that the reviewer saw."""
        player_id = await self.player_of(appeal_id)

        async def attempt(now: datetime) -> Attempt:
            return await self.plan_decision(ctx, appeal_id, player_id, wanted, player_version, now, if_match=True)

        return await self._executor.run(ctx, stream_of(player_id), attempt)

    async def plan_decision(
        self,
        ctx: CommandContext,
        appeal_id: str,
        player_id: str,
        wanted: Wanted,
        player_version: int | None,
        now: datetime,
        *,
        if_match: bool = False,
    ) -> Attempt:
        """What the decision comes to, to be recorded alone or with what caused it; `if_match`: `If-Match` is about this record.

        `player_version` is the record's that the reviewer saw in a preview, None for one who decides on the record as it is now.
        """
        done = await self._decided(ctx, appeal_id, player_id, wanted, now)
        version, after = done.review.player_version, done.changes[0].after
        if player_version is not None and version != player_version:
            raise Refusal("stale_version", f"The record is at version {version}; look at a new preview.", current={"version": version})
        if if_match:
            ctx.check_version(version)
        return Attempt(
            changes=(*(change.stream for change in done.changes), *done.extra),
            meta=ctx.meta(policy_version=done.command.policy.version),
            status=200,
            reply={**appeal_view(player_id, after.appeals[appeal_id]), **review_view(done.review), "version": after.version},
            writes=(*writes_of(done.changes), appeal_row(player_id, after.appeals[appeal_id], after.version), *done.writes),
            outbox=outbox_of(done.changes, now),
        )

    async def state_of(self, appeal_id: str, player_id: str) -> tuple[str, str | None]:
        """Whether the player's appeal is open, decided or withdrawn, and its outcome. Raises a `Refusal` `not_found`."""
        appeal = (await self._records.state(player_id)).appeals.get(appeal_id)
        if appeal is None:
            raise Refusal("not_found", "There is no such appeal.")
        return appeal.state, appeal.outcome

    async def _decided(self, ctx: CommandContext, appeal_id: str, player_id: str, wanted: Wanted, now: datetime) -> Decided:
        record = await self._records.events(player_id)
        state = fold_all(record)
        command = await self._command(ctx, appeal_id, player_id, wanted, now, state, record)
        effects = decide_appeal(command, state, record)
        own = changes_of(player_id, state, effects.events)
        along = await self._freed(own, effects.freed)
        effects = replace(effects, freed=tuple(freed.player_id for freed in along))  # not whom an appeal of their own has freed before
        change, *others = await self._linked.followed([own, *along], command.by, command.policy, now)
        at = state.moment(now)
        review = Review(
            player_version=state.version,
            before=standing_now(player_id, facts_of(state), state.version, at),
            after=standing_now(player_id, facts_of(change.after), change.after.version, at),
            effects=effects,
        )
        extra, writes = await self._network_bans.decided(ctx, state.appeals[appeal_id].target.network_ban_id, effects, player_id, now, wanted.reason)
        return Decided(command=command, changes=(change, *others), review=review, extra=extra, writes=writes)

    async def _command(
        self, ctx: CommandContext, appeal_id: str, player_id: str, wanted: Wanted, now: datetime, state: RecordState, record: Sequence[Recorded]
    ) -> DecideAppeal:
        policy = await self._policies.current()
        appeal = state.appeals.get(appeal_id)
        facts = Facts(
            policies=await self._policies_of(record) if wanted.outcome == "overturned" else {},
            involved=await self._involved.staff(appeal, record, state) if appeal is not None else frozenset(),
            accounts=await self._involved.accounts(player_id, state),
            networks=(await self._seen.of([player_id], now, policy)).get(player_id, ()) if wanted.sanctions else (),
        )
        return DecideAppeal(
            appeal_id=appeal_id,
            player_id=player_id,
            at=now,
            by=decider_of(ctx),
            outcome=wanted.outcome,
            reason=wanted.reason,
            reply=wanted.reply,
            ids=tuple(self._new_id() for _ in range(16 + 4 * len(state.incidents))),
            policy=policy,
            sanctions=wanted.sanctions,
            strike=wanted.strike,
            cascade=wanted.cascade,
            choices=wanted.choices or {},
            facts=facts,
        )

    async def _policies_of(self, record: Sequence[Recorded]) -> dict[str, Policy]:
        """The policies under which later incidents are read again; old decisions name only published ones."""
        found = {}
        for version in policy_versions(record):
            policy = await self._policies.by_version(version)
            if policy is None:
                raise Unavailable(f"the policy {version} cannot be read")
            found[version] = policy
        return found

    async def _freed(self, change: Change, accounts: Sequence[str]) -> list[Change]:
        """The overturned incident falls on the accounts that it sanctioned along, too (I-34)."""
        fallen = [event for event in change.events if isinstance(event, IncidentOverturned)]
        if not fallen or not accounts:
            return []
        states = await self._records.states(accounts)
        along = {account: fallen_along(state, fallen[0]) for account, state in states.items()}
        return [changes_of(account, states[account], [event]) for account, event in along.items() if event is not None]

    def _attempt(self, ctx: CommandContext, change: Change, appeal_id: str, now: datetime, *, status: int) -> Attempt:
        after = change.after
        return Attempt(
            changes=(change.stream,),
            meta=ctx.meta(),
            status=status,
            reply={**appeal_view(change.player_id, after.appeals[appeal_id]), "version": after.version},
            writes=(*writes_of([change]), appeal_row(change.player_id, after.appeals[appeal_id], after.version)) if change.events else (),
            outbox=outbox_of([change], now),
        )
