"""Operations and types of `network_bans`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from shared.client.api.common.bodies import ReasonBody
from shared.client.api.network_bans.bodies import ExemptionBody, NetworkBanBody
from shared.client.api.network_bans.operations import NetworkBansOperations
from shared.client.api.network_bans.replies import Exemption, Lift, NetworkBan, NetworkBanPage, NetworkBanReply

__all__ = [
    "Exemption",
    "ExemptionBody",
    "Lift",
    "NetworkBan",
    "NetworkBanBody",
    "NetworkBanPage",
    "NetworkBanReply",
    "NetworkBansOperations",
    "ReasonBody",
]
