"""What may be asked of an appeal. Moments, ids and looked-up facts come in with the command."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from services.moderation.appeals.events import Target
from services.moderation.policy.tables import Policy
from services.moderation.record.commands import Decider
from services.moderation.record.events import Discretion, Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAppeal:
    """The player appeals a decision. `incident_id` is the incident that an appealed adjustment belongs to."""

    appeal_id: str
    player_id: str
    at: datetime
    filed_by: str
    target: Target
    incident_id: str | None
    grounds: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawAppeal:
    """The player takes the appeal back."""

    appeal_id: str
    player_id: str
    at: datetime
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What was looked up: the policies of earlier decisions, who else had to do with what is appealed, and whose accounts it reached.

    `involved` are members of staff who may not decide (the imposer of a network ban, who took the call); `accounts` the other accounts that were
    sanctioned along; `banned_networks` the networks known for the player, for an IP ban that a modified decision imposes.
    """

    policies: Mapping[str, Policy] = field(default_factory=dict)
    involved: frozenset[str] = frozenset()
    accounts: frozenset[str] = frozenset()
    networks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DecideAppeal:
    """Decide the appeal. `sanctions` and `strike` for a modified decision; `choices` for cells that leave a choice when read again."""

    appeal_id: str
    player_id: str
    at: datetime
    by: Decider
    outcome: str
    reason: str
    reply: str | None
    ids: tuple[str, ...]
    policy: Policy
    sanctions: tuple[Outcome, ...] | None = None
    strike: bool | None = None
    cascade: bool = True
    choices: Mapping[str, Discretion] = field(default_factory=dict)
    facts: Facts = Facts()
