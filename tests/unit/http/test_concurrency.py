"""Weak ETags and `If-None-Match`."""

from __future__ import annotations

import re

import pytest

from shared.http.concurrency import none_match, weak_etag

BODY = {"player_id": "p1", "strikes": 1, "as_of": "2026-11-30T10:00:00Z"}
TAG = weak_etag(BODY, without=("as_of",))


def test_the_tag_is_over_everything_but_what_is_left_out() -> None:
    """Contract, Standing: `as_of` does not count, the rest does, its order does not."""
    assert re.fullmatch(r'W/"[^"]+"', TAG)
    assert weak_etag({"as_of": "x", "strikes": 1, "player_id": "p1"}, without=("as_of",)) == TAG
    assert weak_etag({**BODY, "strikes": 2}, without=("as_of",)) != TAG


@pytest.mark.parametrize(
    ("header", "full"),
    [(None, True), (TAG, False), (TAG.removeprefix("W/"), False), (f'"a", {TAG},"b"', False), ("*", False), ('"other"', True), ("nonsense", True),
     ("", True), (TAG.strip('W/"'), True), ("W/" * 5000 + TAG, True)],
)  # fmt: skip
def test_the_comparison_is_weak_and_knows_lists(header: str | None, *, full: bool) -> None:
    """RFC 9110, 13.1.2; what is no list of tags is as good as absent."""
    assert none_match([] if header is None else [(b"if-none-match", header.encode())], TAG) is full
