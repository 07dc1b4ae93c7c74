"""What comes back. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct


class Exemption(Struct, frozen=True, kw_only=True):
    """An account that the ban does not bar; the reason is null once the account's personal data is erased."""

    player_id: str
    created_at: datetime
    created_by: str
    reason: str | None


class Lift(Struct, frozen=True, kw_only=True):
    """When and by whom the ban was lifted, and why."""

    at: datetime
    by: str
    reason: str | None


class NetworkBan(Struct, frozen=True, kw_only=True):
    """A ban of a network, or (`source` incident) the IP ban that an incident imposed on an account's networks.

    An incident's has its sanction id as its id, keeps its networks as keyed hashes only (`networks`: how many), and its incident tells who imposed
    and lifted it. `version` is that of the ban's own stream, for `If-Match`.
    """

    network_ban_id: str
    source: str
    network: str | None
    reason: str | None
    networks: int
    incident_id: str | None
    player_id: str | None
    created_at: datetime
    created_by: str | None
    ends_at: datetime | None
    state: str
    lifted: Lift | None
    exemptions: list[Exemption]
    version: int


class NetworkBanPage(Struct, frozen=True, kw_only=True):
    """A page of network bans."""

    items: list[NetworkBan]
    next_cursor: str | None


class NetworkBanReply(NetworkBan, frozen=True, kw_only=True):
    """The ban after a command; `position` is null when it was so already."""

    position: int | None
