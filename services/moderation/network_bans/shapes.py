"""What network bans look like over HTTP: bodies, replies, and examples of both."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from shared.http.types import GameId, Reason, ShortText, Utc

NetworkText = Annotated[ShortText, Meta(description="An address, or a range in CIDR notation: at most an IPv4 /16 or an IPv6 /32, no host bits.")]


class NetworkBanBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Which network to ban, why, and until when (null: no end)."""

    network: NetworkText
    reason: Reason
    ends_at: Utc | None = None


class ExemptionBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Which account the ban shall not bar, and why."""

    player_id: GameId
    reason: Reason


class ExemptionShape(msgspec.Struct, frozen=True, kw_only=True):
    """An account that the ban does not bar; the reason is null once the account's personal data is erased."""

    player_id: str
    created_at: datetime
    created_by: str
    reason: str | None


class LiftShape(msgspec.Struct, frozen=True, kw_only=True):
    """When and by whom the ban was lifted, and why."""

    at: datetime
    by: str
    reason: str | None


class NetworkBanShape(msgspec.Struct, frozen=True, kw_only=True):
    """A ban of a network, or (`source` incident) the IP ban that an incident imposed on an account's networks.

    An incident's has its sanction id as its id, keeps its networks as keyed hashes only (`networks`: how many), and its incident tells who imposed
    and lifted it. `version` is that of the ban's own stream, for `If-Match`.
    """

    network_ban_id: str
    source: Literal["network", "incident"]
    network: str | None
    reason: str | None
    networks: int
    incident_id: str | None
    player_id: str | None
    created_at: datetime
    created_by: str | None
    ends_at: datetime | None
    state: Literal["active", "expired", "lifted"]
    lifted: LiftShape | None
    exemptions: list[ExemptionShape]
    version: int


class NetworkBanReply(NetworkBanShape, frozen=True, kw_only=True):
    """The ban after a command; `position` is null when it was so already."""

    position: int | None


class NetworkBanPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of network bans."""

    items: list[NetworkBanShape]
    next_cursor: str | None


BAN_BODY: Final[dict[str, Any]] = {"network": "203.0.113.0/24", "reason": "A farm of throwaway accounts.", "ends_at": "2027-11-30T10:00:00Z"}
EXEMPTION_BODY: Final[dict[str, Any]] = {"player_id": "p2", "reason": "Lives in the same students' home."}
LIFT_BODY: Final[dict[str, Any]] = {"reason": "The provider gave the range to others."}
BAN: Final[dict[str, Any]] = {
    "network_ban_id": "01890a5d-ac96-774b-bcce-b302099a8060",
    "source": "network",
    "network": BAN_BODY["network"],
    "reason": BAN_BODY["reason"],
    "networks": 1,
    "incident_id": None,
    "player_id": None,
    "created_at": "2026-11-30T10:00:00Z",
    "created_by": "head-1",
    "ends_at": BAN_BODY["ends_at"],
    "state": "active",
    "lifted": None,
    "exemptions": [],
    "version": 1,
}
BANNED: Final[dict[str, Any]] = {**BAN, "position": 17}
EXEMPTED: Final[dict[str, Any]] = {
    **BAN,
    "exemptions": [{**EXEMPTION_BODY, "created_at": "2026-12-01T10:00:00Z", "created_by": "head-1"}],
    "version": 2,
    "position": 19,
}
LIFTED: Final[dict[str, Any]] = {
    **BAN,
    "state": "lifted",
    "lifted": {"at": "2026-12-02T10:00:00Z", "by": "head-2", **LIFT_BODY},
    "version": 2,
    "position": 20,
}
PAGE: Final[dict[str, Any]] = {"items": [BAN], "next_cursor": None}
