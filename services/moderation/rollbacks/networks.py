"""Lifts of network bans, taken back by a rollback and reinstated by its reversal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from services.moderation.network_bans.events import NetworkBanEvent, NetworkBanReimposed, NetworkLiftReinstated
from services.moderation.network_bans.repository import NetworkBanStreams, stream_of, subject_of
from services.moderation.network_bans.state import NetworkBanState, evolve
from services.moderation.network_bans.view import writes_of
from services.moderation.record.commands import Decider
from services.moderation.rollbacks.events import KeptDecision
from services.moderation.views.staff_decisions import StaffDecision
from shared.commands import StreamChange
from shared.eventstore.port import TableWrite

NOT_LIFTED = "the lift does not count any more"
ENDED = "the ban has ended by itself meanwhile"
CHANGED = "it changed since the rollback"


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkPlan:
    """What happens to bans of networks."""

    changes: tuple[StreamChange, ...] = ()
    writes: tuple[TableWrite, ...] = ()
    ban_ids: tuple[str, ...] = ()
    kept: tuple[KeptDecision, ...] = ()


class NetworkLifts:
    """Works out what becomes of lifted bans of networks."""

    def __init__(self, streams: NetworkBanStreams) -> None:
        self._streams = streams

    async def reimpose(self, decisions: Sequence[StaffDecision], by: Decider, rollback_id: str, now: datetime) -> NetworkPlan:
        """The bans that the member lifted count again, unless they have ended by themselves."""
        lifted = {item.decision_id or "": item.version for item in decisions if item.kind == "network_ban_lift"}
        plan = NetworkPlan()
        for ban_id, state in (await self._streams.states(list(lifted))).items():
            at = state.moment(now)
            why = _why_kept(state, at)
            event = NetworkBanReimposed(network_ban_id=ban_id, at=at, by=by.staff_id, role=by.role, rollback_id=rollback_id)
            plan = _kept(plan, ban_id, why) if why is not None else _changed(plan, ban_id, state, event, at)
        return plan

    async def reinstate(self, ban_ids: Sequence[str], by: Decider, rollback_id: str, now: datetime) -> NetworkPlan:
        """The lifts that the rollback took back count again, where the ban is still as it left it."""
        plan = NetworkPlan()
        for ban_id, state in (await self._streams.states(ban_ids)).items():
            at = state.moment(now)
            event = NetworkLiftReinstated(network_ban_id=ban_id, at=at, by=by.staff_id, role=by.role, rollback_id=rollback_id)
            as_left = state.lifted is None and state.rollback_id == rollback_id
            plan = _changed(plan, ban_id, state, event, at) if as_left else _kept(plan, ban_id, CHANGED)
        return plan


def _why_kept(state: NetworkBanState, at: datetime) -> str | None:
    if state.lifted is None or state.banned is None:
        return NOT_LIFTED
    return ENDED if state.banned.ends_at is not None and at >= state.banned.ends_at else None


def _kept(plan: NetworkPlan, ban_id: str, why: str) -> NetworkPlan:
    kept = KeptDecision(kind="network_ban_lift", player_id=None, incident_id=None, decision_id=ban_id, why=why)
    return NetworkPlan(changes=plan.changes, writes=plan.writes, ban_ids=plan.ban_ids, kept=(*plan.kept, kept))


def _changed(plan: NetworkPlan, ban_id: str, state: NetworkBanState, event: NetworkBanEvent, at: datetime) -> NetworkPlan:
    change = StreamChange(stream=stream_of(ban_id), expected_version=state.version, events=(event,), subject=subject_of(ban_id))
    writes = writes_of(ban_id, evolve(state, event), (event,), at)
    return NetworkPlan(
        changes=(*plan.changes, change), writes=(*plan.writes, *writes), ban_ids=(*plan.ban_ids, ban_id), kept=plan.kept
    )
