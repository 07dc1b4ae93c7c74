"""Who would stand differently under another table: over HTTP and on the command line (contract, Audit: `POST /v1/policy`)."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from shared.eventstore.envelope import NewEvent
from shared.eventstore.port import Appended, AppendRequest, StreamAppend
from shared.ids import new_id
from tests.support.app import MASTER, Service, fresh, serving
from tests.support.database import Database


@pytest.fixture
async def service(database: Database) -> AsyncIterator[Service]:
    async with serving(database) as running:
        yield running


async def edited(service: Service) -> dict[str, Any]:
    """The table that holds, but a first Spam (Major) is a warning."""
    document: dict[str, Any] = (await service.head.get("/v1/policy")).body
    row = next(row for row in document["infractions"] if row["id"] == "spam-major")
    row["cells"][0] = {"text": "Warning", "sanctions": [{"kind": "warning", "days": None}], "choice": None}
    row["columns"][0] = "Warning"
    return {**document, "note": "Milder."}


async def test_a_dry_run_of_a_publication_names_who_would_stand_differently_and_touches_nobody(service: Service) -> None:
    banned, other = fresh(), fresh()
    await service.issue(banned, "spam-major")
    await service.issue(other, "malicious-afk")
    table = await edited(service)
    dry = await service.head.post("/v1/policy", table, expect=200, dry_run="true")
    assert {name: dry[name] for name in ("examined", "of", "differing", "undetermined", "complete")} == {
        "examined": 2, "of": 2, "differing": 1, "undetermined": 0, "complete": True,
    }  # fmt: skip
    (player,) = dry["players"]
    assert (player["player_id"], player["before"]["status"], player["after"]["status"]) == (banned, "banned", "warned")
    assert {"path": "warnings", "before": 0, "after": 1} in player["changes"]
    done = await service.head.post("/v1/policy", table, expect=201)
    assert "players" not in done.body
    assert (await service.standing(banned))["status"] == "banned"
    assert len(await service.history(banned)) == 1


async def test_a_record_with_an_offense_that_the_table_leaves_out_is_undetermined(service: Service) -> None:
    await service.issue(fresh(), "boosting")
    table = await edited(service)
    table["infractions"] = [row for row in table["infractions"] if row["id"] != "boosting"]
    dry = await service.head.post("/v1/policy", table, expect=200, dry_run="true")
    assert (dry["differing"], dry["undetermined"], dry["complete"]) == (0, 1, True)


@pytest.mark.parametrize("kind", ["moderation.never_heard_of.v1", "moderation.ip_ban_lifted.v1"])
async def test_a_record_that_cannot_be_read_is_undetermined_and_hides_nobody(service: Service, kind: str) -> None:
    """E06: of an unknown type, or about what the record does not hold."""
    unreadable, banned = fresh(), fresh()
    await service.issue(unreadable, "harassment-minor")
    await service.issue(banned, "spam-major")
    stray = b'{"incident_id":"i","sanction_ids":[],"at":"2026-11-30T10:00:00Z","by":"x","role":"y","words":null}'
    event = NewEvent(type=kind, payload=stray, meta=b'{"actor":"x","role":"y"}')
    part = StreamAppend(stream=f"record-{unreadable}", expected_version=1, events=(event,))
    assert isinstance(await service.store.append(AppendRequest(command_id=new_id(), appends=(part,))), Appended)
    dry = await service.head.post("/v1/policy", await edited(service), expect=200, dry_run="true")
    assert (dry["examined"], dry["undetermined"], dry["complete"]) == (2, 1, True)
    assert [player["player_id"] for player in dry["players"]] == [banned]


async def test_the_command_line_says_the_same(service: Service, database: Database, tmp_path: Path) -> None:
    banned = fresh()
    await service.issue(banned, "spam-major")
    file = tmp_path / "table.json"
    file.write_text(json.dumps(await edited(service)))
    environment = {**os.environ, "DATABASE_URL": database.app, "MODERATION_MASTER_KEY": base64.b64encode(MASTER).decode()}

    async def check(*more: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "services.cli", "policy", "check", str(file), *more]
        return await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, env=environment, check=False, timeout=60)

    said = await check()
    assert said.returncode == 0, said.stderr
    assert f"{banned}: " in said.stdout
    assert "1 of 1 players" in said.stdout
    assert "1/1 players" in said.stderr
    report = json.loads((await check("--json")).stdout)
    assert (report["differing"], report["players"][0]["player_id"], report["complete"]) == (1, banned, True)
    file.write_text("{")
    assert (await check()).returncode == 1
