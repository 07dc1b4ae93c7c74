"""Erasure over HTTP and PostgreSQL: words go, decisions and hashes stay, and neither a race nor an old backup brings them back."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from services.moderation.erasure.handler import ErasureHandler
from services.moderation.erasure.ledger import Ledger, LedgerError
from services.moderation.erasure.operator import missing, open_erasures, sync
from shared.security.keys import derive_keys
from shared.settings import Settings
from tests.support import app
from tests.support.app import MASTER, Service, fresh, serving
from tests.support.database import Database, Server, as_role, run, with_database

WORDS: dict[str, Any] = {"evidence": [{"kind": "statement", "text": "s3cret words"}], "internal_note": "s3cret note"}
REASON = {"reason": "Asked for by s3cret."}


async def words(service: Service, incident_id: str) -> list[Any]:
    """What can be read of an incident's personal part."""
    view = (await service.admin.get(f"/v1/incidents/{incident_id}")).body
    return [view["internal_note"], view["evidence"], view["descriptions"]]


def settings(database: Database, **more: Any) -> Settings:
    return Settings(database_url=database.app, owner_database_url=database.superuser, master_key=MASTER, **more)


@pytest.mark.bar(14)
async def test_words_go_and_decisions_stay(database: Database) -> None:
    """The replies say so, the hashes are as before, a repeat changes nothing, and the reason is there for auditors."""
    async with serving(database) as service:
        player = fresh()
        done = await service.issue(player, app.offense("cheating", description="s3cret deed"), **WORDS)
        await service.access(player, "198.51.100.7")
        before = await service.history(player)
        standing = (await service.standing(player)).body
        erased = await service.head.post(f"/v1/players/{player}/erasure", REASON, expect=200)
        assert (erased["key_destroyed"], erased["networks_forgotten"], erased["version"]) == (True, 1, 2)
        assert await words(service, done["incident_id"]) == [None, [], []]
        after = await service.history(player)
        assert [event["hash"] for event in after[:1]] == [event["hash"] for event in before]
        assert after[1]["data"]["words"] == REASON
        assert {**(await service.standing(player)).body, "as_of": 0, "version": 0} == {**standing, "as_of": 0, "version": 0}
        again = await service.head.post(f"/v1/players/{player}/erasure", REASON, expect=200)
        assert (again["erasure_id"], again["position"], again["key_destroyed"]) == (erased["erasure_id"], None, False)
        assert await service.store.fetch_value("SELECT count(*) FROM networks_seen WHERE player_id = $1", player) == 0


@pytest.mark.bar(14)
async def test_later_words_have_a_new_key_and_the_old_ones_stay_gone(database: Database) -> None:
    """An erased field reads as absent under the new key, never as an unreadable record; a second erasure takes the first one's reason along."""
    async with serving(database) as service:
        player = fresh()
        old = await service.issue(player, "cheating", **WORDS)
        await service.head.post(f"/v1/players/{player}/erasure", REASON, expect=200)
        new = await service.issue(player, "spam-minor", **WORDS)
        assert await words(service, old["incident_id"]) == [None, [], []]
        assert (await words(service, new["incident_id"]))[0] == "s3cret note"
        replayed = (await service.auditor.get(f"/v1/players/{player}/replay"))["items"]
        assert [item["data"].get("details") is None for item in replayed if "details" in item["data"]] == [True, False]
        second = await service.head.post(f"/v1/players/{player}/erasure", {"reason": "Again."}, expect=200)
        assert second["position"] is not None
        reasons = [item["data"]["words"] for item in await service.history(player) if item["type"] == "moderation.player_erased.v1"]
        assert reasons == [None, {"reason": "Again."}]
        assert await words(service, new["incident_id"]) == [None, [], []]


async def test_only_a_head_admin_erases_and_never_their_own_account(database: Database) -> None:
    """Contract: `head_admin_required`, `conflict_of_interest`."""
    async with serving(database) as service:
        path = f"/v1/players/{fresh()}/erasure"
        refusals = ((service.admin, "head_admin_required"), (service.senior, "head_admin_required"), (service.auditor, "forbidden"))
        for caller, code in refusals:
            assert (await caller.post(path, REASON, expect=403))["code"] == code
        entry = {"level": "head_admin", "player_id": "own-head", "active": True}
        await service.staff["head_admin_b"].call("PUT", "/v1/staff/head-1", entry, expect=200)
        assert (await service.head.post("/v1/players/own-head/erasure", REASON, expect=403))["code"] == "conflict_of_interest"
        await service.head.refused("invalid_request", path, {})


async def test_an_ip_ban_holds_although_the_networks_are_forgotten(database: Database) -> None:
    """I-14: bans are matched by keyed hash, which stands in the decision."""
    async with serving(database) as service:
        player, other = fresh(), fresh()
        await service.access(player, "203.0.113.9")
        await service.issue(player, "hacking")
        await service.head.post(f"/v1/players/{player}/erasure", REASON, expect=200)
        assert {reason["code"] for reason in (await service.access(other, "203.0.113.9"))["reasons"]} == {"ip_banned"}


@pytest.mark.bar(14)
async def test_incidents_that_race_with_an_erasure_are_either_forgotten_or_readable(database: Database) -> None:
    """A command under way with the old key never brings it back: what was recorded before is gone, what was recorded after has the new key."""
    async with serving(database) as service:
        for _ in range(8):
            player = fresh()
            await service.issue(player, "spam-minor", **WORDS)
            path = f"/v1/players/{player}/erasure"
            *issued, erased = await asyncio.gather(
                *(service.issue(player, "spam-minor", **WORDS) for _ in range(4)), service.head.post(path, REASON, expect=200)
            )
            for done in issued:
                note = (await words(service, done["incident_id"]))[0]
                assert note == (None if done["version"] < erased["version"] else "s3cret note")


@pytest.mark.bar(14)
async def test_a_restored_backup_forgets_again_before_it_serves(database: Database, database_server: Server, tmp_path: Path) -> None:
    """The backup was taken before the erasure; the ledger, kept elsewhere, tells it."""
    file = tmp_path / "erasures.ndjson"
    async with serving(database) as service:
        player, other = fresh(), fresh()
        done = await service.issue(player, "cheating", **WORDS)
        kept = await service.issue(other, "cheating", **WORDS)
    name = f"{database.name}_backup"
    run(with_database(database.superuser, "postgres"), f"CREATE DATABASE {name} TEMPLATE {database.name} STRATEGY file_copy")
    try:
        async with serving(database, tokens=service.tokens) as service:
            service.resources.get(ErasureHandler)._ledger = Ledger(file, derive_keys(MASTER).erasure_ledger)
            await service.head.post(f"/v1/players/{player}/erasure", REASON, expect=200)
        dsn = with_database(database_server.dsn, name)
        backup = Database(name=name, superuser=dsn, app=as_role(dsn, "moderation_app"))
        async with serving(backup, tokens=service.tokens) as restored:  # without the ledger the words are there: what this test is about
            assert (await words(restored, done["incident_id"]))[0] == "s3cret note"
        ledger = Ledger(file, derive_keys(MASTER).erasure_ledger)
        assert counts(await sync(settings(backup), ledger)) == (1, 0)
        assert counts(await sync(settings(backup), ledger)) == (0, 0)
        async with serving(backup, tokens=service.tokens) as restored:
            assert await words(restored, done["incident_id"]) == [None, [], []]
            assert (await words(restored, kept["incident_id"]))[0] == "s3cret note"
            (event,) = [item["data"] for item in await restored.history(player) if item["type"] == "moderation.player_erased.v1"]
            assert (event["replayed"], event["by"]) == (True, "operator")
        async with open_erasures(settings(backup)) as erasures:
            assert await missing(erasures, ledger.read()) == []
    finally:
        database_server.drop(name)


async def test_an_erasure_is_answered_only_once_the_ledger_has_it(database: Database, tmp_path: Path) -> None:
    """The erasure counts; the same request again enters it."""
    folder = tmp_path / "mounted"
    async with serving(database) as service:
        ledger = Ledger(folder / "ledger", derive_keys(MASTER).erasure_ledger)
        service.resources.get(ErasureHandler)._ledger = ledger
        player, key = fresh(), {"Idempotency-Key": "e1"}
        failed = await service.head.post(f"/v1/players/{player}/erasure", REASON, headers=key)
        assert (failed.status, failed["code"]) == (503, "unavailable")
        folder.mkdir()
        done = await service.head.post(f"/v1/players/{player}/erasure", REASON, headers=key, expect=200)
        assert done.headers["idempotency-replayed"] == "true"
        assert [entry.erasure_id for entry in ledger.read()] == [done["erasure_id"]]
    with pytest.raises(LedgerError):
        await sync(replace(settings(database), master_key=bytes(32)), Ledger(folder / "ledger", derive_keys(bytes(32)).erasure_ledger))


def counts(done: Any) -> tuple[int, int]:
    return done.applied, done.entered
