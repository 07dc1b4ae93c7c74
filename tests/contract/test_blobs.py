"""What every place of blobs does alike: a folder, memory, a bucket of S3."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest
import pytest_asyncio

from shared.blobs.store import IN_MEMORY, BlobStore
from tests.support.bucket import NAME, bucket
from tests.support.processes import free_port

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=["folder", "memory", "s3"])
async def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    if request.param == "s3":
        async with bucket(free_port()):
            yield f"s3://{NAME}/below/this"
    else:
        yield IN_MEMORY if request.param == "memory" else str(tmp_path_factory.mktemp("blobs"))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def blobs(place: str) -> BlobStore:
    return BlobStore.at(place)


async def keys(blobs: BlobStore, prefix: str) -> list[str]:
    return sorted([blob.key async for blob in blobs.blobs(prefix)])


async def test_a_blob_is_what_was_put_until_it_is_put_anew_or_deleted(blobs: BlobStore) -> None:
    key = "images/one/a.webp"
    for data in (b"first", b"", bytes(range(256)) * 50_000):  # the last is sent in parts
        await blobs.put(key, data)
        assert await blobs.get(key) == data
    await blobs.delete(key)
    assert await blobs.get(key) is None
    assert await keys(blobs, "images/one/") == []


async def test_a_blob_that_is_not_there_is_none_and_deleting_it_is_no_fault(blobs: BlobStore) -> None:
    assert await blobs.get("images/none/a.webp") is None
    await blobs.delete("images/none/a.webp")
    assert await keys(blobs, "images/none/") == []


async def test_all_blobs_below_a_prefix_are_listed_and_no_others(blobs: BlobStore) -> None:
    """More than a page of them; a name that only begins alike is another folder."""
    wanted = [f"images/many/{number:04}.webp" for number in range(1005)]
    put = [*wanted, "images/manyfold/a.webp", "images/a.webp"]
    for at in range(0, len(put), 50):
        await asyncio.gather(*(blobs.put(key, b"x") for key in put[at : at + 50]))
    assert await keys(blobs, "images/many/") == wanted
    assert {*wanted, "images/manyfold/a.webp"} <= {*await keys(blobs, "images/")}


async def test_a_list_tells_when_each_blob_was_put(blobs: BlobStore) -> None:
    """In aware time: the collector asks how old they are."""
    await blobs.put("images/aged/a.webp", b"x")
    (found,) = [blob async for blob in blobs.blobs("images/aged/")]
    assert abs(datetime.now(UTC) - found.modified) < timedelta(minutes=1)
