"""Bodies, queries, paths and headers are taken as they are or refused; nothing is bent into shape."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from tests.support.http import Stand, bearer, problem

ECHO = "/v1/players/p1/echo"
ADMIN = bearer("admin-1")


async def send(http: httpx.AsyncClient, content: bytes | str | AsyncIterator[bytes], **headers: str) -> httpx.Response:
    """Send these bytes as a JSON body."""
    return await http.post(ECHO, content=content, headers={**ADMIN, "Content-Type": "application/json", **headers})


async def refused(http: httpx.AsyncClient, body: Any, field: str) -> None:
    """The body is refused with this field named."""
    found = problem(await send(http, json.dumps(body)), 422, "invalid_request")
    assert [error["field"] for error in found["errors"]] == [field]
    assert found["errors"][0]["message"]


@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=utf-8", "Application/JSON", 'application/json;charset="UTF-8"'])
async def test_json_may_be_named_in_its_usual_ways(http: httpx.AsyncClient, kind: str) -> None:
    """Contract, General."""
    assert (await send(http, b'{"player_id":"p1"}', **{"Content-Type": kind})).status_code == 201


async def test_white_space_around_a_header_is_no_part_of_it(http: httpx.AsyncClient) -> None:
    """RFC 9110, 5.5: servers leave it to the application."""
    sent = {"If-Match": ' "7"\t ', "Content-Type": "application/json "}
    assert (await send(http, b'{"player_id":"p1"}', **sent)).json()["if_match"] == 7


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", "application/json; charset=latin-1", ""])
async def test_a_body_that_is_not_json_is_a_415(http: httpx.AsyncClient, kind: str) -> None:
    """Contract, General."""
    problem(await send(http, b'{"player_id":"p1"}', **{"Content-Type": kind}), 415, "unsupported_media_type")


@pytest.mark.parametrize(
    "content",
    [b"{", b'{"player_id":"p1",}', b"{'player_id':'p1'}", b'{"a":1} {"b":2}', b"\xff\xfe{}", b'{"player_id":"\xc3\x28"}', b"\xef\xbb\xbf{}",
     b"[" * 100_000, b'{"a":' * 50_000, b'{"a":' * 40 + b"1" + b"}" * 40, b'{"player_id":NaN}', b'{"note":"\\ud800"}', b'{"note":"\\udc00x"}',
     b'{"note":"\xed\xa0\x80"}', b'{"\\ud800":1}'],
    ids=lambda c: repr(c[:24]),
)  # fmt: skip
async def test_what_is_no_json_text_is_a_400(http: httpx.AsyncClient, content: bytes) -> None:
    """P03, Contract, General: broken, in another encoding, with lone surrogates, or nested absurdly."""
    problem(await send(http, content), 400, "malformed_request")


@pytest.mark.parametrize("content", [b"", b"null", b"[]", b'"text"', b"7", b"true"])
async def test_json_that_is_no_object_is_a_422(http: httpx.AsyncClient, content: bytes) -> None:
    """And the body is named."""
    assert problem(await send(http, content), 422, "invalid_request")["errors"][0]["field"] == "body"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "player_id"),
        ({"player_id": 7}, "player_id"),
        ({"player_id": "a\n"}, "player_id"),
        ({"player_id": ".a"}, "player_id"),
        ({"player_id": "x" * 65}, "player_id"),
        ({"player_id": "p", "surprise": 1}, "surprise"),
        ({"player_id": "p", "note": "a\0b"}, "note"),
        ({"player_id": "p", "choices": [{}, {"a\0": 1}]}, "choices[1]"),
        ({"player_id": "p", "choices": [{"surprise": 1}]}, "choices[0].surprise"),
        ({"player_id": "p", "choices": {}}, "choices"),
        ({"player_id": "p", "choices": [{"days": True}]}, "choices[0].days"),
        ({"player_id": "p", "choices": [{"days": "3"}]}, "choices[0].days"),
        ({"player_id": "p", "choices": [{"days": 3.0}]}, "choices[0].days"),
        ({"player_id": "p", "choices": [{"days": 2**63}]}, "choices[0].days"),
        ({"player_id": "p", "choices": [{"days": -(10**30)}]}, "choices[0].days"),
        ({"player_id": "p", "strike": "true"}, "strike"),
        ({"player_id": "p", "strike": 1}, "strike"),
        ({"player_id": "p", "at": 1}, "at"),
        ({"player_id": "p", "at": "2024-02-29"}, "at"),
        ({"player_id": "p", "at": "2026-01-01T10:00:00"}, "at"),
        ({"player_id": "p", "at": "2016-12-31T23:59:60Z"}, "at"),
        ({"player_id": "p", "at": "0001-01-01T00:00:00+14:00"}, "at"),
        ({"player_id": "p", "at": "9999-12-31T23:59:59-14:00"}, "at"),
        ({"player_id": "p", "at": "2026-02-30T00:00:00Z"}, "at"),
        ({"player_id": "p", "note": "x" * 4001}, "note"),
        ({"player_id": "p", "note": "\U0001f0cf" * 4001}, "note"),
    ],
    ids=lambda value: json.dumps(value)[:50],
)
async def test_an_invalid_field_is_named(http: httpx.AsyncClient, body: dict[str, Any], field: str) -> None:
    """P01, P03, P04, P05, P07: 422 `invalid_request`."""
    await refused(http, body, field)


@pytest.mark.parametrize("literal", ["1e999", "-1e999", "9" * 5000, "1e400"], ids=lambda v: v[:8])
async def test_a_number_out_of_every_range_is_a_422(http: httpx.AsyncClient, literal: str) -> None:
    """P03, P04: past what Python converts, too."""
    found = problem(await send(http, f'{{"player_id":"p","choices":[{{"days":{literal}}}]}}'), 422, "invalid_request")
    assert [error["field"] for error in found["errors"]] == ["choices[0].days"]


async def test_text_is_counted_in_characters_and_kept(http: httpx.AsyncClient) -> None:
    """C09, U03: 4,000 of four bytes each, and control characters but NUL."""
    for text in ("\U0001f0cf" * 4000, "one\r\ntwo\tthree \x1b[31m\x07\x01\x7f\x85\u2028 \\u0000 \u202e"):
        reply = await send(http, json.dumps({"player_id": "p", "note": text}))
        assert reply.json()["body"]["note"] == text


@pytest.mark.parametrize(
    ("given", "kept"),
    [("2024-06-01T12:00:00+05:30", "2024-06-01T06:30:00Z"), ("2024-01-01T00:00:00-12:00", "2024-01-01T12:00:00Z"), ("2026-11-30T10:00:00Z",) * 2],
)
async def test_a_moment_is_kept_in_utc(http: httpx.AsyncClient, given: str, kept: str) -> None:
    """P07: whatever zone the process is in."""
    assert (await send(http, json.dumps({"player_id": "p", "at": given}))).json()["body"]["at"] == kept


async def test_a_huge_body_is_a_413_however_it_is_sent(http: httpx.AsyncClient) -> None:
    """I15: by its length, and by counting when there is none; exactly 1 MiB is read."""

    async def chunks(size: int) -> AsyncIterator[bytes]:
        for _ in range(size // 65_536):
            yield b" " * 65_536
        yield b"{}"

    problem(await send(http, b" " * 1_048_577), 413, "too_large")
    problem(await send(http, chunks(1_048_576)), 413, "too_large")
    problem(await send(http, chunks(1_048_576 - 65_536)), 422, "invalid_request")
    problem(await send(http, b" " * 1_048_576), 400, "malformed_request")


async def test_a_command_without_a_body_takes_none_or_an_empty_object(http: httpx.AsyncClient) -> None:
    """And nothing else."""
    path, head = "/v1/things/01890a5d-ac96-774b-bcce-b302099a8057/ack", bearer("head-1")
    assert (await http.post(path, headers=head)).status_code == 201
    assert (await http.post(path, json={}, headers=head)).status_code == 201
    problem(await http.post(path, json={"a": 1}, headers=head), 422, "invalid_request")
    problem(await http.post(path, json=[], headers=head), 422, "invalid_request")


@pytest.mark.parametrize(
    "given", ["1", "x", "-1", "9" * 500, "%00", "01890A5D-AC96-774B-BCCE-B302099A8057", "01890a5d-ac96-774b-bcce-b302099a8057%0A"]
)
async def test_an_id_that_can_name_nothing_is_a_404(http: httpx.AsyncClient, given: str) -> None:
    """P01, P04: our ids are UUIDs in one spelling."""
    problem(await http.post(f"/v1/things/{given}/ack", headers=bearer("head-1")), 404, "not_found")


@pytest.mark.parametrize("given", ["%2Ea", "-a", "x" * 65, "a%20b", "a%0A", "%C3%A4", "a%00", "%ff"])
async def test_an_id_of_the_game_outside_the_pattern_is_a_422(http: httpx.AsyncClient, given: str) -> None:
    """Contract, General: in a path, too."""
    assert problem(await http.post(f"/v1/players/{given}/echo", json={}, headers=ADMIN), 422, "invalid_request")["errors"][0]["field"] == "player_id"


@pytest.mark.parametrize(
    "query",
    ["limit=0", "limit=201", "limit=-1", "limit=x", "limit=1.5", "limit=%2B1", "limit=01", "limit=1_0", "limit=", f"limit={2**63}", f"limit={10**30}",
     "limit=1&limit=2", "surprise=1", "status=%00", "status=%ff", "a%00=1", "since=%00", "since=2024-01-01", "since=1", "since=null", "cursor=",
     "dry_run=true", "&".join(f"a{n}=1" for n in range(100)), "status=" + "x" * 4001],
    ids=lambda v: v[:20],
)  # fmt: skip
async def test_a_query_is_as_strict_as_a_body(http: httpx.AsyncClient, query: str) -> None:
    """P01, P04, P05, Contract, Lists."""
    problem(await http.get(f"/v1/numbers?{query}", headers=ADMIN), 422, "invalid_request")


@pytest.mark.parametrize("value", ["TRUE", "1", "", "yes"])
async def test_a_dry_run_is_asked_for_with_true_or_false(http: httpx.AsyncClient, value: str) -> None:
    """Contract, dry runs: nothing is recorded by a misspelling, and nothing by mistake."""
    problem(await http.post(ECHO, params={"dry_run": value}, json={"player_id": "p"}, headers=ADMIN), 422, "invalid_request")


async def test_a_dry_run_ignores_the_key(http: httpx.AsyncClient) -> None:
    """Contract, Idempotency."""
    headers = {**ADMIN, "Idempotency-Key": "k"}
    seen = [(await http.post(ECHO, params={"dry_run": dry}, json={"player_id": "p"}, headers=headers)).json() for dry in ("true", "false")]
    assert [(s["dry_run"], s["key"]) for s in seen] == [(True, None), (False, "k")]
    assert seen[0]["fingerprint"] == seen[1]["fingerprint"]


@pytest.mark.parametrize("key", [b"", b"k" * 256, "schl\u00fcssel".encode(), b"tab\tinside"], ids=["empty", "256", "umlaut", "tab"])
async def test_an_unusable_key_is_refused(http: httpx.AsyncClient, key: bytes) -> None:
    """Contract, Idempotency: 1 to 255 printable ASCII characters, once."""
    raw = {name.encode(): value.encode() for name, value in ADMIN.items()}
    problem(await http.post(ECHO, json={"player_id": "p"}, headers={**raw, b"Idempotency-Key": key}), 422, "invalid_request")
    twice = [*raw.items(), (b"Idempotency-Key", b"a"), (b"Idempotency-Key", b"a")]
    problem(await http.post(ECHO, json={"player_id": "p"}, headers=twice), 422, "invalid_request")


async def test_the_fingerprint_is_of_what_is_asked_not_of_its_layout(http: httpx.AsyncClient) -> None:
    """C03: another value is another body; blanks and the order of members are not."""
    texts = [
        '{"player_id":"p","strike":true}',
        '{ "strike": true,\n "player_id": "\\u0070" }',
        '{"player_id":"p","strike":false}',
        '{"player_id":"p"}',
    ]
    prints = [(await send(http, text)).json()["fingerprint"] for text in texts]
    assert prints[0] == prints[1]
    assert len(set(prints)) == 3
    assert (await send(http, texts[0])).json()["route"] == f"POST {ECHO}"


@pytest.mark.parametrize("value", ['"x"', "x", "7", '""', '"-1"', '"1.5"', '"01"', "*", 'W/"1"', '"1", "2"'])
async def test_a_version_that_is_none_is_refused(http: httpx.AsyncClient, value: str) -> None:
    """P04, Contract, If-Match."""
    problem(await send(http, b'{"player_id":"p"}', **{"If-Match": value}), 422, "invalid_request")


async def test_a_version_is_a_number_and_one_too_large_matches_nothing(http: httpx.AsyncClient) -> None:
    """P04: 412 for what no stream can have reached; a command without a version refuses the condition."""
    assert (await send(http, b'{"player_id":"p"}', **{"If-Match": '"7"'})).json()["if_match"] == 7
    for digits in (10**30, "9" * 5000):
        problem(await send(http, b'{"player_id":"p"}', **{"If-Match": f'"{digits}"'}), 412, "stale_version")
    path = "/v1/things/01890a5d-ac96-774b-bcce-b302099a8057/ack"
    problem(await http.post(path, headers=bearer("head-1", **{"If-Match": '"7"'})), 422, "invalid_request")


async def test_a_client_that_goes_away_is_no_error(stand: Stand, capsys: pytest.CaptureFixture[str]) -> None:
    """Bar 4: a body cut off at any byte: nothing is answered, nothing handled, and the log tells it from a failure."""
    sent: list[Any] = []
    parts = [{"type": "http.request", "body": b'{"player', "more_body": True}, {"type": "http.disconnect"}]

    async def receive() -> Any:
        return parts.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    head = [(name.lower().encode(), value.encode()) for name, value in {**ADMIN, "Content-Type": "application/json", "Content-Length": "20"}.items()]
    scope = {"type": "http", "method": "POST", "path": ECHO, "query_string": b"", "headers": head}
    await stand.app(scope, receive, send)
    assert sent == []
    assert '"status":499' in "".join(capsys.readouterr())


async def test_head_is_answered_where_get_is(http: httpx.AsyncClient) -> None:
    """RFC 9110, 9.3.2: with the same headers."""
    assert (await http.head("/v1/numbers", headers=ADMIN)).headers["content-type"] == "application/json"
    assert (await http.head("/v1/numbers", headers=bearer("gone-1"))).status_code == 403
