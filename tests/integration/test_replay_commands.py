"""`moderation replay` and `moderation diff`, over the database of a service that decided something (issue 3, 2)."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from services.commands.replay import printable
from tests.support.app import MASTER, fresh, serving
from tests.support.appealing import overturn
from tests.support.database import Database

ROOT = Path(__file__).resolve().parents[2]


def moderation(database: Database, *words: str) -> subprocess.CompletedProcess[str]:
    """The command against this database."""
    ours = {"MODERATION_MASTER_KEY": base64.b64encode(MASTER).decode(), "DATABASE_URL": database.app}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MODERATION_")}
    command = (sys.executable, "-m", "services.cli", *words)
    return subprocess.run(command, cwd=ROOT, env={**kept, **ours}, capture_output=True, text=True, timeout=60, check=False)


async def test_a_record_is_printed_step_by_step_and_compared(fresh_database: Database) -> None:
    """For people and for machines; a player never seen has nothing, and nonsense is refused."""
    async with serving(fresh_database) as service:
        player = fresh()
        first = await service.issue(player, "spam-major")
        await service.issue(player, "cheating")
        await overturn(service, player, first["incident_id"])
        asked = (await service.auditor.get(f"/v1/players/{player}/replay", limit=200))["items"]
    shown = moderation(fresh_database, "replay", player)
    assert shown.returncode == 0, shown.stderr
    lines = ("moderation.incident_decided.v2  by admin-1 (admin)", "strikes: 0 -> 1", "status: good -> banned", "ban: none -> until 2026-12-01 10")
    for line in lines:
        assert line in shown.stdout
    assert [json.loads(line) for line in moderation(fresh_database, "replay", player, "--json").stdout.splitlines()] == asked
    compared = moderation(fresh_database, "diff", player, "2", str(len(asked)))
    assert "status: permanently_banned -> banned" in compared.stdout, compared.stderr
    assert json.loads(moderation(fresh_database, "diff", player, "0", "1", "--json").stdout)["after"]["strikes"] == 1
    assert "no difference" in moderation(fresh_database, "diff", player, "2", "2").stdout
    assert "nothing is recorded" in moderation(fresh_database, "replay", "nobody").stdout
    for words in (("99", "1"), ("yesterday", "1")):
        refused = moderation(fresh_database, "diff", player, *words)
        assert (refused.returncode, refused.stdout) == (1, "")


@pytest.mark.parametrize(("text", "shown"), [("p\x1b[31m1", "p\\x1b[31m1"), ("a\r\nb", "a\\r\\nb"), ("p\u202e1", "p\\u202e1"), ("José", "José")])
def test_what_people_wrote_does_not_steer_a_terminal(text: str, shown: str) -> None:
    assert printable(text) == shown
