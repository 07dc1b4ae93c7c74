"""The operations of `network_bans`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from typing import Unpack

from shared.client.api.common.bodies import ReasonBody
from shared.client.api.network_bans.bodies import ExemptionBody, NetworkBanBody
from shared.client.api.network_bans.replies import NetworkBan, NetworkBanPage, NetworkBanReply
from shared.client.options import CommandOptions, ReadOptions, VersionedOptions
from shared.client.paged import Paged
from shared.client.transport import Transport, segment


class NetworkBansOperations:
    """The operations of `network_bans`."""

    __slots__ = ("transport",)

    def __init__(self, transport: Transport) -> None:
        self.transport = transport

    async def ban_network(self, body: NetworkBanBody, **options: Unpack[CommandOptions]) -> NetworkBanReply:
        """Ban an address or a range.

        An IPv6 address stands for its /64, an IPv4-mapped one for its IPv4 address. Each ban has its own id and is lifted by it alone, so a range
        over a banned address is another ban, and so is the same network with another end. The very same network with the same end, while that ban
        stands, is no second one: 200 with the first, whose reason stays, and nothing is recorded. A ban ends at its `ends_at` by itself. For
        head_admin. Problems of its own: invalid_network, duration_too_long.
        """
        return await self.transport.fetch("POST", "/v1/network-bans", NetworkBanReply, command=True, body=body, options=options)

    async def exempt_account(self, network_ban_id: str, body: ExemptionBody, **options: Unpack[VersionedOptions]) -> NetworkBanReply:
        """Free one account from one network ban.

        Counts from the next access check on, for that account and this ban only; also for an incident's IP ban, by its sanction id. It changes
        nothing about the account's own bans. 200 when the account is exempt already; nobody exempts their own player account. For head_admin.
        Problems of its own: not_found, invalid_transition, conflict_of_interest.
        """
        return await self.transport.fetch(
            "POST", f"/v1/network-bans/{segment(network_ban_id)}/exemptions", NetworkBanReply, command=True, body=body, options=options
        )

    async def lift_network_ban(self, network_ban_id: str, body: ReasonBody, **options: Unpack[VersionedOptions]) -> NetworkBanReply:
        """Lift one network ban.

        Other bans over the same network stay. One that is over already stays as it is. An incident's IP ban is lifted on its incident:
        `invalid_transition` names the path in `allowed`. For head_admin. Problems of its own: not_found, invalid_transition.
        """
        return await self.transport.fetch(
            "POST", f"/v1/network-bans/{segment(network_ban_id)}/lift", NetworkBanReply, command=True, body=body, options=options
        )

    def list_network_bans(self, *, limit: int = 50, **options: Unpack[ReadOptions]) -> Paged[NetworkBan]:
        """All network bans, newest first.

        Also the IP ban of each incident (`source` incident), whose networks are known by keyed hash only. Ended and lifted ones stay listed. Who of
        the staff and auditors reads this is recorded. For head_admin.
        """
        return Paged(self.transport, "/v1/network-bans", {"limit": limit}, NetworkBanPage, options)
