"""What a rollback, or its reversal, comes to over all the records that it touches: read together, worked out one by one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from services.moderation.appeals.along import fallen_along
from services.moderation.appeals.cascade import policy_versions
from services.moderation.appeals.restore import Cause
from services.moderation.policy.holder import PolicyHolder
from services.moderation.policy.tables import Policy
from services.moderation.record.changes import Change, changes_of
from services.moderation.record.commands import Decider
from services.moderation.record.events import RecordEvent
from services.moderation.record.repository import Records
from services.moderation.rollbacks.events import KeptDecision, PlayerRolledBack
from services.moderation.rollbacks.reinstate import Reinstated, all_kept, reinstate, stays_fallen
from services.moderation.rollbacks.undo import OWN, Todo, Undone, undo
from services.moderation.views.staff_decisions import StaffDecision
from services.moderation.views.timeline import Recorded, fold_all
from shared.refusal import Unavailable

INCIDENTS = frozenset({"incident", "import"})
CHANGES = frozenset({"adjustment", "ip_ban_lift", "proxy_ban_lift"})


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPlan:
    """What happens on one record."""

    change: Change
    undone: Undone = field(default_factory=Undone)
    reinstated: Reinstated = field(default_factory=Reinstated)


class Planner:
    """Works out rollbacks and reversals on the records as they are."""

    def __init__(self, *, records: Records, policies: PolicyHolder, new_id: Callable[[], str]) -> None:
        self._records = records
        self._policies = policies
        self._new_id = new_id

    async def roll_back(self, decisions: Sequence[StaffDecision], by: Decider, rollback_id: str, now: datetime) -> list[PlayerPlan]:
        """The plans for the players of these decisions, and for the accounts on which their incidents fall too."""
        todo = _todo(decisions)
        records = await self._records.events_of(list(todo))
        policies = await self._policies_of(records)
        found: dict[str, Undone] = {}
        for player_id, record in records.items():
            if player_id == by.player_id:
                found[player_id] = Undone(kept=tuple(_conflict(item) for item in decisions if item.player_id == player_id))
                continue
            cause = _cause(by, rollback_id, record, now)
            found[player_id] = undo(player_id, record, todo[player_id], cause, policies, self._ids(), own=by.player_id)
            await asyncio.sleep(0)  # hundreds of records are much work: others have their turn between two
        along = [account for undone in found.values() for account, _ in undone.along]
        records |= await self._records.events_of([account for account in dict.fromkeys(along) if account not in records])
        return _with_those_along(records, found)

    async def reverse(self, players: Sequence[PlayerRolledBack], by: Decider, rollback_id: str, now: datetime) -> list[PlayerPlan]:
        """The plans that put back what the rollback did on these records."""
        records = await self._records.events_of([entry.player_id for entry in players])
        fallen = frozenset[str]()
        for _ in range(2):  # the second time it is known which incidents stay overturned on their main accounts
            done: dict[str, Reinstated] = {}
            stays: set[str] = set()
            for entry in players:
                record = records[entry.player_id]
                if entry.player_id == by.player_id:
                    done[entry.player_id] = all_kept(entry, OWN)
                else:
                    done[entry.player_id] = reinstate(record, entry, _cause(by, rollback_id, record, now), fallen)
                stays |= stays_fallen(record, entry, done[entry.player_id])
                await asyncio.sleep(0)
            if not stays:
                break
            fallen = frozenset(stays)
        return [
            PlayerPlan(change=changes_of(player_id, fold_all(records[player_id]), reinstated.events), reinstated=reinstated)
            for player_id, reinstated in done.items()
        ]

    async def _policies_of(self, records: Mapping[str, Sequence[Recorded]]) -> dict[str, Policy]:
        """The policies under which later incidents are read again; old decisions name only published ones."""
        found: dict[str, Policy] = {}
        for version in sorted({version for record in records.values() for version in policy_versions(record)}):
            policy = await self._policies.by_version(version)
            if policy is None:
                detail = f"the policy {version} cannot be read"
                raise Unavailable(detail)
            found[version] = policy
        return found

    def _ids(self) -> Iterator[str]:
        while True:
            yield self._new_id()


def _todo(decisions: Sequence[StaffDecision]) -> dict[str, Todo]:
    """The decisions that a rollback covers, by player."""
    found: dict[str, Todo] = {}
    for item in decisions:
        if item.player_id is None or item.kind not in INCIDENTS | CHANGES:
            continue
        before = found.get(item.player_id, Todo())
        if item.kind in CHANGES:
            found[item.player_id] = replace(before, changes=(*before.changes, item.version))
        elif item.incident_id is not None:
            found[item.player_id] = replace(before, incidents=(*before.incidents, item.incident_id))
    return found


def _cause(by: Decider, rollback_id: str, record: Sequence[Recorded], now: datetime) -> Cause:
    return Cause(at=fold_all(record).moment(now), by=by.staff_id, role=by.role, rollback_id=rollback_id)


def _conflict(item: StaffDecision) -> KeptDecision:
    return KeptDecision(kind=item.kind, player_id=item.player_id, incident_id=item.incident_id, decision_id=item.decision_id, why=OWN)


def _with_those_along(records: Mapping[str, Sequence[Recorded]], found: Mapping[str, Undone]) -> list[PlayerPlan]:
    """The plans; incidents fall on linked accounts after what is done to those themselves."""
    changes = {player_id: changes_of(player_id, fold_all(record), _events(found.get(player_id))) for player_id, record in records.items()}
    overturned = {player_id: list(undone.overturned) for player_id, undone in found.items()}
    for undone in found.values():
        for account, fallen in undone.along:
            change = changes[account]
            event = fallen_along(change.after, fallen)
            if event is not None:
                changes[account] = changes_of(account, change.before, (*change.events, event))
                overturned.setdefault(account, []).append(event.incident_id)
    return [
        PlayerPlan(change=change, undone=replace(found.get(player_id, Undone()), overturned=tuple(overturned.get(player_id, ()))))
        for player_id, change in changes.items()
        if change.events or player_id in found
    ]


def _events(undone: Undone | None) -> tuple[RecordEvent, ...]:
    return undone.events if undone is not None else ()
