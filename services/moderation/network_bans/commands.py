"""What may be asked of a ban of a network. Time, ids and looked-up facts come in with the command."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from services.moderation.record.commands import Decider


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentBan:
    """An IP ban that an incident imposed, as the list of network bans has it: how many networks, on which account, and whether it stands."""

    incident_id: str
    player_id: str
    networks: int
    created_at: datetime
    active: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherBan:
    """A ban that the same network has had, and whether it is in force now."""

    network_ban_id: str
    ends_at: datetime | None
    active: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BanNetwork:
    """Ban a network (canonical form, and its keyed hash in hexadecimal) until `ends_at`.

    `others` are the bans that this very network has had; `max_days` is the longest that a ban with an end may be.
    """

    network_ban_id: str
    network: str
    network_hash: str
    at: datetime
    by: Decider
    reason: str
    max_days: int
    ends_at: datetime | None = None
    others: tuple[OtherBan, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LiftNetworkBan:
    """Lift this ban alone; `incident` when the id is that of an incident's IP ban."""

    network_ban_id: str
    at: datetime
    by: Decider
    reason: str
    incident: IncidentBan | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExemptAccount:
    """Free one account from this ban; `incident` when the id is that of an incident's IP ban."""

    network_ban_id: str
    player_id: str
    at: datetime
    by: Decider
    reason: str
    incident: IncidentBan | None = None


NetworkBanCommand = BanNetwork | LiftNetworkBan | ExemptAccount
