"""One canonical form of a network, on every way in: a ban and a check can't miss each other (I-14, N01, N02, N05)."""

from __future__ import annotations

import ipaddress
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.moderation.networks import covering, line_of, range_of
from shared.refusal import Refusal

V4 = st.ip_addresses(v=4)
V6 = st.ip_addresses(v=6).filter(lambda address: ipaddress.IPv6Address(int(address)).ipv4_mapped is None)


@st.composite
def near(draw: st.DrawFn, address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """An address that shares a drawn number of leading bits with this one."""
    bits = draw(st.integers(0, address.max_prefixlen))
    return type(address)(int(address) ^ draw(st.integers(0, (1 << bits) - 1)))


def spellings(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> list[str]:
    """Ways to write the address."""
    if isinstance(address, ipaddress.IPv4Address):
        mapped = ipaddress.IPv6Address(0xFFFF << 32 | int(address))
        return [str(address), f"::ffff:{address}", f"::FFFF:{address}", str(mapped), mapped.exploded, f"0:0:0:0:0:ffff:{address}"]
    return [str(address), address.exploded, str(address).upper()]


@given(address=V4 | V6)
def test_every_spelling_has_one_form_and_the_form_is_its_own(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> None:
    """N01: a mapped address is its IPv4 address; canonical forms are fixed points."""
    forms = {line_of(text) for text in spellings(address)} | {range_of(text) for text in spellings(address)}
    (form,) = forms
    assert range_of(form) == form
    assert form == str(ipaddress.ip_network((address, 32 if address.version == 4 else 64), strict=False))
    assert address in ipaddress.ip_network(form)


@given(address=V6, rest=st.integers(0, 2**64 - 1))
def test_an_ipv6_line_is_its_64(address: ipaddress.IPv6Address, rest: int) -> None:
    """N02: whatever the rest of the address is; the next line is another."""
    first = int(address) >> 64 << 64
    if first == 0:
        return  # mapped addresses live there
    assert line_of(str(ipaddress.IPv6Address(first | rest))) == line_of(str(address))
    assert line_of(str(ipaddress.IPv6Address(first ^ 1 << 64 | rest))) != line_of(str(address))


@given(address=V4 | V6)
def test_what_covers_a_line_contains_it_and_may_be_banned(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> None:
    line = line_of(str(address))
    around = covering(line)
    assert around[0] == line
    assert [range_of(network) for network in around] == around
    assert len(set(around)) == len(around) == (17 if address.version == 4 else 33)
    assert all(ipaddress.ip_network(line).subnet_of(ipaddress.ip_network(network)) for network in around)  # type: ignore[arg-type]


@given(data=st.data(), address=V4 | V6)
def test_a_check_finds_a_ban_exactly_when_the_range_contains_the_address(
    data: st.DataObject, address: ipaddress.IPv4Address | ipaddress.IPv6Address
) -> None:
    """N02, N04: ban and check agree with the ranges' own arithmetic."""
    prefix = data.draw(st.integers(16, 32) if address.version == 4 else st.integers(32, 64))
    banned = range_of(str(ipaddress.ip_network((address, prefix), strict=False)))
    other = data.draw(near(address))
    if isinstance(other, ipaddress.IPv6Address) and other.ipv4_mapped is not None:
        return
    for text in spellings(other):
        assert (banned in covering(line_of(text))) == (other in ipaddress.ip_network(banned))


@given(address=V4, prefix=st.integers(16, 32))
def test_a_mapped_range_is_its_ipv4_range(address: ipaddress.IPv4Address, prefix: int) -> None:
    """N01, for ranges."""
    network = ipaddress.ip_network((address, prefix), strict=False)
    assert range_of(f"::ffff:{network.network_address}/{prefix + 96}") == range_of(str(network))


@given(address=V4 | V6, prefix=st.integers(0, 200))
def test_host_bits_and_prefixes_out_of_range_are_refused(address: ipaddress.IPv4Address | ipaddress.IPv6Address, prefix: int) -> None:
    """N05: accepted exactly when the text is the range's own form and the range is neither too wide nor narrower than a line."""
    widest, line = (16, 32) if address.version == 4 else (32, 64)
    right = widest <= prefix <= line and address == ipaddress.ip_network((address, prefix), strict=False).network_address
    if right:
        assert range_of(f"{address}/{prefix}") == f"{address}/{prefix}"
    else:
        assert _refused(f"{address}/{prefix}")


@pytest.mark.parametrize(
    "text",
    [
        "203.0.113.7/24", " 203.0.113.7", "203.0.113.7 ", "203.0.113.0 /24", "203.0.113.0/ 24", "203.0.113.0/+24", "203.0.113.0/024",
        "203.0.113.0/24/24", "203.0.113.0/255.255.255.0", "203.0.113.0/", "/24", "010.0.0.1", "1.2.3", "0x7f.1", "2130706433", "203.0.113.7/33",
        "fe80::1%eth0", "fe80::%1/64", "2001:db8::1/64", "2001:db8::/128", "0.0.0.0/0", "10.0.0.0/15", "::/0", "2001:db8::/31",
        "::ffff:10.0.0.0/111", "[2001:db8::1]", "1.2.3.4:80", "", "everyone", "\uff11.2.3.4", "1.2.3.4, 5.6.7.8", "203.0.113.0/\u0662\u0664",
        "1.2.3.4\n",
    ],
)  # fmt: skip
def test_odd_notations_are_refused(text: str) -> None:
    """N05: by one rule everywhere; a maximum size; nothing that could never match or be removed."""
    assert _refused(text)


def test_random_text_is_never_taken_for_a_network() -> None:
    """N05: whatever is accepted is a range in its own form, or a plain address."""
    dice = random.Random(5)
    for _ in range(2000):
        text = "".join(dice.choices("0123456789abf.:/% ", k=dice.randint(1, 20)))
        if not _refused(text):
            address = text.partition("/")[0]
            assert range_of(text) == range_of(range_of(text))
            ipaddress.ip_address(address)


def _refused(text: str) -> bool:
    try:
        range_of(text)
    except Refusal as refusal:
        return (refusal.code, refusal.field) == ("invalid_network", "network")
    return False
