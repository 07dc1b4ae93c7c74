"""A player's appeal from filing to decision, for tests that only need its outcome."""

from __future__ import annotations

from tests.support.app import Answer, Service


async def overturn(service: Service, player: str, incident_id: str, *, cascade: bool = True) -> Answer:
    """The player's appeal, and a Senior Admin who agrees."""
    filed = await service.game.post("/v1/appeals", {"player_id": player, "incident_id": incident_id, "grounds": "No."}, expect=201)
    path = f"/v1/appeals/{filed['appeal_id']}"
    version = (await service.senior.post(f"{path}/preview", {"outcome": "overturned", "cascade": cascade}, expect=200))["player_version"]
    words = {"outcome": "overturned", "cascade": cascade, "reason": "It was not so.", "reply": "It was not so.", "player_version": version}
    return await service.senior.post(f"{path}/decision", words, expect=200)
