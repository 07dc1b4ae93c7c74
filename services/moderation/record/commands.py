"""What may be asked of a player's record. Time, ids and looked-up facts come in with the command; networks are keyed hashes already."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from services.moderation.policy.tables import Policy
from services.moderation.record.events import Act, Discretion, IncidentDetails, Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Decider:
    """Who decides: staff id, level, and the player account that is their own (nobody decides on that)."""

    staff_id: str
    role: str
    player_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """One offense charged: a row of the table, or `unlisted` with its `sanctions` and `strike` (I-21)."""

    infraction: str
    variant: str | None = None
    discretion: Discretion = Discretion()
    alts: tuple[str, ...] = ()
    evasion: bool = False
    networks: tuple[str, ...] = ()
    sanctions: tuple[Outcome, ...] | None = None
    strike: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What was looked up: the player's own networks of the policy's window, and which accounts charged before are its alts still and banned now."""

    networks: tuple[str, ...] = ()
    banned: Mapping[str, bool] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class DecideIncident:
    """Handle one or more offenses together (I-4). `ids` are new ids for the sanctions, more than enough.

    `external_id` stands for the name of the act, which is in `act` (`naming.py`).
    """

    incident_id: str
    player_id: str
    at: datetime
    by: Decider
    policy: Policy
    charges: tuple[Charge, ...]
    ids: tuple[str, ...]
    occurred_at: datetime | None = None
    duel_id: str | None = None
    call_id: str | None = None
    external_id: str | None = None
    act: Act | None = None
    notify: bool = True
    details: IncidentDetails | None = None
    evidence_kinds: tuple[str, ...] = ()
    facts: Facts = Facts()


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportIncident:
    """Take over an incident decided elsewhere (I-22)."""

    incident_id: str
    player_id: str
    at: datetime
    by: Decider
    policy: Policy
    infraction: str
    decided_at: datetime
    decided_by: str
    strike: bool
    sanctions: tuple[Outcome, ...]
    external_id: str
    ids: tuple[str, ...]
    act: Act | None = None
    facts: Facts = Facts()


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustSanctions:
    """Raise or lower an incident's sanctions (I-20)."""

    adjustment_id: str
    incident_id: str
    player_id: str
    at: datetime
    by: Decider
    policy: Policy
    sanctions: tuple[Outcome, ...]
    strike: bool
    reason: str
    ids: tuple[str, ...]
    facts: Facts = Facts()


@dataclass(frozen=True, slots=True, kw_only=True)
class LiftIpBan:
    """Lift the IP ban that an incident imposed on this account (I-14). `reason` is None on linked accounts: it tells of the main one alone."""

    incident_id: str
    player_id: str
    at: datetime
    by: Decider
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BanAlt:
    """Ban this account as an alt of another (I-13); with `ip_ban` its networks too.

    `charged`: the incident names it, and is not only the one with which five linked accounts get their IP bans. For those five the main account
    itself has this command, too. `notify` is the incident's (I-18).
    """

    incident_id: str
    player_id: str
    main_player_id: str
    at: datetime
    by: Decider
    policy_version: str
    ip_ban: bool
    ids: tuple[str, ...]
    charged: bool = True
    notify: bool = True
    facts: Facts = Facts()


@dataclass(frozen=True, slots=True, kw_only=True)
class BanProxy:
    """The account came through a proxy (I-15)."""

    at: datetime
    reported_by: str
    policy: Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class LiftProxyBan:
    """Lift the proxy ban (I-15)."""

    player_id: str
    at: datetime
    by: Decider
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AcknowledgeEffect:
    """The game server says that it carried an ordered effect out (I-16)."""

    incident_id: str
    effect: str
    at: datetime
    by: str


RecordCommand = DecideIncident | ImportIncident | AdjustSanctions | LiftIpBan | BanAlt | BanProxy | LiftProxyBan | AcknowledgeEffect
