"""Sensitive reads are recorded before anything is shown: who, whose, what, and no record means no data."""

from __future__ import annotations

import asyncio
import re
import time
from typing import Any

import pytest

from services.gateway.routes import ENDPOINTS
from services.gateway.sensitive import PLAIN, SENSITIVE, watched
from services.moderation.reads.recorder import ReadRecorder
from shared.http.call import Call, Reply
from shared.http.endpoint import STAFF, Endpoint
from tests.support.app import Service, fresh, iso, serving
from tests.support.database import Database, run


async def reads(service: Service, **asked: Any) -> list[dict[str, Any]]:
    return list((await service.auditor.get("/v1/reads", **asked))["items"])


async def nothing(_call: Call) -> Reply:
    return Reply(status=204)


def test_every_get_is_declared_sensitive_or_plain() -> None:
    """A new route can't forget it: the application does not start."""
    paths = {endpoint.path for endpoint in ENDPOINTS if endpoint.method == "GET" and endpoint.path.startswith("/v1/")}
    assert paths >= SENSITIVE.keys()
    assert not SENSITIVE.keys() & PLAIN.keys()
    new = Endpoint(method="GET", path="/v1/players/{player_id}/secrets", summary="X", handler=nothing, roles=STAFF)
    with pytest.raises(ValueError, match="/secrets"):
        watched([new])


async def test_every_sensitive_read_names_reader_player_and_request(database: Database) -> None:
    async with serving(database) as service:
        player = fresh()
        done = await service.issue(player, "cheating")
        appeal = await service.game.post("/v1/appeals", {"player_id": player, "incident_id": done["incident_id"], "grounds": "No."}, expect=201)
        ids = {"player_id": player, "incident_id": done["incident_id"], "appeal_id": appeal["appeal_id"]}
        asked = {path: kind for path, kind in SENSITIVE.items() if set(re.findall(r"\{(\w+)\}", path)) <= ids.keys()}
        for path in asked:
            await service.head.get(path.format(**ids))
        found = await reads(service)
        assert {item["what"] for item in found} == {kind.what for kind in asked.values()}
        about_one = {kind.what for kind in asked.values() if kind.one_player}
        assert {item["player_id"] for item in found if item["what"] in about_one} == {player}
        assert {(item["reader"], item["role"], item["at"]) for item in found} == {("head-1", "head_admin", iso(service.clock.now()))}
        assert {item["subject"] for item in found} == {None, done["incident_id"], appeal["appeal_id"]}
        assert len({item["request_id"] for item in found}) == len(found)


async def test_a_players_own_side_and_plain_reads_leave_no_trace(database: Database) -> None:
    """The game server asks for the player; a standing holds no words; what is not found was not shown."""
    async with serving(database) as service:
        player = fresh()
        done = await service.issue(player, "cheating")
        for path in (f"/v1/incidents/{done['incident_id']}", f"/v1/incidents/{done['incident_id']}/statement", f"/v1/players/{player}/incidents"):
            await service.game.get(path)
        await service.admin.get(f"/v1/players/{player}/standing")
        await service.admin.get("/v1/incidents/01890a5d-ac96-774b-bcce-b302099a8057", expect=404)
        assert await reads(service) == []


async def test_no_record_no_data(database: Database) -> None:
    """The log can't be written: 503, and not a word."""
    async with serving(database) as service:
        player = fresh()
        await service.issue(player, "cheating", internal_note="s3cret")
        function = "EXECUTE ON FUNCTION log_append"
        run(database.superuser, f"REVOKE {function} FROM moderation_app")
        try:
            answer = await service.admin.get(f"/v1/players/{player}/history", expect=503)
        finally:
            run(database.superuser, f"GRANT {function} TO moderation_app")
        assert "s3cret" not in str(answer.body)
        assert await reads(service) == []
        await service.admin.get(f"/v1/players/{player}/history")
        assert len(await reads(service)) == 1


async def test_a_burst_of_one_reader_over_two_processes_is_recorded_whole(database: Database) -> None:
    """Nobody's read is lost, doubled, or refused for another's; the stream has no gap."""
    async with serving(database) as one, serving(database, tokens=one.tokens) as two:
        players = [fresh() for _ in range(40)]
        await asyncio.gather(*(service.auditor.get(f"/v1/players/{player}/history") for player in players for service in (one, two)))
        found = await reads(one, reader="auditor-1", limit=200)
        assert sorted(item["player_id"] for item in found) == sorted([*players, *players])
        versions = [event.version for event in await one.store.read("reader-auditor-1")]
        assert versions == list(range(1, 81))


async def test_reads_are_found_by_reader_player_and_time_page_by_page(database: Database) -> None:
    async with serving(database) as service:
        players = [fresh() for _ in range(5)]
        began = service.clock.now()
        for player in players:
            await service.admin.get(f"/v1/players/{player}/history")
            service.clock.turn(minutes=1)
        await service.senior.get(f"/v1/players/{players[0]}/history")
        assert [item["player_id"] for item in await reads(service, reader="admin-1")] == players[::-1]
        assert [item["reader"] for item in await reads(service, player_id=players[0])] == ["senior-1", "admin-1"]
        second = iso(began.replace(minute=1))
        assert [item["player_id"] for item in await reads(service, **{"from": second, "to": iso(began.replace(minute=3))})] == players[2:0:-1]
        shown, cursor = [], None
        while True:
            page = await service.head.get("/v1/reads", limit=2, **({"cursor": cursor} if cursor else {}))
            shown += page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                break
        assert [item["player_id"] for item in shown] == [players[0], *players[::-1]]
        for caller in (service.admin, service.senior, service.game):
            await caller.get("/v1/reads", expect=403)


async def test_what_recording_costs(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reported: milliseconds for each of 32 histories at once by one reader, with and without the record; durable, so a commit at least."""

    async def nothing_recorded(*_: object) -> None:
        pass

    async with serving(database) as service:
        player, spent = fresh(), {"recorded": [0.0], "not": [0.0]}
        await service.issue(player, "cheating")
        for name in ("recorded", "not") * 3:
            with monkeypatch.context() as patched:
                if name == "not":
                    patched.setattr(ReadRecorder, "record", nothing_recorded)
                began = time.perf_counter()
                await asyncio.gather(*(service.auditor.get(f"/v1/players/{player}/history") for _ in range(32)))
                spent[name].append((time.perf_counter() - began) / 32 * 1000)
        print("ms a read:", {name: round(min(ms[1:]), 2) for name, ms in spent.items()})
        assert len(await reads(service, limit=200)) == 96
