"""The rules over HTTP, through every check that a request passes: with a store in memory."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from services.moderation.audit.impact import Impact, PolicyImpact, Progress
from services.moderation.policy.endpoints import ENDPOINTS
from services.moderation.policy.handler import PolicyPublisher
from services.moderation.policy.holder import PolicyHolder
from services.moderation.policy.loader import packaged_policy
from services.moderation.policy.tables import Policy
from shared.commands import Executor
from shared.ids import new_id
from shared.security.data_keys import DataKeys
from tests.support.http import bearer, client, make_app
from tests.unit.policy.test_publication import Site, StoppedClock

HEAD = bearer("head-1")


class NobodyThere(PolicyImpact):
    """A site without players."""

    def __init__(self) -> None:
        """Nothing to read."""

    async def of(self, policy: Policy, *, seconds: float | None = None, progress: Progress | None = None) -> Impact:  # noqa: ARG002
        """Nobody stands differently."""
        return Impact(complete=True)


NOBODY = {"players": [], "examined": 0, "of": 0, "differing": 0, "undetermined": 0, "complete": True}


@pytest.fixture
async def site() -> AsyncIterator[httpx.AsyncClient]:
    """A client of a site whose packaged table holds."""
    app: FastAPI
    app, _, resources = make_app(ENDPOINTS)
    made = Site()
    await made.publisher.ensure_default()
    resources.add(PolicyPublisher, made.publisher)
    resources.add(PolicyHolder, made.holder)
    resources.add(Executor, Executor(made.store, made.codec, DataKeys(made.store, bytes(32)), StoppedClock(), new_id))
    resources.add(PolicyImpact, NobodyThere())
    async with client(app) as calling:
        yield calling


async def current(site: httpx.AsyncClient) -> dict[str, Any]:
    """What GET gives."""
    reply = await site.get("/v1/policy", headers=HEAD)
    assert reply.status_code == 200, reply.text
    document: dict[str, Any] = reply.json()
    return document


async def test_anyone_with_a_token_reads_the_table_its_schema_and_its_versions(site: httpx.AsyncClient) -> None:
    """Contract, Audit."""
    for name in ("game-1", "admin-1", "auditor-1"):
        document = (await site.get("/v1/policy", headers=bearer(name))).json()
        assert document["version"] == packaged_policy().version
        assert (await site.get(f"/v1/policy/{document['version']}", headers=bearer(name))).json() == document
        assert "$ref" in (await site.get("/v1/policy/schema", headers=bearer(name))).json()
    assert (await site.get("/v1/policy")).status_code == 401
    missing = await site.get("/v1/policy/there-is-none", headers=HEAD)
    assert (missing.status_code, missing.json()["code"]) == (404, "not_found")


async def test_what_get_gives_posted_back_changes_nothing(site: httpx.AsyncClient) -> None:
    """200 and no event."""
    document = await current(site)
    reply = await site.post("/v1/policy", json=document, headers=HEAD)
    assert (reply.status_code, reply.json()["changes"], reply.json()["version"]) == (200, [], document["version"])
    assert await current(site) == document


async def test_a_dry_run_tells_the_changes_and_publishes_nothing(site: httpx.AsyncClient) -> None:
    """Contract, dry_run: the same answer and the same errors, status 200."""
    document = await current(site)
    edited = {**document, "settings": {**document["settings"], "proxy_ban": "automatic"}, "note": "Proxies are banned."}
    dry = await site.post("/v1/policy?dry_run=true", json=edited, headers=HEAD)
    assert dry.status_code == 200
    assert dry.json()["changes"] == [{"path": "settings.proxy_ban", "before": "off", "after": "automatic"}]
    assert await current(site) == document
    real = await site.post("/v1/policy", json=edited, headers=HEAD)
    assert real.status_code == 201
    assert {**real.json(), "position": None, **NOBODY} == dry.json()
    assert (await current(site))["settings"]["proxy_ban"] == "automatic"
    assert (await site.post("/v1/policy", json={**document, "note": "Back."}, headers=HEAD)).status_code == 201
    assert (await current(site))["settings"]["proxy_ban"] == "off"


@pytest.mark.parametrize(
    ("name", "code"), [("admin-1", "head_admin_required"), ("senior-1", "head_admin_required"), ("auditor-1", "forbidden"), ("game-1", "forbidden")]
)
async def test_nobody_but_a_head_admin_publishes(site: httpx.AsyncClient, name: str, code: str) -> None:
    """L13: whatever they send."""
    document = await current(site)
    reply = await site.post("/v1/policy", json={**document, "note": "Not mine to change."}, headers=bearer(name))
    assert (reply.status_code, reply.json()["code"]) == (403, code)
    assert await current(site) == document


async def test_bad_tables_are_refused_with_the_field_and_change_nothing(site: httpx.AsyncClient) -> None:
    """Issue, "Bad input"; in a dry run too."""
    document = await current(site)
    rows = document["infractions"]
    bad = {
        "infractions[0].upgrade.to": {**document, "infractions": [{**rows[0], "upgrade": {**rows[0]["upgrade"], "to": "nowhere"}}, *rows[1:]]},
        "note": {**document, "note": None, "infractions": rows[:-1]},
        "colour": {**document, "colour": "red"},
        "settings.max_ban_days": {**document, "settings": {**document["settings"], "max_ban_days": 10**30}},
        "infractions[36].name": {**document, "infractions": [*rows[:-1], {**rows[-1], "name": "a\x00b"}]},
    }
    for field, body in bad.items():
        for query in ("", "?dry_run=true"):
            reply = await site.post(f"/v1/policy{query}", json=body, headers=HEAD)
            assert reply.status_code == 422, (field, reply.text)
            assert [error["field"] for error in reply.json()["errors"]] == [field], reply.text
    assert await current(site) == document
