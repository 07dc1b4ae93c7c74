"""The client against a service that this file plays: keys, tries, problems, headers, pages."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import httpx
import msgspec
import pytest

from shared.client import NO_RETRIES, Client, Problem, Retries, Unreachable
from shared.client.api.incidents import IncidentBody, OffenseBody, ReasonBody
from shared.client.api.standing import AccessBody
from shared.client.problem import retry_after

CHANGE = {
    "player_id": "p1",
    "version": 3,
    "position": 9,
    "standing": {
        "player_id": "p1", "status": "warned", "strikes": 1, "warnings": 0, "ban": None, "ip_banned": False, "proxy_banned": False,
        "legal_review": False, "version": 3, "as_of": "2026-11-30T10:00:00Z", "of_a_later_release": 1,
    },
}  # fmt: skip
REASON = ReasonBody(reason="A shared line.")
Answer = httpx.Response | Exception


class Service:
    """Gives the answers in turn (the last one again and again) and keeps the requests."""

    def __init__(self, *answers: Answer | Callable[[httpx.Request], Answer]) -> None:
        self.answers = answers
        self.requests: list[httpx.Request] = []
        self.waits: list[float] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        """Answer."""
        answer = self.answers[min(len(self.requests), len(self.answers) - 1)]
        self.requests.append(request)
        given = answer(request) if callable(answer) else answer
        if isinstance(given, Exception):
            raise given
        return given

    async def sleep(self, seconds: float) -> None:
        """Wait no time."""
        self.waits.append(seconds)

    def client(self, **settings: Any) -> Client:
        """A client of it."""
        made = Client("http://service", "secret-token", transport=httpx.MockTransport(self), **settings)
        made.transport.sleep = self.sleep
        return made

    def sent(self, header: str) -> list[str | None]:
        """The values of a header, request by request."""
        return [request.headers.get(header) for request in self.requests]


def ok(body: Any, status: int = 200) -> httpx.Response:
    return httpx.Response(status, json=body)


def problem(status: int, code: str, headers: dict[str, str] | None = None, **more: Any) -> httpx.Response:
    content = msgspec.json.encode({"type": f"/problems/{code}", "title": "No", "status": status, "detail": "Because.", "code": code, **more})
    return httpx.Response(status, content=content, headers={"Content-Type": "application/problem+json", "X-Request-Id": "r1", **(headers or {})})


async def test_a_command_keeps_its_idempotency_key_over_all_tries() -> None:
    """A lost answer is asked for again under the same name, so the command happens once."""
    service = Service(httpx.ReadError("cut"), problem(503, "unavailable"), ok(CHANGE), ok(CHANGE))
    async with service.client() as client:
        assert (await client.incidents.lift_proxy_ban("p1", REASON)).position == 9
        await client.incidents.lift_proxy_ban("p1", REASON)
    first, second, third, other = service.sent("idempotency-key")
    assert first
    assert first == second == third != other
    assert len({request.content for request in service.requests}) == 1


async def test_a_given_key_is_used() -> None:
    service = Service(ok(CHANGE))
    async with service.client() as client:
        await client.incidents.lift_proxy_ban("p1", REASON, idempotency_key="k-1", if_match=2, acting_staff="head-1")
    assert (service.sent("idempotency-key"), service.sent("if-match"), service.sent("acting-staff")) == (["k-1"], ['"2"'], ["head-1"])
    assert service.sent("authorization") == ["Bearer secret-token"]


async def test_reads_have_no_key() -> None:
    service = Service(ok(CHANGE["standing"]))
    async with service.client() as client:
        await client.standing.get_standing("p1")
    assert service.sent("idempotency-key") == [None]


@pytest.mark.parametrize("status", [429, 503])
async def test_it_waits_as_long_as_the_service_asks(status: int) -> None:
    code = {429: "rate_limited", 503: "unavailable"}[status]
    service = Service(problem(status, code, {"Retry-After": "7"}), ok(CHANGE["standing"]))
    async with service.client() as client:
        assert (await client.standing.get_standing("p1")).status == "warned"
    assert service.waits == [7.0]


async def test_waits_grow_to_a_bound() -> None:
    service = Service(httpx.ConnectError("away"))
    async with service.client(retries=Retries(tries=6, first_seconds=1, longest_seconds=4, total_seconds=60)) as client:
        with pytest.raises(Unreachable, match="after 6 tries: ConnectError") as caught:
            await client.standing.get_standing("p1")
    assert caught.value.idempotency_key is None
    assert all(bound / 2 <= wait <= bound for wait, bound in zip(service.waits, [1, 2, 4, 4, 4], strict=True))


async def test_a_longer_wait_than_there_is_time_for_is_told_at_once() -> None:
    service = Service(problem(503, "unavailable", {"Retry-After": "60"}))
    async with service.client() as client:
        with pytest.raises(Problem) as caught:
            await client.standing.get_standing("p1")
    assert (caught.value.code, caught.value.retry_after, service.waits) == ("unavailable", 60.0, [])


async def test_an_unanswered_command_names_its_key() -> None:
    service = Service(httpx.ReadTimeout("slow"))
    async with service.client(retries=NO_RETRIES) as client:
        with pytest.raises(Unreachable) as caught:
            await client.incidents.lift_proxy_ban("p1", REASON)
    assert caught.value.idempotency_key == service.sent("idempotency-key")[0]
    assert "secret-token" not in str(caught.value)


async def test_a_refusal_is_a_problem_with_all_that_it_says_and_is_not_tried_again() -> None:
    service = Service(problem(422, "discretion_required", allowed={"days": [1, 7]}, current={"v": 1}, errors=[{"field": "f", "message": "m"}]))
    async with service.client() as client:
        with pytest.raises(Problem, match="discretion_required: Because") as caught:
            await client.incidents.decide_incident(IncidentBody(player_id="p1", offenses=[OffenseBody(infraction="objectionable-major")]))
    said = caught.value
    assert (said.status, said.code, said.allowed, said.current, said.request_id) == (422, "discretion_required", {"days": [1, 7]}, {"v": 1}, "r1")
    assert [(error.field, error.message) for error in said.errors] == [("f", "m")]
    assert len(service.requests) == 1


@pytest.mark.parametrize("content_type", ["text/html", "application/problem+json"])
async def test_an_error_that_is_no_problem_document_is_told_too(content_type: str) -> None:
    service = Service(httpx.Response(413, content=b"<html>", headers={"Content-Type": content_type}))
    async with service.client() as client:
        with pytest.raises(Problem) as caught:
            await client.standing.get_standing("p1")
    assert (caught.value.status, caught.value.code) == (413, "unexpected_answer")


async def test_what_was_not_given_is_not_sent() -> None:
    service = Service(ok(CHANGE["standing"]))
    async with service.client() as client:
        moment = datetime(2026, 11, 30, 11, tzinfo=timezone(timedelta(hours=1)))
        await client.standing.get_standing("p1", as_of=moment, min_position=0)
        with pytest.raises(msgspec.ValidationError):
            await client.incidents.decide_incident(IncidentBody(player_id="p1", offenses=[OffenseBody(infraction="spam-minor")]), dry_run=True)
        with pytest.raises(ValueError, match="time zone"):
            await client.standing.get_standing("p1", known_at=moment.replace(tzinfo=None))
    read, command = service.requests
    assert dict(read.url.params) == {"as_of": "2026-11-30T10:00:00Z", "min_position": "0"}
    assert dict(command.url.params) == {"dry_run": "true"}
    assert msgspec.json.decode(command.content) == {"player_id": "p1", "offenses": [{"infraction": "spam-minor"}]}


async def test_a_path_parameter_stays_one_segment() -> None:
    service = Service(ok(CHANGE["standing"]))
    async with service.client() as client:
        await client.standing.get_standing("../staff/x?y#z")
    assert service.requests[0].url.raw_path == b"/v1/players/..%2Fstaff%2Fx%3Fy%23z/standing"


async def test_who_acts_is_set_for_all_calls_but_the_game_servers_own() -> None:
    access = {"allowed": True, "reasons": [], "standing": CHANGE["standing"]}
    service = Service(ok(CHANGE), ok(CHANGE), lambda _: ok(access))
    async with service.client(acting_staff="senior-1") as client:
        await client.incidents.lift_proxy_ban("p1", REASON)
        await client.acting("head-1").incidents.lift_proxy_ban("p1", REASON)
        await client.standing.check_access(AccessBody(player_id="p1", ip="203.0.113.7"))
    assert service.sent("acting-staff") == ["senior-1", "head-1", None]


async def test_lists_are_read_page_by_page_as_one() -> None:
    sanction = {"sanction_id": "s", "kind": "ban", "starts_at": "2026-11-30T10:00:00Z", "ends_at": None, "state": "a later word", "incident_id": "i"}
    service = Service(ok({"items": [sanction, sanction], "next_cursor": "c1"}), ok({"items": [sanction], "next_cursor": None}))
    async with service.client() as client:
        seen = [item.starts_at async for item in client.incidents.list_active("p1", limit=2)]
    assert seen == [datetime(2026, 11, 30, 10, tzinfo=UTC)] * 3
    assert [dict(request.url.params) for request in service.requests] == [{"limit": "2"}, {"limit": "2", "cursor": "c1"}]


@pytest.mark.parametrize(("said", "seconds"), [("3", 3.0), ("", 0.0), ("soon", 0.0), ("-1", 0.0), ("9" * 400, 0.0), ("Mon, 30 Nov 2026", 0.0)])
def test_retry_after_is_seconds_or_nothing(said: str, seconds: float) -> None:
    assert retry_after(httpx.Response(503, headers={"Retry-After": said})) == seconds
