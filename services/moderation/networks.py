"""What a network is (I-14): an IPv4 address or an IPv6 /64, and the ranges around it that a Head Admin may ban.

One canonical form on every way in, so that a ban and a check can't miss each other (N01, N02, N05).
"""

from __future__ import annotations

import ipaddress
import re

from shared.refusal import Refusal

LINE_V4, LINE_V6 = 32, 64
WIDEST_V4, WIDEST_V6 = 16, 32
MAPPED_BITS = 96
_RANGE = re.compile(r"(?P<address>[0-9A-Fa-f.:]+)/(?P<prefix>0|[1-9][0-9]{0,2})", re.ASCII)

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def line_of(text: str, *, field: str = "ip") -> str:
    """The canonical network of one address, such as `203.0.113.7/32` or `2001:db8:1:2::/64`.

    Raises a `Refusal` `invalid_network` for anything but a plain address: zones, blanks, leading zeros, ranges, names.
    """
    address = _address(text, field)
    return _network(address, LINE_V4 if address.version == 4 else LINE_V6)


def range_of(text: str, *, field: str = "network") -> str:
    """The canonical network of an address or a range: at most an IPv4 /16 or an IPv6 /32, no host bits set.

    Raises a `Refusal` `invalid_network`.
    """
    if "/" not in text:
        return line_of(text, field=field)
    match = _RANGE.fullmatch(text)
    if match is None:
        raise _refused(text, field, "an address, a slash, and a prefix length")
    mapped = ipaddress.ip_address(match["address"]) if _is_address(match["address"]) else None
    prefix = int(match["prefix"])
    if isinstance(mapped, ipaddress.IPv6Address) and mapped.ipv4_mapped is not None:
        prefix -= MAPPED_BITS
    address = _address(match["address"], field)
    widest, line = (WIDEST_V4, LINE_V4) if address.version == 4 else (WIDEST_V6, LINE_V6)
    if not widest <= prefix <= line:
        raise _refused(text, field, f"a prefix length from {widest} to {line}")
    canonical = _network(address, prefix)
    if canonical != f"{address}/{prefix}":
        raise _refused(text, field, f"no host bits: {canonical}")
    return canonical


def covering(line: str) -> list[str]:
    """Every network that may be banned and contains this one, itself first: what a check has to look for."""
    network = ipaddress.ip_network(line)
    widest = WIDEST_V4 if network.version == 4 else WIDEST_V6
    return [_network(network.network_address, prefix) for prefix in range(network.prefixlen, widest - 1, -1)]


def _network(address: Address, prefix: int) -> str:
    bits = address.max_prefixlen - prefix
    return f"{type(address)(int(address) >> bits << bits)}/{prefix}"


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def _address(text: str, field: str) -> Address:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        raise _refused(text, field, "an IPv4 or IPv6 address") from None
    if isinstance(address, ipaddress.IPv6Address):
        if address.scope_id is not None:
            raise _refused(text, field, "an address without a zone")
        return address.ipv4_mapped or address
    return address


def _refused(text: str, field: str, wanted: str) -> Refusal:
    return Refusal("invalid_network", f"{text[:80]!r} is no network: expected {wanted}.", field=field)
