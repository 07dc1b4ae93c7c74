"""Members of staff who go wrong, and short ways to roll back and reverse, over the whole service."""

from __future__ import annotations

from typing import Any

from tests.support.app import Answer, Caller, Service, fresh, iso

REASON = {"reason": "canary-reason"}
IDS = {"rollback_id", "at", "as_of", "reversed_at", "position", "sanction_id", "version"}


class Acting:
    """A new member of staff, acting through the game server."""

    def __init__(self, service: Service, staff_id: str) -> None:
        self.service, self.staff_id = service, staff_id
        self.headers = {"Acting-Staff": staff_id}

    async def post(self, path: str, body: Any, *, expect: int) -> Answer:
        return await self.service.game.post(path, body, expect=expect, headers=self.headers)

    async def issue(self, player_id: str, infraction: str, **fields: Any) -> Answer:
        return await self.post("/v1/incidents", {"player_id": player_id, "offenses": [{"infraction": infraction, **fields}]}, expect=201)


async def hire(service: Service, level: str) -> Acting:
    staff_id = fresh("staff")
    entry = {"level": level, "player_id": fresh("own"), "active": True}
    await service.head.call("PUT", f"/v1/staff/{staff_id}", entry, expect=201)
    return Acting(service, staff_id)


async def roll_back(service: Service, rogue: Acting, *, expect: int = 201, by: Caller | None = None, **params: Any) -> Answer:
    """Everything that the rogue decided until now."""
    body = {"from": iso(service.clock.now().replace(year=2020)), "to": iso(service.clock.now()), **REASON}
    return await (by or service.head).post(f"/v1/staff/{rogue.staff_id}/rollback", body, expect=expect, **params)


async def reverse(service: Service, rollback: Answer, *, expect: int = 200, by: Caller | None = None, **params: Any) -> Answer:
    return await (by or service.staff["head_admin_b"]).post(f"/v1/rollbacks/{rollback['rollback_id']}/reverse", REASON, expect=expect, **params)


async def seen(service: Service, player_id: str) -> tuple[Any, Any, Any]:
    """What the API says of the player, but for versions and moments."""
    standing = {name: value for name, value in (await service.standing(player_id)).body.items() if name not in ("version", "as_of")}
    return standing, await service.incidents(player_id), await service.active(player_id)


def stripped(value: Any) -> Any:
    """The value without ids and times."""
    if isinstance(value, dict):
        return {name: stripped(item) for name, item in value.items() if name not in IDS}
    return [stripped(item) for item in value] if isinstance(value, list) else value
