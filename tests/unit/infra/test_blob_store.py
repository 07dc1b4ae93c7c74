"""The store of blobs: what is left over goes, what can't be reached is said soon."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from shared.blobs import store
from shared.blobs.store import BlobStore
from shared.refusal import Unavailable

HOUR = timedelta(hours=1)


def aged(path: Path) -> None:
    os.utime(path, (time.time() - 7200,) * 2)


async def test_what_a_killed_write_left_and_no_list_shows_is_deleted_once_it_is_old(tmp_path: Path) -> None:
    """A folder's backend writes `KEY#1` first and renames it: killed in between, the bytes would stay for ever."""
    blobs = BlobStore.at(str(tmp_path))
    await blobs.put("images/a/whole.webp", b"whole")
    old, young = tmp_path / "images/a/cut.webp#1", tmp_path / "images/a/under-way.webp#12"
    for path in (old, young):
        path.write_bytes(b"part")
    aged(old)
    aged(tmp_path / "images/a/whole.webp")
    assert [blob.key async for blob in blobs.blobs("images/")] == ["images/a/whole.webp"]
    assert await blobs.tidied(datetime.now(UTC) - HOUR) == 1
    assert sorted(path.name for path in (tmp_path / "images/a").iterdir()) == ["under-way.webp#12", "whole.webp"]
    assert await blobs.get("images/a/whole.webp") == b"whole"


async def test_folders_of_deleted_blobs_go_once_they_are_old(tmp_path: Path) -> None:
    blobs = BlobStore.at(str(tmp_path))
    for name in ("a", "b"):
        await blobs.put(f"images/{name}/x.webp", b"x")
        await blobs.delete(f"images/{name}/x.webp")
    aged(tmp_path / "images/a")
    assert await blobs.tidied(datetime.now(UTC) - HOUR) == 0
    assert [path.name for path in (tmp_path / "images").iterdir()] == ["b"]


async def test_a_blob_that_is_deleted_while_it_is_put_is_not_said_to_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when a picture is purged while it is made into another format."""
    blobs, sync = BlobStore.at(str(tmp_path)), store._sync

    def late(file: Path, top: Path) -> None:
        file.unlink()
        sync(file, top)

    monkeypatch.setattr(store, "_sync", late)
    with pytest.raises(Unavailable, match="FileNotFoundError"):
        await blobs.put("images/a/x.webp", b"x")


async def test_a_store_over_the_network_that_does_not_answer_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library tries again for three minutes, in which whoever asked for an image would wait."""
    monkeypatch.setattr(store, "PATIENCE", 0.3)

    asked = list[asyncio.StreamWriter]()

    async def silent(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(writer)

    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    for name, value in {"ENDPOINT": address, "ALLOW_HTTP": "true", "ACCESS_KEY_ID": "x", "SECRET_ACCESS_KEY": "x", "REGION": "x"}.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    blobs = BlobStore.at("s3://bucket/prefix")

    async def listed() -> None:
        async for _ in blobs.blobs("images/"):
            pass

    async with asyncio.timeout(5):
        for asking in (blobs.get("images/a/x.webp"), blobs.put("images/a/x.webp", b"x"), blobs.delete("images/a/x.webp"), listed()):
            with pytest.raises(Unavailable, match="TimeoutError"):
                await asking
    server.close()
    for writer in asked:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()
    assert len(asked) >= 3
