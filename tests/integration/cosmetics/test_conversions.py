"""Pictures in other formats: made once, gone with the picture, and never at the cost of uploads."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from services.cosmetics.imaging import spool
from services.cosmetics.imaging.decoders import Decoders
from shared.blobs.store import BlobStore
from tests.support import app
from tests.support.cosmetics import image, put, uploaded
from tests.support.images import encode, texture

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def kept(service: app.Service, cosmetic_id: str) -> list[str]:
    """The formats of what is stored for the cosmetic."""
    return sorted({blob.key.rpartition(".")[2] async for blob in service.resources.get(BlobStore).blobs(f"images/{cosmetic_id}/")})


async def test_another_format_is_made_once(service: app.Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """Readers whose program takes no WebP can't use up the turns of the uploads."""
    _, made = await uploaded(service, encode(texture("once")))
    first = await image(service, made["cosmetic_id"], Accept="image/png")
    assert (first.status_code, first.content[:4], await kept(service, made["cosmetic_id"])) == (200, b"\x89PNG", ["png", "webp"])

    async def never(*_given: Any) -> bytes:
        raise AssertionError("it was made already")

    monkeypatch.setattr(Decoders, "convert", never)
    again = await image(service, made["cosmetic_id"], Accept="image/png")
    assert (again.content, again.headers["etag"]) == (first.content, first.headers["etag"])


async def test_what_is_purged_while_it_is_converted_is_neither_sent_nor_kept(service: app.Service, monkeypatch: pytest.MonkeyPatch) -> None:
    _, made = await uploaded(service, encode(texture("meanwhile")))
    convert = service.resources.get(Decoders).convert

    async def slowly(_: Decoders, *given: Any) -> bytes:
        data = await convert(*given)
        await service.head.post(f"/v1/cosmetics/{made['cosmetic_id']}/purge", expect=200)
        return data

    monkeypatch.setattr(Decoders, "convert", slowly)
    reply = await image(service, made["cosmetic_id"], Accept="image/png")
    assert (reply.status_code, reply.json()["code"], await kept(service, made["cosmetic_id"])) == (410, "gone", [])


async def test_so_many_uploads_are_under_way_and_no_more(service: app.Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service.resources.get(spool.Intake), "_most", 0)
    refused = await put(service, app.fresh(), encode(texture("many")))
    assert (refused.status_code, refused.json()["code"], "retry-after" in refused.headers) == (503, "unavailable", True)


async def test_an_upload_that_falls_silent_is_given_up_and_keeps_no_place(service: app.Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "_IDLE_SECONDS", 0.2)

    async def silent() -> AsyncIterator[bytes]:
        yield encode(texture("silent"))[:100]
        await asyncio.sleep(5)

    given_up = await put(service, app.fresh(), silent())
    assert (given_up.status_code, given_up.json()["code"]) == (503, "unavailable")
    assert service.resources.get(spool.Intake)._open == 0
