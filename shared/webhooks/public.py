"""Which addresses are public: where a webhook may go, told without looking anything up."""

from __future__ import annotations

import ipaddress
from typing import Final

_GLOBAL_UNICAST: Final = ipaddress.ip_network("2000::/3")


def is_public(address: str) -> bool:
    """Whether this is a public unicast address. Forms that embed an IPv4 address (mapped, 6to4, NAT64, Teredo) are not."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:  # an IPv6 zone, or no address at all
        return False
    if isinstance(known, ipaddress.IPv6Address):
        return known in _GLOBAL_UNICAST and known.is_global and known.sixtofour is None and known.teredo is None
    return known.is_global and not known.is_multicast and not known.is_reserved
