"""What the rules on publishing ask for: which table is current, and who put it there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from services.moderation.policy.events import PolicyPublished
from services.moderation.policy.tables import Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """A table as published: by whom, at which moment (UTC), and whether it is the service's own."""

    policy: Policy
    published_at: datetime
    published_by: str
    packaged: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyState:
    """The current table, None before the first was published."""

    current: Publication | None = None


def evolve(state: PolicyState, event: PolicyPublished) -> PolicyState:  # noqa: ARG001  the last publication is all there is to know
    """The state after the event."""
    policy = Policy(
        version=event.version,
        note=event.note,
        settings=event.settings,
        rows=MappingProxyType({row.id: row for row in event.infractions}),
    )
    current = Publication(policy=policy, published_at=event.published_at, published_by=event.published_by, packaged=event.packaged)
    return PolicyState(current=current)
