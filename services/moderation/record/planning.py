"""Planning an incident: look up the facts, decide, and gather everything that is recorded with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from services.moderation.policy.holder import PolicyHolder
from services.moderation.policy.tables import Policy
from services.moderation.record.acting import decider_of
from services.moderation.record.changes import Change, changes_of, incident_index, outbox_of, writes_of
from services.moderation.record.commands import BanAlt, Charge, DecideIncident, Facts
from services.moderation.record.decider import decide
from services.moderation.record.evasion import is_alt_of, linked_alts, running_bans
from services.moderation.record.events import Act, IncidentDecided, IncidentDetails
from services.moderation.record.linking import LinkedAccounts
from services.moderation.record.naming import hashed_name
from services.moderation.record.replies import incident_reply
from services.moderation.record.repository import Records
from services.moderation.record.state import RecordState
from services.moderation.views.duel_incidents import duel_index
from services.moderation.views.networks_seen import NetworksSeen
from shared.commands import Attempt
from shared.context import CommandContext
from shared.security.keys import KeyedHash


@dataclass(frozen=True, slots=True, kw_only=True)
class NewIncident:
    """What POST /v1/incidents asks for, in the domain's terms."""

    player_id: str
    charges: tuple[Charge, ...]
    occurred_at: datetime | None
    duel_id: str | None
    call_id: str | None
    external_id: str | None
    notify: bool
    details: IncidentDetails | None
    evidence_kinds: tuple[str, ...]

    @property
    def alts(self) -> tuple[str, ...]:
        """The accounts charged as alts."""
        return tuple(alt for charge in self.charges for alt in charge.alts)


class IncidentPlanner:
    """Plans incidents; it records nothing."""

    def __init__(self, *, records: Records, policies: PolicyHolder, networks: NetworksSeen, acts: KeyedHash, new_id: Callable[[], str]) -> None:
        self._records = records
        self._acts = acts
        self._policies = policies
        self._networks = networks
        self._new_id = new_id
        self._linked = LinkedAccounts(records=records, networks=networks, new_id=new_id)

    async def plan(self, ctx: CommandContext, new: NewIncident, incident_id: str, now: datetime, *, if_match: bool = False) -> Attempt:
        """What the incident comes to on the records as they are, to be recorded alone or with what caused it; `if_match`: `If-Match` is about it."""
        policy = await self._policies.current(ctx.epoch)
        command, states = await self._command(ctx, new, policy, incident_id, now)
        state = states[new.player_id]
        if if_match:
            ctx.check_version(state.version)
        (decided,) = decide(command, state)
        if not isinstance(decided, IncidentDecided):
            raise TypeError(type(decided))
        decision = changes_of(new.player_id, state, [decided])
        changes = await self._linked.followed([decision, *await self._consequences(command, decided, states)], command.by, policy, now)
        return Attempt(
            changes=tuple(change.stream for change in changes),
            meta=ctx.meta(policy_version=policy.version, occurred_at=decided.occurred_at),
            status=201,
            reply=incident_reply(changes[0], decided, now),
            writes=(*writes_of(changes), incident_index(decided, changes[0].after.version), *duel_index(decided)),
            outbox=outbox_of(changes, now),
        )

    async def _command(
        self, ctx: CommandContext, new: NewIncident, policy: Policy, incident_id: str, now: datetime
    ) -> tuple[DecideIncident, Mapping[str, RecordState]]:
        states = await self._records.states([new.player_id, *dict.fromkeys(new.alts)])
        state = states[new.player_id]
        linked = linked_alts(state)
        if others := [alt for alt in linked if alt not in states]:
            states = {**states, **await self._records.states(others)}
        main = new.player_id
        banned = {alt: is_alt_of(main, other) and bool(running_bans(other, now)) for alt, other in states.items() if alt != main}
        seen = await self._networks.of([new.player_id], now, policy) if linked or _may_ban_networks(policy, new) else {}
        command = DecideIncident(
            incident_id=incident_id,
            player_id=new.player_id,
            at=now,
            by=decider_of(ctx),
            policy=policy,
            charges=new.charges,
            ids=self._ids(12),
            occurred_at=new.occurred_at,
            duel_id=new.duel_id,
            call_id=new.call_id,
            external_id=hashed_name(self._acts, new.player_id, new.external_id) if new.external_id is not None else None,
            act=Act(external_id=new.external_id) if new.external_id is not None else None,
            notify=new.notify,
            details=new.details,
            evidence_kinds=new.evidence_kinds,
            facts=Facts(networks=seen.get(new.player_id, ()), banned=banned),
        )
        return command, states

    async def _consequences(self, command: DecideIncident, decided: IncidentDecided, states: Mapping[str, RecordState]) -> list[Change]:
        """The bans of the alts (I-13), each decided on the alt's own record; with five banned accounts also those known from before.

        Those that were counted and stay as they are are guarded: what is decided on the count is recorded only while it holds.
        """
        if not decided.alts and not decided.linked_ip_ban:
            return []
        earlier = [alt for alt in linked_alts(states[decided.player_id]) if alt not in decided.alts and command.facts.banned.get(alt)]
        subjects = [*decided.alts, *(earlier if decided.linked_ip_ban else [])]
        seen = await self._networks.of(subjects, command.at, command.policy) if decided.linked_ip_ban else {}
        changes = []
        for alt in subjects:
            ban = BanAlt(
                incident_id=decided.incident_id,
                player_id=alt,
                main_player_id=decided.player_id,
                at=decided.at,
                by=command.by,
                policy_version=decided.policy_version,
                ip_ban=decided.linked_ip_ban,
                ids=self._ids(2),
                charged=alt in decided.alts,
                notify=decided.notify,
                facts=Facts(networks=seen.get(alt, ())),
            )
            changes.append(changes_of(alt, states[alt], decide(ban, states[alt])))
        counted = [alt for alt in states if alt != decided.player_id and alt not in subjects]
        return [*changes, *(changes_of(alt, states[alt], ()) for alt in counted)]

    def _ids(self, count: int) -> tuple[str, ...]:
        return tuple(self._new_id() for _ in range(count))


def _may_ban_networks(policy: Policy, new: NewIncident) -> bool:
    """Whether networks may be needed: looked up only then, since most incidents ban none."""
    for charge in new.charges:
        row = policy.rows.get(charge.infraction)
        if row is None or row.accounts or charge.discretion.ip_ban:
            return True
        if any(sanction.kind == "ip_ban" for cell in row.cells for sanction in cell.sanctions):
            return True
    return False
