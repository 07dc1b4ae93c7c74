"""Whatever the bytes: a value of the declared type, or a refusal that can be sent."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.http.parse import BodyParser, plain_json
from shared.http.problems import document
from shared.http.query import QueryParser, split
from shared.refusal import Refusal
from tests.support.http import Body, ListQuery

PARSER = BodyParser(Body)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT | st.just("a\0b"),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(TEXT | st.sampled_from(["player_id", "note", "choices", "at", "days"]), inner, max_size=4)
    ),
    max_leaves=12,
)


def sendable(refusal: Refusal) -> None:
    """The refusal is a registered one and its document is JSON."""
    made = document(refusal)
    assert made["status"] in (400, 422)
    assert msgspec.json.decode(msgspec.json.encode(made)) == made


@given(st.binary(max_size=200))
def test_any_bytes_are_parsed_or_refused(raw: bytes) -> None:
    """P03: a refusal never fails to be written down."""
    try:
        value, _ = PARSER.parse(raw)
    except Refusal as refusal:
        sendable(refusal)
    else:
        assert isinstance(value, Body)


@given(JSON)
def test_any_json_is_parsed_or_refused(value: Any) -> None:
    """The same for what is well-formed; nothing accepted holds NUL anywhere."""
    raw = json.dumps(value).encode()
    try:
        plain = plain_json(raw)
    except Refusal as refusal:
        sendable(refusal)
    else:
        assert "\\u0000" not in json.dumps(plain).replace("\\\\", "")
    try:
        PARSER.parse(raw)
    except Refusal as refusal:
        sendable(refusal)


@given(
    st.fixed_dictionaries(
        {"player_id": st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,63}", fullmatch=True)}, optional={"note": TEXT, "strike": st.booleans()}
    )
)
def test_what_is_right_is_taken_as_it_is(body: dict[str, Any]) -> None:
    """U03: no trimming, no folding."""
    if "\0" in body.get("note", "") or not body["player_id"].isascii():
        return
    value, _ = PARSER.parse(json.dumps(body).encode())
    assert {name: getattr(value, name) for name in body} == body


@pytest.mark.parametrize("place", [["player_id"], ["note"], ["choices", 0, "days"], ["choices", 0], ["at"], ["strike"]], ids=str)
@given(value=JSON)
def test_no_value_is_bent_into_its_type(place: list[str | int], value: Any) -> None:
    """P05: what comes out is what went in, or nothing comes out."""
    body: Any = {"player_id": "p1", "choices": [{"days": 1}]}
    inside = body
    for step in place[:-1]:
        inside = inside[step]
    inside[place[-1]] = value
    try:
        parsed, _ = PARSER.parse(json.dumps(body).encode())
    except Refusal as refusal:
        sendable(refusal)
        return
    kept = msgspec.to_builtins(parsed)
    for step in place:
        kept = kept[step]
    if place not in (["at"], ["choices", 0]):
        assert kept == value
    assert type(kept) is type(value) or place == ["at"]


@given(st.binary(max_size=80))
def test_any_query_is_parsed_or_refused(raw: bytes) -> None:
    """P01, P04: strict and total."""
    try:
        QueryParser(ListQuery).parse(split(raw))
    except Refusal as refusal:
        sendable(refusal)
