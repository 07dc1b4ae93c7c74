"""Lists in pages: G01, and cursors that nobody makes or carries elsewhere."""

from __future__ import annotations

import base64

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.http.paging import Cursors
from shared.refusal import Refusal
from tests.support.http import ROWS, bearer, problem

ADMIN = bearer("admin-1")
KEY = bytes(32)


async def walk(http: httpx.AsyncClient, **params: str | int) -> list[list[int]]:
    """All pages of the list."""
    found: list[list[int]] = []
    cursor = None
    while True:
        body = (await http.get("/v1/numbers", params={**params, **({"cursor": cursor} if cursor else {})}, headers=ADMIN)).json()
        found.append(body["items"])
        cursor = body["next_cursor"]
        if cursor is None:
            return found


@pytest.mark.parametrize("limit", [1, 3, 7, 8, 200])
async def test_the_pages_are_the_whole_list(http: httpx.AsyncClient, limit: int) -> None:
    """G01: every item once, in order, no page longer than asked."""
    pages = await walk(http, limit=limit)
    assert tuple(item for page in pages for item in page) == ROWS
    assert max(len(page) for page in pages) <= limit


@pytest.mark.parametrize("cursor", ["x", "!!!", "1" * 31, "bnVsbA==", "e30=", "\u00e4", "a" * 900, "a" * 3000, "null"])
async def test_a_cursor_that_is_none_is_refused(http: httpx.AsyncClient, cursor: str) -> None:
    """P04, Contract, Lists: never the first page instead."""
    problem(await http.get("/v1/numbers", params={"cursor": cursor}, headers=ADMIN), 422, "invalid_request")


async def test_a_cursor_belongs_to_its_filters_and_its_service(http: httpx.AsyncClient) -> None:
    """Contract, Lists: another filter's is 422; another page size is fine."""
    cursor = (await http.get("/v1/numbers", params={"limit": 2, "status": "a"}, headers=ADMIN)).json()["next_cursor"]
    for other in ({"status": "b"}, {}, {"status": "a", "since": "2026-01-01T00:00:00Z"}):
        problem(await http.get("/v1/numbers", params={"cursor": cursor, **other}, headers=ADMIN), 422, "invalid_request")
    rest = (await http.get("/v1/numbers", params={"cursor": cursor, "status": "a", "limit": 200}, headers=ADMIN)).json()
    assert rest == {"items": [3, 4, 5, 6, 7], "next_cursor": None}


@given(scope=st.binary(max_size=40), key=st.lists(st.integers() | st.text(st.characters(exclude_categories=["Cs"])) | st.none(), max_size=4))
def test_a_cursor_reads_back_what_was_written(scope: bytes, key: list[int | str | None]) -> None:
    """In the list it was written for."""
    if len(str(key)) > 300 or any(isinstance(part, int) and abs(part) > 2**63 for part in key):
        return
    assert Cursors(KEY).read(scope, Cursors(KEY).write(scope, key), len(key)) == key


@given(at=st.integers(min_value=0), bit=st.integers(0, 7))
def test_a_changed_cursor_is_refused(at: int, bit: int) -> None:
    """Any bit of it; another service's key; another number of parts; another spelling."""
    cursors = Cursors(KEY)
    cursor = cursors.write(b"list", (17, "x"))
    raw = bytearray(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    raw[at % len(raw)] ^= 1 << bit
    changed = base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
    for wrong in (changed, cursor + "=", cursor + "A", f" {cursor}", Cursors(bytes(31) + b"1").write(b"list", (17, "x"))):
        with pytest.raises(Refusal, match="invalid_request"):
            cursors.read(b"list", wrong, 2)
    with pytest.raises(Refusal):
        cursors.read(b"list", cursor, 1)
