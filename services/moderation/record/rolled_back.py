"""What a rollback of a member of staff, and the reversal of one, put on a player's record (I-20), besides overturning and reading again.

`undoes` names by version the events of the same record that count no more from then on; see `views/timeline.py: settled`. An event that is itself
undone undoes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from services.moderation.record.entries import Held, PastOffense
from services.moderation.record.outcomes import Sanction


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentAsItWas:
    """All that later decisions may change about an incident, as it is from now on."""

    strike: int | None
    sanctions: tuple[Held, ...]
    offenses: tuple[PastOffense, ...]
    legal_review: bool
    overturned: bool
    changed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustmentReverted:
    """The rollback took an adjustment back: the incident is as it was before, but for what was carried out since."""

    incident_id: str
    adjustment_id: str
    at: datetime
    by: str
    role: str
    rollback_id: str
    undoes: tuple[int, ...]
    sanctions_before: tuple[Sanction, ...]
    strike_before: int | None
    restored: IncidentAsItWas


@dataclass(frozen=True, slots=True, kw_only=True)
class IpBanReimposed:
    """The rollback took the lift of an incident's IP ban back: it bars the same networks again."""

    incident_id: str
    sanction_ids: tuple[str, ...]
    at: datetime
    by: str
    role: str
    rollback_id: str
    undoes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProxyBanReimposed:
    """The rollback took the lift of a proxy ban back; `since` is when that ban began."""

    since: datetime
    at: datetime
    by: str
    role: str
    rollback_id: str
    undoes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentReinstated:
    """The rollback was reversed: the incident is as it was before the rollback. `undoes` is empty where it had changed only along with another."""

    incident_id: str
    at: datetime
    by: str
    role: str
    rollback_id: str
    undoes: tuple[int, ...]
    sanctions_before: tuple[Sanction, ...]
    strike_before: int | None
    restored: IncidentAsItWas


@dataclass(frozen=True, slots=True, kw_only=True)
class ProxyLiftReinstated:
    """The rollback was reversed: the proxy ban is lifted again."""

    at: datetime
    by: str
    role: str
    rollback_id: str
    undoes: tuple[int, ...]


RollbackEvent = AdjustmentReverted | IpBanReimposed | ProxyBanReimposed | IncidentReinstated | ProxyLiftReinstated
