"""Every "no" is a problem document with a registered code, on every path."""

from __future__ import annotations

import json

import httpx
import pytest

from shared.http.codes import CODES
from shared.observability import METRICS
from shared.refusal import Unavailable
from shared.unreadable import UnreadableEvent
from tests.support.http import Raising, Stand, bearer, problem, refusal

ECHO = "/v1/players/p1/echo"
GOOD = {"player_id": "p1"}


@pytest.mark.parametrize("value", ["Bearer nope", "Basic YQ==", "Bearer", "Bearer " + "x" * 5000, "Bearer a b c", ""])
async def test_a_wrong_token_is_no_token(http: httpx.AsyncClient, value: str) -> None:
    """Contract, General: 401 with a challenge, before the body is looked at."""
    reply = await http.post(ECHO, content=b"{", headers={"Authorization": value})
    problem(reply, 401, "unauthenticated")
    assert reply.headers["www-authenticate"].startswith("Bearer")


async def test_without_a_token_the_body_is_not_looked_at(http: httpx.AsyncClient) -> None:
    """Contract, General: neither its type nor its length nor its text."""
    problem(await http.post(ECHO, content=b"x" * 2_000_000), 401, "unauthenticated")


async def test_credentials_given_twice_are_none(http: httpx.AsyncClient) -> None:
    """Two headers could be read differently by whoever stands in front."""
    name, value = next(iter(bearer("admin-1").items()))
    problem(await http.get("/v1/numbers", headers=[(name, value), (name, value)]), 401, "unauthenticated")
    acting = [("Acting-Staff", "admin-1"), ("Acting-Staff", "head-1")]
    problem(await http.get("/v1/numbers", headers=[*bearer("game-1").items(), *acting]), 401, "unauthenticated")


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        (bearer("game-1"), "forbidden"),
        (bearer("auditor-1"), "forbidden"),
        (bearer("gone-1"), "unknown_staff"),
        ({**bearer("game-1"), "Acting-Staff": "nobody"}, "unknown_staff"),
        ({**bearer("admin-1"), "Acting-Staff": "head-1"}, "acting_not_allowed"),
    ],
)
async def test_who_may_not_is_told_why(http: httpx.AsyncClient, headers: dict[str, str], code: str) -> None:
    """L13, Contract, General: also before the body is looked at."""
    problem(await http.post(ECHO, content=b"{", headers=headers), 403, code)


async def test_a_level_too_low_gets_the_code_of_the_contract(http: httpx.AsyncClient) -> None:
    """Contract: `head_admin_required` for staff, `forbidden` for others."""
    path = "/v1/things/01890a5d-ac96-774b-bcce-b302099a8057/ack"
    for name, code in (("admin-1", "head_admin_required"), ("senior-1", "head_admin_required"), ("game-1", "forbidden")):
        problem(await http.post(path, headers=bearer(name)), 403, code)
    assert (await http.post(path, headers=bearer("head-1"))).status_code == 201


async def test_a_game_server_acts_for_staff(http: httpx.AsyncClient) -> None:
    """Contract, General: the principal is the member of staff, `via` the server."""
    reply = await http.post(ECHO, json=GOOD, headers=bearer("game-1", **{"Acting-Staff": "admin-1"}))
    assert (reply.json()["principal"], reply.json()["via"]) == ("admin-1", "game-1")


async def test_a_revocation_counts_at_once(http: httpx.AsyncClient, stand: Stand) -> None:
    """The epoch moved, so the next request sees the new registers."""
    assert (await http.get("/v1/numbers", headers=bearer("admin-1"))).status_code == 200
    del stand.registers.tokens["admin-1"]
    stand.registers.epoch += 1
    problem(await http.get("/v1/numbers", headers=bearer("admin-1")), 401, "unauthenticated")


@pytest.mark.parametrize("path", ["/v1/nothing-here", "/nowhere", "/v1", "/v1/numbers/", "/v1/players//echo", "/problems/nothing"])
async def test_what_is_not_there_is_a_404_problem(http: httpx.AsyncClient, path: str) -> None:
    """Contract, General: on every path, also outside /v1; no redirect. Below /v1 a stranger learns no paths."""
    problem(await http.get(path, headers=bearer("admin-1")), 404, "not_found")
    expected = (401, "unauthenticated") if path.startswith("/v1") else (404, "not_found")
    problem(await http.get(path), *expected)


@pytest.mark.parametrize(
    ("path", "method", "allow"), [(ECHO, "GET", "POST"), ("/healthz", "POST", "GET, HEAD"), ("/v1/numbers", "BREW", "GET, HEAD")]
)
async def test_a_method_that_is_not_allowed_is_a_405_problem(http: httpx.AsyncClient, path: str, method: str, allow: str) -> None:
    """RFC 9110, 15.5.6: and says which are."""
    reply = await http.request(method, path, headers=bearer("admin-1"))
    problem(reply, 405, "method_not_allowed")
    if path.startswith("/v1"):
        problem(await http.request(method, path), 401, "unauthenticated")
    assert reply.headers["allow"] == allow


@pytest.mark.parametrize("error", [ValueError("secret p1"), KeyError("x"), RecursionError(), TimeoutError(), OSError("10.0.0.1")])
async def test_an_unexpected_error_tells_nothing_but_the_request_id(
    http: httpx.AsyncClient, stand: Stand, error: Exception, capsys: pytest.CaptureFixture[str]
) -> None:
    """Contract, General: 503, never a 500; the log has type and place but not the error's words."""
    stand.resources.get(Raising).error = error
    reply = await http.get("/v1/raise", headers=bearer("admin-1", **{"X-Request-Id": "seen-1"}))
    body = problem(reply, 503, "unavailable")
    assert "seen-1" in body["detail"]
    assert reply.headers["retry-after"] == "1"
    written = "".join(capsys.readouterr())
    assert "secret" not in reply.text + written
    assert "10.0.0.1" not in reply.text + written


async def test_a_refusal_with_an_unregistered_code_is_a_defect_and_still_a_problem(http: httpx.AsyncClient, stand: Stand) -> None:
    """Nobody sees a 500 for a typing error in a code."""
    stand.resources.get(Raising).error = refusal("no_such_code")
    problem(await http.get("/v1/raise", headers=bearer("admin-1")), 503, "unavailable")


async def test_not_now_says_when(http: httpx.AsyncClient, stand: Stand) -> None:
    """Contract, General: 503 with `Retry-After`."""
    stand.resources.get(Raising).error = Unavailable("The queue is full.", retry_after=7)
    reply = await http.get("/v1/raise", headers=bearer("admin-1"))
    assert problem(reply, 503, "unavailable")["detail"] == "The queue is full."
    assert reply.headers["retry-after"] == "7"


async def test_without_the_database_nobody_is_known_and_nothing_is_ready(http: httpx.AsyncClient, stand: Stand) -> None:
    """503, never a 401 for a good token; the process itself is alive."""
    stand.registers.away = True
    problem(await http.get("/v1/numbers", headers=bearer("admin-1")), 503, "unavailable")
    problem(await http.get("/readyz"), 503, "unavailable")
    assert (await http.get("/healthz")).json() == {"status": "ok"}
    stand.registers.away = False
    assert (await http.get("/readyz")).json() == {"status": "ready"}


@pytest.mark.parametrize("code", sorted(CODES))
async def test_every_code_has_its_status_and_a_page(http: httpx.AsyncClient, stand: Stand, code: str) -> None:
    """Contract, codes: the refusal's members all arrive, and `type` leads to words about it."""
    stand.resources.get(Raising).error = refusal(code)
    reply = await http.get("/v1/raise", headers=bearer("admin-1"))
    body = problem(reply, CODES[code].status, code)
    assert body["errors"] == [{"field": "f", "message": "Because."}]
    assert (body["allowed"], body["current"]) == (["x"], {"incident_id": "i"})
    page = await http.get(body["type"])
    assert page.status_code == 200
    assert code in page.text


async def test_the_request_id_is_the_callers_when_it_is_a_plain_one(http: httpx.AsyncClient) -> None:
    """Else a new one: nothing of the caller's can break a log line."""
    assert (await http.get("/healthz", headers={"X-Request-Id": "abc-1"})).headers["x-request-id"] == "abc-1"
    for odd in ("a b", "x" * 65, 'a"b', ""):
        assert (await http.get("/healthz", headers={"X-Request-Id": odd})).headers["x-request-id"] != odd


async def test_metrics_and_log_name_the_route_and_nobody(http: httpx.AsyncClient, capsys: pytest.CaptureFixture[str]) -> None:
    """Paths hold ids of people: they appear as templates only, and invented methods not at all."""
    await http.post("/v1/players/somebody/echo", json={"player_id": "somebody"}, headers=bearer("admin-1"))
    await http.request("BREW", "/v1/numbers")
    written = "".join(capsys.readouterr())
    assert "/v1/players/{player_id}/echo" in written
    assert "somebody" not in written
    assert "BREW" not in written
    assert (await http.get("/metrics")).headers["content-type"].startswith("text/plain")


async def test_an_answer_is_not_cached_unless_it_says_so(http: httpx.AsyncClient) -> None:
    """Answers are about people."""
    assert (await http.get("/v1/numbers", headers=bearer("admin-1"))).headers["cache-control"] == "no-store"
    assert json.loads((await http.get("/openapi.json")).content)["openapi"].startswith("3.1")


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (Unavailable("The queue is full."), "database"),
        (UnreadableEvent(7, "moderation.later.v9", "unknown type"), "unreadable"),
        (ValueError("x"), "unexpected"),
        (refusal("no_such_code"), "unexpected"),
    ],
    ids=["not now", "unreadable", "defect", "unregistered code"],
)
async def test_every_503_is_counted_by_its_reason(http: httpx.AsyncClient, stand: Stand, error: Exception, reason: str) -> None:
    """What an operator's alarm watches: one more for this reason, and for no other."""
    before = _unavailable()
    stand.resources.get(Raising).error = error
    problem(await http.get("/v1/raise", headers=bearer("admin-1")), 503, "unavailable")
    problem(await http.get("/v1/nothing", headers=bearer("admin-1")), 404, "not_found")
    after = _unavailable()
    assert {name: after[name] - before.get(name, 0) for name in after if after[name] != before.get(name, 0)} == {reason: 1}


async def test_a_caller_who_cannot_be_known_is_counted_too(http: httpx.AsyncClient, stand: Stand) -> None:
    stand.registers.away = True
    before = _unavailable().get("database", 0)
    for path in ("/v1/numbers", "/v1/nothing"):
        problem(await http.get(path, headers=bearer("admin-1")), 503, "unavailable")
    stand.registers.away = False
    assert _unavailable()["database"] - before == 2


def _unavailable() -> dict[str, float]:
    """How many 503s so far, by reason."""
    samples = [sample for metric in METRICS.unavailable.collect() for sample in metric.samples if sample.name.endswith("_total")]
    return {sample.labels["reason"]: sample.value for sample in samples}
