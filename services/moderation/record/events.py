"""What can be recorded about a player. Facts carry decisions and instants: nothing here is derived again later.

All moments are aware and in UTC. Every event names `at`, the moment of the decision; along one stream it never goes backwards, but for imports, which
count from their own `decided_at`. Free text, evidence and notes are personal: they are stored encrypted under the player's data key.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from services.moderation.appeals.events import AppealDecided, AppealEvent, AppealOpened, AppealWithdrawn, IncidentOverturned, IncidentReassessed
from services.moderation.erasure.events import PlayerErased
from services.moderation.record.outcomes import Act, AssessedOffense, Discretion, Evidence, Extension, IncidentDetails, Outcome, Sanction, Words
from services.moderation.record.rolled_back import (
    AdjustmentReverted,
    IncidentAsItWas,
    IncidentReinstated,
    IpBanReimposed,
    ProxyBanReimposed,
    ProxyLiftReinstated,
    RollbackEvent,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentDecided:
    """One or more offenses handled together (I-4): the assessment, at most one strike, and the sanctions.

    `external_id` stands for the act's name (`naming.py`), which itself is sealed in `act`. `strike` is the strike's number or None. `alts` are the
    accounts charged as alts of this one (I-13), `evasion` whether this account was banned then. `linked_ip_ban`: with this incident five or more
    of this account and its alts are banned at once, so all of them get an IP ban.
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
    act: Act | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentImported:
    """An incident decided before this service existed (I-22): taken over as it is, never assessed again.

    `at` is its own `decided_at`, `imported_at` the moment of the import; `external_id` and `act` are as in `IncidentDecided`.
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
    act: Act | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SanctionsAdjusted:
    """The sanctions of an incident were raised or lowered: by a Head Admin (I-20), or in an appeal (`appeal_id`; I-30).

    `before` are those replaced, `after` those in force from now on.
    """

    adjustment_id: str
    incident_id: str
    at: datetime
    by: str
    role: str
    before: tuple[Sanction, ...]
    after: tuple[Sanction, ...]
    strike_before: int | None
    strike_after: int | None
    appeal_id: str | None = None
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
    """This account is an alt of another (I-13): banned with the incident of the main account, without a strike, and as silently (I-18)."""

    incident_id: str
    main_player_id: str
    at: datetime
    by: str
    role: str
    policy_version: str
    sanctions: tuple[Sanction, ...]
    notify: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedIpBanImposed:
    """An account gets its IP ban, because five linked accounts are banned at once now (I-13).

    It is part of the main account's incident `incident_id`. On the main account's own record `main_player_id` is that account itself.
    """

    incident_id: str
    main_player_id: str
    at: datetime
    by: str
    role: str
    policy_version: str
    sanctions: tuple[Sanction, ...]
    notify: bool = True


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
    | AppealEvent
    | RollbackEvent
    | PlayerErased
)

__all__ = [
    "Act",
    "AdjustmentReverted",
    "AltBanned",
    "AppealDecided",
    "AppealEvent",
    "AppealOpened",
    "AppealWithdrawn",
    "AssessedOffense",
    "Discretion",
    "EffectAcknowledged",
    "Evidence",
    "Extension",
    "IncidentAsItWas",
    "IncidentDecided",
    "IncidentDetails",
    "IncidentImported",
    "IncidentOverturned",
    "IncidentReassessed",
    "IncidentReinstated",
    "IpBanLifted",
    "IpBanReimposed",
    "LinkedIpBanImposed",
    "Outcome",
    "PlayerErased",
    "ProxyBanLifted",
    "ProxyBanReimposed",
    "ProxyBanned",
    "ProxyLiftReinstated",
    "RecordEvent",
    "RollbackEvent",
    "Sanction",
    "SanctionsAdjusted",
    "Words",
]
