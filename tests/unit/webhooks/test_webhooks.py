"""Signatures, targets, back-off and the rules of webhooks, without a network."""

from __future__ import annotations

from base64 import b64decode
from datetime import UTC, datetime, timedelta

import pytest

from services.moderation.webhooks.commands import AddWebhook, DisableWebhook, EnableWebhook, RemoveWebhook
from services.moderation.webhooks.decider import WebhookDecider
from services.moderation.webhooks.dispatcher import back_off
from services.moderation.webhooks.queue import GIVE_UP_AFTER
from shared.decider import fold
from shared.refusal import Refusal
from shared.webhooks.public import is_public
from shared.webhooks.signing import headers, signature

NOW = datetime(2026, 11, 30, 10, tzinfo=UTC)
DECIDER = WebhookDecider()


def test_the_signature_is_that_of_standard_webhooks() -> None:
    """The example of the specification."""
    secret = b64decode("plJ3nmyCDGBKInavdOK15jsl")
    body = b'{"event_type":"ping","data":{"success":true}}'
    found = signature(secret, "msg_loFOjxBNrRLzqYUf", 1731705121, body)
    assert found == "v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0="
    assert headers([secret, secret], "msg_loFOjxBNrRLzqYUf", 1731705121, body)["webhook-signature"] == f"{found} {found}"


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "255.255.255.255", "224.0.0.1",
        "198.18.0.1", "0.0.0.0",  # noqa: S104  nothing is bound to it
        "192.0.2.1", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "ff02::1", "fec0::1", "::ffff:127.0.0.1",
        "::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::", "2001:0:1::1", "2001:db8::1", "100::1",
        "localhost", "0x7f.1", "2130706433", "",
    ],
)  # fmt: skip
def test_no_webhook_goes_there(address: str) -> None:
    """Loopback, private, link-local, shared, multicast, reserved, documentation, and forms of IPv6 that hold an IPv4 address."""
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "93.184.216.34", "2606:4700:4700::1111", "2a00:1450:4001::1"])
def test_a_public_address_may_be_called(address: str) -> None:
    assert is_public(address)


def test_attempts_back_off_to_eight_hours_and_take_what_the_receiver_asks() -> None:
    """About a dozen attempts in three days, a fifth sooner or later by chance."""
    waits = [back_off(number, None, 0.5) for number in range(1, 18)]
    assert waits[:3] == [timedelta(seconds=5), timedelta(seconds=30), timedelta(minutes=2)]
    assert waits == sorted(waits)
    assert waits[-1] == timedelta(hours=8)
    assert (back_off(1, None, 0.0), back_off(1, None, 1.0)) == (timedelta(seconds=4), timedelta(seconds=6))
    assert back_off(1, 600, 0.5) == timedelta(minutes=10)
    assert sum(waits, timedelta()) > GIVE_UP_AFTER


def added(url: str = "https://hooks.example/x", *types: str, private: bool = False) -> AddWebhook:
    return AddWebhook(webhook_id="w", url=url, types=types, allow_private=private, secret_id="s", sealed="enc1.", at=NOW)


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example/", "ftp://hooks.example/", "https://", "https:///x", "https://u:p@hooks.example/", "https://hooks.example/#x",
        "hooks.example", "https://hooks.example:99999/", "https://h\u00f6oks.example/", "https://hooks.example/a b", "https://[::1/",
        "https://hooks.example/" + "x" * 2000,
    ],
)  # fmt: skip
def test_a_url_that_is_none_of_ours_is_refused(url: str) -> None:
    with pytest.raises(Refusal) as refused:
        DECIDER.decide(added(url), DECIDER.initial())
    assert refused.value.field == "url"


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "10.1.2.3:8443", "169.254.169.254", "[::1]", "[fe80::1]", "[::ffff:8.8.8.8]", "localhost", "a.localhost:8443"]
)
def test_a_url_that_plainly_leads_inside_is_refused_when_it_is_added(host: str) -> None:
    """Rather than fail for three days; for development it is allowed by name."""
    with pytest.raises(Refusal, match="no public address"):
        DECIDER.decide(added(f"https://{host}/"), DECIDER.initial())
    assert DECIDER.decide(added(f"https://{host}/", private=True), DECIDER.initial())


def test_the_life_of_a_webhook() -> None:
    state = fold(DECIDER, DECIDER.decide(added("http://localhost:1/", "duel.paused", private=True), DECIDER.initial()))
    assert (state.active, state.types) == (True, ("duel.paused",))
    with pytest.raises(Refusal, match="already"):
        DECIDER.decide(added(), state)
    assert DECIDER.decide(EnableWebhook(at=NOW), state) == []
    state = fold(DECIDER, DECIDER.decide(DisableWebhook(reason="gone", at=NOW), state), state)
    assert (state.active, state.reason) == (False, "gone")
    assert DECIDER.decide(DisableWebhook(reason="operator", at=NOW), state) == []
    state = fold(DECIDER, DECIDER.decide(RemoveWebhook(at=NOW), state), state)
    with pytest.raises(Refusal, match="no such webhook"):
        DECIDER.decide(EnableWebhook(at=NOW), state)
    with pytest.raises(Refusal, match=r"has no duel\.won"):
        DECIDER.decide(added("https://hooks.example/", "duel.won"), DECIDER.initial())
