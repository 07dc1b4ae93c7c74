"""Pictures kept in a bucket of S3, as in production: shown, replaced, destroyed, collected, and out of reach for a while."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest
import pytest_asyncio

from services.cosmetics.reactors.collect import Collector
from shared.blobs import store
from shared.blobs.store import BlobStore
from tests.support import app
from tests.support import database as databases
from tests.support.bucket import NAME, Bucket, bucket
from tests.support.cosmetics import image, put, uploaded
from tests.support.images import encode, texture
from tests.support.processes import free_port

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def kept() -> AsyncIterator[Bucket]:
    async with bucket(free_port()) as made:
        yield made


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def service(database_server: databases.Server, kept: Bucket) -> AsyncIterator[app.Service]:  # noqa: ARG001  it must be there first
    database = database_server.create("mod_bucket")
    try:
        async with app.serving(database, media=f"s3://{NAME}/moderation") as running:
            yield running
    finally:
        database_server.drop(database.name)


async def of(bucket: Bucket, cosmetic_id: str) -> list[str]:
    return [key for key in await bucket.keys() if cosmetic_id in key]


async def test_a_picture_is_shown_from_the_bucket_and_a_purge_leaves_nothing_there(service: app.Service, kept: Bucket) -> None:
    """I17: those of another player stay."""
    _, made = await uploaded(service, encode(texture("bucket")))
    _, other = await uploaded(service, encode(texture("bucket")))
    assert [key.split("/")[:3] for key in await of(kept, made["cosmetic_id"])] == [["moderation", "images", made["cosmetic_id"]]] * 3
    for accept in ("image/webp", "image/png"):  # another format is made, and kept
        assert (await image(service, made["cosmetic_id"], Accept=accept)).headers["content-type"] == accept
    assert len(await of(kept, made["cosmetic_id"])) == 4
    await service.head.post(f"/v1/cosmetics/{made['cosmetic_id']}/purge", expect=200)
    assert await of(kept, made["cosmetic_id"]) == []
    assert (await image(service, made["cosmetic_id"], service.head)).status_code == 410
    assert (await image(service, other["cosmetic_id"])).status_code == 200


async def test_bytes_that_no_event_names_are_collected_from_the_bucket(service: app.Service, kept: Bucket) -> None:
    _, made = await uploaded(service, encode(texture("collected")))
    await service.resources.get(BlobStore).put("images/nobody/a.webp", b"x")
    service.clock.moment = datetime.now(UTC) + timedelta(hours=2)
    assert await service.resources.get(Collector).collect() == 1
    service.clock.moment = app.T0
    assert await of(kept, "nobody") == []
    assert len(await of(kept, made["cosmetic_id"])) == 3


async def test_while_the_bucket_is_away_nothing_is_half_done(service: app.Service, kept: Bucket, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last of this file: what was in the bucket is gone with its server."""
    monkeypatch.setattr(store, "PATIENCE", 1.0)
    player, made = await uploaded(service, encode(texture("away")))
    kept.end()
    for reply in (await put(service, player, encode(texture("away too"))), await image(service, made["cosmetic_id"])):
        assert (reply.status_code, reply.json()["code"], "retry-after" in reply.headers) == (503, "unavailable", True)
    listed = (await service.game.get(f"/v1/players/{player}/cosmetics"))["items"]
    assert [(item["cosmetic_id"], item["state"]) for item in listed] == [(made["cosmetic_id"], "active")]
    await kept.start()
    reply = await put(service, player, encode(texture("away too")))
    assert (reply.status_code, reply.json()["replaced"]) == (200, made["cosmetic_id"])
    assert (await image(service, reply.json()["cosmetic_id"])).status_code == 200
