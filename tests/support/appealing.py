"""Appeals over HTTP: file, preview, decide."""

from __future__ import annotations

from typing import Any

from tests.support.app import Answer, Caller, Service

WORDS = {"reason": "Reviewed.", "reply": "We looked again."}


async def file(service: Service, player: str, incident_id: str, *, expect: int = 201, **more: str) -> Answer:
    body = {"player_id": player, "incident_id": incident_id, "grounds": "It was my cat.", **more}
    return await service.game.post("/v1/appeals", body, expect=expect)


async def preview(service: Service, appeal_id: str, outcome: str = "overturned", **fields: Any) -> Answer:
    return await service.senior.post(f"/v1/appeals/{appeal_id}/preview", {"outcome": outcome, **fields}, expect=200)


async def decide(
    service: Service, appeal_id: str, outcome: str = "overturned", *, by: Caller | None = None, expect: int = 200, **fields: Any
) -> Answer:
    shown = await preview(service, appeal_id, "upheld")
    body = {"outcome": outcome, **WORDS, "player_version": shown["player_version"], **fields}
    return await (by or service.senior).post(f"/v1/appeals/{appeal_id}/decision", body, expect=expect)


async def overturn(service: Service, player: str, incident_id: str, **fields: Any) -> Answer:
    return await decide(service, (await file(service, player, incident_id))["appeal_id"], **fields)


def without(value: Any, *names: str) -> Any:
    """The value without these members, at any depth."""
    if isinstance(value, dict):
        return {name: without(item, *names) for name, item in value.items() if name not in names}
    return [without(item, *names) for item in value] if isinstance(value, list) else value
