"""A ban of a network, folded from its events: no clock, no rule, every event named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType
from typing import assert_never

from services.moderation.network_bans.events import (
    AccountExempted,
    NetworkBanEvent,
    NetworkBanLifted,
    NetworkBanned,
    NetworkBanReimposed,
    NetworkLiftReinstated,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkBanState:
    """One ban. `banned` is None where the ban is an incident's: then the stream holds exemptions only. `version` counts its events.

    `withdrawn` is the lift that a rollback took back, `rollback_id` that rollback.
    """

    version: int = 0
    last_at: datetime | None = None
    banned: NetworkBanned | None = None
    lifted: NetworkBanLifted | None = None
    withdrawn: NetworkBanLifted | None = None
    rollback_id: str | None = None
    exemptions: Mapping[str, AccountExempted] = field(default_factory=lambda: MappingProxyType({}))

    def moment(self, now: datetime) -> datetime:
        """`now`, but never before the last decision: clocks of several machines differ, the order of the ban does not (E02)."""
        return now if self.last_at is None or now > self.last_at else self.last_at


INITIAL = NetworkBanState()


def evolve(state: NetworkBanState, event: NetworkBanEvent) -> NetworkBanState:
    """The ban after the event."""
    stepped = replace(state, version=state.version + 1, last_at=event.at)
    match event:
        case NetworkBanned():
            return replace(stepped, banned=event)
        case NetworkBanLifted():
            return replace(stepped, lifted=event)
        case NetworkBanReimposed():
            return replace(stepped, lifted=None, withdrawn=state.lifted, rollback_id=event.rollback_id)
        case NetworkLiftReinstated():
            return replace(stepped, lifted=state.withdrawn, withdrawn=None, rollback_id=None)
        case AccountExempted():
            return replace(stepped, exemptions=MappingProxyType({**state.exemptions, event.player_id: event}))
        case _:
            assert_never(event)


def standing_of(state: NetworkBanState, at: datetime) -> str:
    """`active`, `expired` or `lifted` at `at`: a ban ends at its `ends_at` by itself (D01), and one that had ended was never lifted."""
    if state.lifted is not None:
        return "lifted"
    ends_at = state.banned.ends_at if state.banned is not None else None
    return "expired" if ends_at is not None and at >= ends_at else "active"
