"""What can be recorded about a player. Facts carry decisions and instants: nothing here is derived again later.

All moments are aware and in UTC. Every event names `at`, the moment of the decision; along one stream it never goes backwards, but for imports, which
count from their own `decided_at`. Free text, evidence and notes are personal: they are stored encrypted under the player's data key.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


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
class Words:
    """A reason in free text, personal like all free text."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentDecided:
    """One or more offenses handled together (I-4): the assessment, at most one strike, and the sanctions.

    `strike` is the strike's number or None. `alts` are the accounts charged as alts of this one (I-13), `evasion` whether this account was banned
    then. `linked_ip_ban`: with this incident five or more of this account and its alts are banned at once, so all of them get an IP ban.
    """

    incident_id: str
    player_id: str
    at: datetime
    decided_by: str
    role: str
    policy_version: str
    column: int
    strike: int | None
    offenses: tuple[AssessedOffense, ...]
    sanctions: tuple[Sanction, ...]
    occurred_at: datetime
    legal_review: bool = False
    notify: bool = True
    duel_id: str | None = None
    call_id: str | None = None
    external_id: str | None = None
    alts: tuple[str, ...] = ()
    evasion: bool = False
    extension: Extension | None = None
    linked_ip_ban: bool = False
    details: IncidentDetails | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentImported:
    """An incident decided before this service existed (I-22): taken over as it is, never assessed again.

    `at` is its own `decided_at`, `imported_at` the moment of the import.
    """

    incident_id: str
    player_id: str
    at: datetime
    decided_by: str
    infraction: str
    strike: int | None
    sanctions: tuple[Sanction, ...]
    legal_review: bool
    external_id: str
    imported_at: datetime
    imported_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SanctionsAdjusted:
    """A Head Admin raised or lowered the sanctions of an incident (I-20). `before` are those replaced, `after` those in force from now on."""

    adjustment_id: str
    incident_id: str
    at: datetime
    by: str
    role: str
    before: tuple[Sanction, ...]
    after: tuple[Sanction, ...]
    strike_before: int | None
    strike_after: int | None
    words: Words | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IpBanLifted:
    """A Head Admin lifted the IP ban that this incident imposed on this account (I-14)."""

    incident_id: str
    sanction_ids: tuple[str, ...]
    at: datetime
    by: str
    role: str
    words: Words | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AltBanned:
    """This account is an alt of another (I-13): banned with the incident of the main account, without a strike."""

    incident_id: str
    main_player_id: str
    at: datetime
    by: str
    role: str
    policy_version: str
    sanctions: tuple[Sanction, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedIpBanImposed:
    """An alt known from before gets its IP ban, because five linked accounts are banned at once now (I-13)."""

    incident_id: str
    main_player_id: str
    at: datetime
    by: str
    role: str
    policy_version: str
    sanctions: tuple[Sanction, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProxyBanned:
    """The account came through a proxy while the policy bans that (I-15)."""

    at: datetime
    reported_by: str
    policy_version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProxyBanLifted:
    """A Head Admin lifted the proxy ban (I-15)."""

    at: datetime
    by: str
    role: str
    words: Words | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectAcknowledged:
    """The game server carried out what an incident ordered (I-16); it can't be undone from now on."""

    incident_id: str
    effect: str
    at: datetime
    by: str


RecordEvent = (
    IncidentDecided
    | IncidentImported
    | SanctionsAdjusted
    | IpBanLifted
    | AltBanned
    | LinkedIpBanImposed
    | ProxyBanned
    | ProxyBanLifted
    | EffectAcknowledged
)
