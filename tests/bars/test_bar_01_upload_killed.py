"""Bar 1 for images: killed at any point of an upload, event and bytes agree, the old image is there, and the same request again succeeds once."""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from pathlib import Path

import pytest

from tests.bars.harness.gateway import Gateway
from tests.bars.harness.http1 import Answer, Client, Cut
from tests.bars.harness.scale import figure
from tests.bars.harness.world import World
from tests.support.images import encode, texture

pytestmark = [pytest.mark.bar(1), pytest.mark.timeout(300)]
SLOT = "/v1/players/p1/cosmetics/avatar"
HOURS_AGO = 2 * 3600
POINTS = ("die-before-bytes", "die-among-bytes", "die-after-bytes", "die-after-event")


async def upload(world: World, gateway: Gateway, data: bytes, key: str) -> Answer:
    async with Client(port=gateway.port) as client:
        headers = {"Player-Tier": "pro", "Idempotency-Key": key}
        return await client.request("PUT", SLOT, token=world.tokens["game_server"], body=data, headers=headers)


async def shown(world: World, gateway: Gateway, cosmetic_id: str) -> Answer:
    async with Client(port=gateway.port) as client:
        return await client.request("GET", f"/v1/cosmetics/{cosmetic_id}/image", token=world.tokens["game_server"])


def kept(media: Path) -> dict[str, bytes]:
    """Every blob by `COSMETIC/SHA256`."""
    return {f"{file.parent.name}/{file.stem}": file.read_bytes() for file in media.rglob("*.webp")}


async def named(world: World) -> set[str]:
    """The same of every image that the events name."""
    rows = await world.rows("SELECT cosmetic_id, jsonb_path_query(convert_from(files, 'UTF8')::jsonb, '$.*[0]') #>> '{}' FROM cosmetics")
    return {f"{row[0]}/{row[1]}" for row in rows}


async def killed_at(world: World, point: str, media: Path) -> tuple[str, set[str]]:
    """Upload one image, and another during which the service is killed; the first one's id, and what was left of bytes without an event."""
    async with world.gateway(media=str(media)) as gateway:
        first = (await upload(world, gateway, encode(texture("first")), "one")).json
    async with world.gateway(media=str(media), broken=point) as gateway:
        with contextlib.suppress(Cut, OSError):
            answer = await upload(world, gateway, encode(texture("second")), "two")
            raise AssertionError(f"it was answered: {answer}")
    return first["cosmetic_id"], set(kept(media)) - await named(world)


@pytest.mark.parametrize("point", POINTS)
async def test_a_kill_at_any_point_of_an_upload_leaves_event_and_bytes_agreeing(world: World, point: str, request: pytest.FixtureRequest) -> None:
    media = world.folder / "media"
    first, orphans = await killed_at(world, point, media)
    assert bool(orphans) == (point in {"die-among-bytes", "die-after-bytes"})
    assert await named(world) <= set(kept(media)), "an event names bytes that are not there"
    for file in media.rglob("*.webp"):
        os.utime(file, (time.time() - HOURS_AGO,) * 2)  # an orphan is left alone for an hour: it may be an upload under way
    async with world.gateway(media=str(media)) as gateway:
        again = await upload(world, gateway, encode(texture("second")), "two")
        assert again.status == 200, again.body
        assert again.json["replaced"] == first
        assert ("idempotency-replayed" in again.headers) == (point == "die-after-event")
        image = await shown(world, gateway, again.json["cosmetic_id"])
        assert hashlib.sha256(image.body).hexdigest() == again.json["sha256"]
        assert await world.value("SELECT count(*) FROM cosmetics") == 2
        for _ in range(100):  # the collector looks at the start
            if set(kept(media)) == await named(world):
                break
            time.sleep(0.05)  # noqa: ASYNC251  nothing else runs here
    blobs = kept(media)
    assert set(blobs) == await named(world)
    assert all(hashlib.sha256(data).hexdigest() == key.rpartition("/")[2] for key, data in blobs.items())
    figure(request, f"1, images: killed {point[4:].replace('-', ' ')}: {len(orphans)} orphans collected, {len(blobs)} blobs, as many as events name")


async def test_control_an_event_ahead_of_its_bytes_is_seen(world: World) -> None:
    media = world.folder / "media"
    await killed_at(world, "event-before-bytes", media)
    assert not await named(world) <= set(kept(media))
