"""Faults P01 to P07 of the field, and T05 of time: what comes in."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.support.app import T0, Answer, Caller, Service, fresh, incident, iso, offense

pytestmark = pytest.mark.asyncio(loop_scope="module")
NUL = "a\x00b"


async def raw(caller: Caller, body: str, path: str = "/v1/incidents") -> Answer:
    """Send a body as it is."""
    reply = await caller.http.post(
        path, content=body.encode(), headers={"Authorization": f"Bearer {caller.token}", "Content-Type": "application/json"}
    )  # fmt: skip
    assert reply.status_code < 500, reply.text
    return Answer(reply.status_code, reply.json(), reply.headers)


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("internal_note", {"internal_note": NUL}),
        ("external_id", {"external_id": NUL}),
        ("offenses[0].description", {"offenses": [offense("spam-major", description=NUL)]}),
        ("evidence[0].text", {"evidence": [{"kind": "chat_log", "text": NUL}]}),
        ("evidence[0].ref", {"evidence": [{"kind": "chat_log", "ref": NUL}]}),
        (NUL, {NUL: "an object key"}),
    ],
    ids=lambda value: value if isinstance(value, str) and "\x00" not in value else "",
)
async def test_p01_a_nul_is_refused_wherever_it_stands(service: Service, field: str, change: dict[str, Any]) -> None:
    """422, the field is named, nothing is recorded."""
    player = fresh()
    refusal = await service.admin.refused("invalid_request", "/v1/incidents", {**incident(player, "spam-major"), **change})
    assert refusal.status == 422
    assert "\x00" in field or field in {error["field"] for error in refusal["errors"]}
    assert (await service.standing(player))["version"] == 0


async def test_a_reason_of_blanks_is_none(service: Service) -> None:
    decided = await service.issue(fresh(), "spam-major")
    lowered = {"sanctions": [{"kind": "warning"}], "strike": True, "reason": " \t\u00a0"}
    refused = await service.head.post(f"/v1/incidents/{decided['incident_id']}/adjustments", lowered)
    assert (refused.status, refused["code"], refused["errors"][0]["field"]) == (422, "invalid_request", "reason")


async def test_p01_a_nul_in_a_reason_or_a_query_is_refused(service: Service) -> None:
    done = await service.issue(fresh(), "spam-major")
    body = {"sanctions": [{"kind": "warning"}], "strike": True, "reason": NUL}
    await service.head.refused("invalid_request", f"/v1/incidents/{done['incident_id']}/adjustments", body)
    for path in (f"/v1/players/p/incidents?cursor={'%00'}", "/v1/players/p/standing?as_of=%00", "/v1/players/a%00b/standing"):
        assert (await service.head.call("GET", path)).status in {404, 422}


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"])
async def test_p03_what_is_no_number_is_refused_with_a_readable_answer(service: Service, number: str) -> None:
    """Bare NaN and infinities are no JSON; 1e999 is none that can be kept."""
    player = fresh()
    body = f'{{"player_id":"{player}","offenses":[{{"infraction":"objectionable-major","discretion":{{"days":{number}}}}}]}}'
    assert (await raw(service.admin, body)).status in {400, 422}
    assert (await service.standing(player))["version"] == 0


HUGE = [str(2**31), str(2**63), "-1", str(10**30), "9" * 5000]


@pytest.mark.parametrize("number", HUGE, ids=lambda number: number[:12])
async def test_p04_numbers_past_every_width_are_refused(service: Service, number: str) -> None:
    """In a path, a query, a cursor, a header and a body."""
    player = fresh()
    for path in (
        f"/v1/incidents/{number}", f"/v1/players/{player}/standing?at_version={number}", f"/v1/players/{player}/incidents?limit={number}",
        f"/v1/players/{player}/incidents?cursor={number}", f"/v1/players/{player}/history?cursor={number}",
    ):  # fmt: skip
        assert (await service.auditor.call("GET", path)).status in {404, 414, 422}
    days = f'{{"player_id":"{player}","offenses":[{{"infraction":"objectionable-major","discretion":{{"days":{number}}}}}]}}'
    assert (await raw(service.admin, days)).status == 422
    stale = await service.admin.post("/v1/incidents", incident(player, "spam-major"), headers={"If-Match": f'"{number}"'})
    assert stale.status in {400, 412, 422}
    assert (await service.standing(player))["version"] == 0


@pytest.mark.parametrize("days", [True, False, "7", 7.0, [7], {"n": 7}])
async def test_p05_no_value_is_bent_into_days(service: Service, days: Any) -> None:
    await service.admin.refused("invalid_request", "/v1/incidents", incident(fresh(), offense("objectionable-major", days=days)))


@pytest.mark.parametrize(
    "change",
    [{"notify": 0}, {"notify": "false"}, {"occurred_at": 1}, {"occurred_at": "2024-02-29"}, {"player_id": 7}, {"unknown": 1}, {"offenses": {}}],
)
async def test_p05_no_other_value_is_bent_either_and_unknown_fields_are_refused(service: Service, change: dict[str, Any]) -> None:
    await service.admin.refused("invalid_request", "/v1/incidents", {**incident(fresh(), "spam-major"), **change})


async def test_p06_ids_are_strings_and_numbers_stay_below_two_to_the_53(service: Service) -> None:
    """No JavaScript client loses digits."""
    player = fresh()
    done = await service.issue(player, "spam-major")
    assert isinstance(done["incident_id"], str)
    assert isinstance(done["sanctions"][0]["sanction_id"], str)
    assert all(abs(event["position"]) < 2**53 for event in await service.history(player))


@pytest.fixture
def new_york() -> Iterator[None]:
    """The process lives in New York."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = "America/New_York"
    time.tzset()
    yield
    if before is None:
        del os.environ["TZ"]
    else:
        os.environ["TZ"] = before
    time.tzset()


@pytest.mark.usefixtures("new_york")
@pytest.mark.parametrize("text", ["2026-11-29T10:00:00+14:00", "2026-11-29T10:00:00Z", "2026-11-29T10:00:00-05:00", "2026-11-29T10:00:00.123456Z"])
async def test_p07_a_moment_is_the_right_instant_whatever_the_zone_of_the_process(service: Service, text: str) -> None:
    player = fresh()
    done = await service.issue(player, "spam-major", occurred_at=text)
    assert done["occurred_at"] == iso(datetime.fromisoformat(text))
    assert done["sanctions"][0]["starts_at"] == iso(T0)
    assert (await service.history(player))[0]["occurred_at"] == iso(datetime.fromisoformat(text))


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-29T10:00:00",
        "2026-11-29",
        "2016-12-31T23:59:60Z",
        "0001-01-01T00:00:00Z",
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
        "x",
    ],
)
async def test_p07_a_moment_without_an_offset_or_outside_all_years_is_refused(service: Service, text: str) -> None:
    player = fresh()
    assert (await service.admin.post("/v1/incidents", incident(player, "spam-major", occurred_at=text))).status == 422
    assert (await service.standing(player))["version"] == 0


async def test_t05_the_servers_time_decides(service: Service) -> None:
    """An hour behind is a note, an hour ahead is refused, a second ahead is now."""
    player = fresh()
    behind = await service.issue(player, "spam-major", occurred_at=iso(T0 - timedelta(hours=1)))
    assert (behind["decided_at"], behind["sanctions"][0]["starts_at"]) == (iso(T0), iso(T0))
    ahead = incident(player, "spam-major", occurred_at=iso(T0 + timedelta(hours=1)))
    await service.admin.refused("occurred_in_future", "/v1/incidents", ahead)
    near = await service.issue(player, "spam-minor", occurred_at=iso(T0 + timedelta(seconds=1)))
    assert near["occurred_at"] == iso(T0)
