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


async def overturned(service: app.Service, player: str, incident_id: str) -> None:
    appeal = await service.game.post("/v1/appeals", {"player_id": player, "incident_id": incident_id, "grounds": "Mine."}, expect=201)
    wanted = {"outcome": "overturned", "cascade": True}
    seen = await service.senior.post(f"/v1/appeals/{appeal['appeal_id']}/preview", wanted, expect=200)
    words = {"reason": "Licensed.", "reply": "You are right.", "player_version": seen["player_version"]}
    await service.senior.post(f"/v1/appeals/{appeal['appeal_id']}/decision", {**wanted, **words}, expect=200)
