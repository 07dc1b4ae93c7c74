"""Cosmetics over HTTP: upload, look, remove."""

from __future__ import annotations

import io
from typing import Any

import httpx
from PIL import Image

from tests.support import app


async def put(service: app.Service, player: str, data: Any, slot: str = "avatar", *, tier: str = "pro", **headers: str) -> httpx.Response:
    sent = {"Authorization": f"Bearer {service.tokens.game_server}", "Content-Type": "image/png", "Player-Tier": tier, **headers}
    return await service.http.put(f"/v1/players/{player}/cosmetics/{slot}", content=data, headers=sent)


async def image(service: app.Service, cosmetic_id: str, by: app.Caller | None = None, **headers: str) -> httpx.Response:
    sent = {"Authorization": f"Bearer {(by or service.game).token}", **headers}
    return await service.http.get(f"/v1/cosmetics/{cosmetic_id}/image", headers=sent)


async def uploaded(service: app.Service, data: bytes, slot: str = "avatar", player: str | None = None) -> tuple[str, dict[str, Any]]:
    player = player or app.fresh()
    reply = await put(service, player, data, slot)
    assert reply.status_code in {200, 201}, reply.text
    return player, reply.json()


async def pixels(service: app.Service, data: bytes, slot: str = "avatar") -> Image.Image:
    _, made = await uploaded(service, data, slot)
    return Image.open(io.BytesIO((await image(service, made["cosmetic_id"])).content)).convert("RGBA")


def near(found: Any, wanted: tuple[int, ...], tolerance: int = 40) -> bool:
    return all(abs(a - b) <= tolerance for a, b in zip(found, wanted, strict=False))


async def removed(service: app.Service, data: bytes) -> tuple[str, dict[str, Any]]:
    player, made = await uploaded(service, data)
    reply = await service.admin.post(f"/v1/cosmetics/{made['cosmetic_id']}/removal", {"reason": "Copyright.", "sha256": made["sha256"]}, expect=201)
    return player, reply.body
