"""A referral as its rules see it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import assert_never

from services.moderation.referrals.events import ReferralClosed, ReferralEvent, ReferralOpened


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferralState:
    """`version` counts the events, 0: no such referral."""

    version: int = 0
    opened: ReferralOpened | None = None
    closed: ReferralClosed | None = None

    @property
    def state(self) -> str:
        """`open` or `closed`."""
        return "open" if self.closed is None else "closed"

    def moment(self, at: datetime) -> datetime:
        """`at`, but never before what is recorded already."""
        return at if self.opened is None else max(at, self.opened.at)


INITIAL = ReferralState()


def evolve(state: ReferralState, event: ReferralEvent) -> ReferralState:
    """The referral after the event."""
    match event:
        case ReferralOpened():
            return replace(state, version=state.version + 1, opened=event)
        case ReferralClosed():
            return replace(state, version=state.version + 1, closed=event)
        case _:
            assert_never(event)
