"""What an appeal adds to a player's record. Appeals stand in the stream of the record they are about, so one version guards both."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from services.moderation.record.outcomes import AssessedOffense, Sanction


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """Why the player appeals, in their words: personal."""

    grounds: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Why it was decided so (for staff), and the reply to the player: personal."""

    reason: str
    reply: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What is appealed: exactly one of an incident's decision, an adjustment of it, or a ban of a network."""

    incident_id: str | None = None
    adjustment_id: str | None = None
    network_ban_id: str | None = None

    @property
    def key(self) -> str:
        """One text for it, such as `incident:ID`."""
        if self.adjustment_id is not None:
            return f"adjustment:{self.adjustment_id}"
        return f"incident:{self.incident_id}" if self.incident_id is not None else f"network_ban:{self.network_ban_id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class AppealOpened:
    """The player appeals. `incident_id` is the incident that the target belongs to, None for a network ban."""

    appeal_id: str
    player_id: str
    at: datetime
    filed_by: str
    target: Target
    incident_id: str | None = None
    words: Grounds | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AppealWithdrawn:
    """The player took the appeal back before it was decided (I-30)."""

    appeal_id: str
    at: datetime
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A later incident that stays as it is although its column changed, and why."""

    incident_id: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AppealDecided:
    """The final decision of an appeal (I-30, I-32). `cascade`: whether later incidents were assessed again; `kept` are those that were not."""

    appeal_id: str
    at: datetime
    by: str
    role: str
    outcome: str
    cascade: bool
    kept: tuple[Kept, ...] = ()
    words: Verdict | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoredBan:
    """A ban whose extension falls with the evasion that made it: its end from now on (I-34)."""

    incident_id: str
    sanction_id: str
    days: int
    ends_at_before: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentOverturned:
    """The incident's strike and sanctions fall away on this account; what was carried out stays so (I-34).

    `appeal_id` or `rollback_id` says by what. On an alt's record the incident is that of the main account.
    """

    incident_id: str
    at: datetime
    by: str
    role: str
    strike_before: int | None
    sanctions_before: tuple[Sanction, ...]
    appeal_id: str | None = None
    rollback_id: str | None = None
    restored: tuple[RestoredBan, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentReassessed:
    """A later incident read again at its new column, under the policy and the discretion of its own decision (I-34)."""

    reassessment_id: str
    incident_id: str
    at: datetime
    by: str
    role: str
    policy_version: str
    column_before: int
    column_after: int
    strike_before: int | None
    strike_after: int | None
    offenses: tuple[AssessedOffense, ...]
    sanctions_before: tuple[Sanction, ...]
    sanctions_after: tuple[Sanction, ...]
    legal_review: bool
    appeal_id: str | None = None
    rollback_id: str | None = None


AppealEvent = AppealOpened | AppealWithdrawn | AppealDecided | IncidentOverturned | IncidentReassessed
