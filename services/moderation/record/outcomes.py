"""The values inside a record's events: sanctions, assessments, evidence. All moments are aware and in UTC."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A kind of sanction that a cell or a command names; `days` (of 24 hours) only for a timed ban."""

    kind: str
    days: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sanction:
    """A sanction as imposed: from when, until when (None: no end), and for an IP ban the keyed hashes of the networks it covers."""

    sanction_id: str
    kind: str
    starts_at: datetime
    ends_at: datetime | None = None
    days: int | None = None
    networks: tuple[str, ...] = ()

    @property
    def extended_days(self) -> int:
        """The days of 24 hours that evasion added to a timed ban: what its end is later than its own days say (I-13)."""
        if self.days is None or self.ends_at is None:
            return 0
        return (self.ends_at - self.starts_at) // timedelta(hours=24) - self.days

    def until(self, ends_at: datetime) -> Sanction:
        """The same with this end."""
        return replace(self, ends_at=ends_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Discretion:
    """What the decider chose where the table leaves a choice (I-6, I-8)."""

    days: int | None = None
    permanent: bool = False
    outcome: str | None = None
    ip_ban: bool = False
    upgrade: bool = False
    warning_ignored: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AssessedOffense:
    """One line of the assessment: what was charged, the row it was read at, and what that cell says.

    `charged` is the infraction in the command, `infraction` the row that decided (another one after an upgrade or for a derived offense, whose
    `derived_from` names the offense it follows from). `strike` says whether this line asks for a strike.
    """

    charged: str
    infraction: str
    column: int
    cell: str
    sanctions: tuple[Outcome, ...]
    basis: str
    strike: bool
    legal_review: bool = False
    variant: str | None = None
    upgraded_from: str | None = None
    upgradable_to: str | None = None
    derived_from: str | None = None
    discretion: Discretion = Discretion()


@dataclass(frozen=True, slots=True, kw_only=True)
class Extension:
    """Evasion (I-13): these alts add days to the ban that ends last; its end before and after."""

    incident_id: str
    sanction_id: str
    alts: tuple[str, ...]
    days: int
    ends_at_before: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One piece of evidence as it was handed in."""

    kind: str
    ref: str | None = None
    text: str | None = None
    sha256: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentDetails:
    """The personal part of an incident: one description per charged offense (in their order), the evidence, the internal note."""

    descriptions: tuple[str | None, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    internal_note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """What the act is called where it was reported, as it was given: personal, since people put names into it."""

    external_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A reason in free text, personal like all free text."""

    reason: str
