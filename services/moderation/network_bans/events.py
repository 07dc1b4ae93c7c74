"""What can be recorded about a ban of a network. Moments are aware and in UTC; `at` never goes backwards along a stream.

The network in clear and all reasons are personal: encrypted, a ban's own under the ban's data key, an exemption's under that of the exempt player (it
tells of them, and is forgotten with them). Networks are matched by their keyed hash.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from services.moderation.record.events import Words


@dataclass(frozen=True, slots=True, kw_only=True)
class BanDetails:
    """The personal part of a ban: the network in its canonical form, and why it is banned."""

    network: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkBanned:
    """A Head Admin banned a network until `ends_at` (None: no end). `network_hash` is the keyed hash in hexadecimal."""

    network_ban_id: str
    network_hash: str
    at: datetime
    by: str
    role: str
    ends_at: datetime | None = None
    details: BanDetails | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkBanLifted:
    """The ban counts no more, for good."""

    network_ban_id: str
    at: datetime
    by: str
    role: str
    words: Words | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountExempted:
    """The ban does not bar this account, and still bars every other (N06). An incident's IP ban has its sanction id as its network ban id."""

    network_ban_id: str
    player_id: str
    at: datetime
    by: str
    role: str
    words: Words | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkBanEntered:
    """A ban entered in the register of its network: one stream a network, so that two who ban the same one at once make one ban (N04)."""

    network_hash: str
    network_ban_id: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkBanReimposed:
    """A rollback took the lift back: the ban counts again until its end (I-20)."""

    network_ban_id: str
    at: datetime
    by: str
    role: str
    rollback_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkLiftReinstated:
    """The rollback was reversed: the ban is lifted again, as it was before."""

    network_ban_id: str
    at: datetime
    by: str
    role: str
    rollback_id: str


NetworkBanEvent = NetworkBanned | NetworkBanLifted | AccountExempted | NetworkBanReimposed | NetworkLiftReinstated
