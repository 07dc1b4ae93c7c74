"""Who reads a record with a command on the service's own machine is recorded like everybody else, before anything is shown (issue 3, 9)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.integration.test_replay_commands import moderation
from tests.support.app import Service, fresh, serving
from tests.support.database import Database, run


async def reads(service: Service) -> list[tuple[Any, ...]]:
    found = (await service.auditor.get("/v1/reads"))["items"]
    return [(item["reader"], item["role"], item["what"], item["player_id"]) for item in found if item["role"] == "operator"]


@pytest.mark.parametrize(
    ("words", "read"),
    [
        (("replay", "PLAYER"), ("operator/replay", "operator", "replay", "PLAYER")),
        (("replay", "PLAYER", "--json"), ("operator/replay", "operator", "replay", "PLAYER")),
        (("export", "PLAYER"), ("operator/export", "operator", "export", "PLAYER")),
        (("export", "PLAYER", "--with-personal"), ("operator/export", "operator", "export", "PLAYER")),
        (("export", "--all"), ("operator/export", "operator", "export", None)),
        (("diff", "PLAYER", "0", "1"), None),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) and value[0] in {"replay", "export", "diff"} else "",
)
async def test_a_command_that_shows_a_record_leaves_a_read(fresh_database: Database, words: tuple[str, ...], read: tuple[Any, ...] | None) -> None:
    """A comparison of standings shows no record and leaves none, as over HTTP."""
    player = fresh()
    async with serving(fresh_database) as service:
        await service.issue(player, "spam-major")
        asked = [player if word == "PLAYER" else word for word in words]
        done = await asyncio.to_thread(moderation, fresh_database, *asked)
        assert (done.returncode, bool(done.stdout)) == (0, True), done.stderr
        assert await reads(service) == ([] if read is None else [tuple(player if part == "PLAYER" else part for part in read)])


@pytest.mark.parametrize("words", [("replay", "PLAYER", "--json"), ("export", "PLAYER")], ids=["replay", "export"])
async def test_what_cannot_be_recorded_is_not_shown(fresh_database: Database, words: tuple[str, ...]) -> None:
    """No record, no data."""
    player = fresh()
    async with serving(fresh_database) as service:
        await service.issue(player, "spam-major")
        run(fresh_database.superuser, "ALTER TABLE reads RENAME TO reads_elsewhere")
        done = await asyncio.to_thread(moderation, fresh_database, *(player if word == "PLAYER" else word for word in words))
    assert (done.returncode, done.stdout) == (1, "")
    assert "Traceback" not in done.stderr
