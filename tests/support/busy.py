"""Random commands of every kind over HTTP, so that every table has rows that came about in different ways."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

from tests.support.app import Answer, Service, iso, offense

INFRACTIONS = ("spam-minor", "spam-major", "cheating", "harassment-minor", "hacking", "personal-profile", "inexperience", "unsporting-minor")


class Busy:
    """Sends random commands about a fixed set of players; refusals are part of it."""

    def __init__(self, service: Service, chance: random.Random, *, players: int = 40) -> None:
        self.service, self.chance = service, chance
        self.players = [f"busy-{chance.randrange(10**6)}-{number}" for number in range(players)]
        self.incidents: list[tuple[str, str]] = []
        self.appeals: list[tuple[str, str]] = []
        self.bans: list[str] = []
        self.calls: list[str] = []
        self.recorded = 0

    async def act(self) -> None:
        """One command; time goes on a little."""
        self.service.clock.turn(seconds=self.chance.random() * 60)
        deeds: list[tuple[Callable[[], Awaitable[Answer]], int]] = [
            (self._incident, 40), (self._adjust, 10), (self._appeal, 8), (self._decide, 8), (self._withdraw, 2), (self._network_ban, 4),
            (self._lift, 2), (self._exempt, 4), (self._alts, 3), (self._ip_lift, 3), (self._access, 4), (self._press, 5), (self._work, 8),
            (self._erase, 2), (self._read, 4), (self.import_many, 3), (self._staff, 1), (self._rollback, 1),
        ]  # fmt: skip
        (deed,) = self.chance.choices([deed for deed, _ in deeds], [weight for _, weight in deeds])
        answer = await deed()
        assert answer.status < 500, answer.body
        self.recorded += answer.status < 300

    def _player(self) -> str:
        return self.chance.choice(self.players)

    async def _incident(self) -> Answer:
        player = self._player()
        service = self.service
        by = self.chance.choice([service.admin, service.admin_b, service.senior, service.head])
        body = {"player_id": player, "offenses": [offense(self.chance.choice(INFRACTIONS), description="Words.")], "internal_note": "A note."}
        if self.chance.random() < 0.3:
            body["duel_id"] = f"duel-{self.chance.randrange(9)}"
        answer = await by.post("/v1/incidents", body)
        if answer.status == 201:
            self.incidents.append((answer["incident_id"], player))
        return answer

    async def _alts(self) -> Answer:
        alts = self.chance.sample(self.players, 2)
        return await self.service.admin.post("/v1/incidents", {"player_id": self._player(), "offenses": [offense("multiple-accounts", alts=alts)]})

    async def _adjust(self) -> Answer:
        incident_id, _ = self._one(self.incidents)
        kinds: list[list[dict[str, Any]]] = [[{"kind": "ban", "days": 9}], [{"kind": "warning"}], [{"kind": "permanent_ban"}, {"kind": "ip_ban"}], []]
        body = {"sanctions": self.chance.choice(kinds), "strike": self.chance.random() < 0.7, "reason": "On review."}
        return await self.service.head.post(f"/v1/incidents/{incident_id}/adjustments", body)

    async def _ip_lift(self) -> Answer:
        return await self.service.head.post(f"/v1/incidents/{self._one(self.incidents)[0]}/ip-ban/lift", {"reason": "A shared line."})

    async def _appeal(self) -> Answer:
        incident_id, player = self._one(self.incidents)
        target = {"network_ban_id": self._one_ban()} if self.chance.random() < 0.2 else {"incident_id": incident_id}
        answer = await self.service.game.post("/v1/appeals", {"player_id": player, **target, "grounds": "It wasn't me."})
        if answer.status == 201:
            self.appeals.append((answer["appeal_id"], player))
        return answer

    async def _decide(self) -> Answer:
        appeal_id, player = self._one(self.appeals)
        version = (await self.service.standing(player))["version"]
        outcome = self.chance.choice(["upheld", "overturned"])
        body = {"outcome": outcome, "reason": "Looked at.", "reply": "Decided.", "player_version": version}
        return await self.chance.choice([self.service.senior, self.service.head]).post(f"/v1/appeals/{appeal_id}/decision", body)

    async def _withdraw(self) -> Answer:
        appeal_id, player = self._one(self.appeals)
        return await self.service.game.post(f"/v1/appeals/{appeal_id}/withdraw", {"player_id": player})

    async def _network_ban(self) -> Answer:
        body = {"network": f"203.0.{self.chance.randrange(9)}.0/24", "reason": "Farm."}
        if self.chance.random() < 0.5:
            body["ends_at"] = (self.service.clock.now().replace(microsecond=0, tzinfo=None)).isoformat() + "Z"
            body["ends_at"] = body["ends_at"].replace("2026", "2027")
        answer = await self.service.head.post("/v1/network-bans", body)
        if answer.status < 300:
            self.bans.append(answer["network_ban_id"])
        return answer

    async def _lift(self) -> Answer:
        return await self.service.head.post(f"/v1/network-bans/{self._one_ban()}/lift", {"reason": "Over."})

    async def _exempt(self) -> Answer:
        body = {"player_id": self._player(), "reason": "A roommate."}
        return await self.service.head.post(f"/v1/network-bans/{self._one_ban()}/exemptions", body)

    async def _access(self) -> Answer:
        return await self.service.access(self._player(), f"198.51.100.{self.chance.randrange(9)}")

    async def _press(self) -> Answer:
        duel = f"duel-{self.chance.randrange(9)}"
        players = self.chance.sample(self.players, 2)
        await self.service.game.call("PUT", f"/v1/duels/{duel}", {"format": "tcg", "players": players, "kind": "match"})
        body = {"caller_id": players[0], "category": "ruling-question", "origin": "lobby", "message": "What now?"}
        if self.chance.random() < 0.7:
            body |= {"origin": "duel", "duel_id": duel}
        answer = await self.service.game.post("/v1/calls", body)
        if answer.status < 300:
            self.calls.append(answer["call_id"])
        return answer

    async def _work(self) -> Answer:
        call_id = self.chance.choice(self.calls) if self.calls else NOBODY
        step, body = self.chance.choice([("take", None), ("release", None), ("resolve", {"summary": "Done.", "misuse": False}), ("heartbeat", None)])
        return await self.service.admin.post(f"/v1/calls/{call_id}/{step}", body)

    async def _erase(self) -> Answer:
        return await self.service.head.post(f"/v1/players/{self._player()}/erasure", {"reason": "Asked for."})

    async def _read(self) -> Answer:
        return await self.service.auditor.get(f"/v1/players/{self._player()}/history")

    async def import_many(self, count: int = 3) -> Answer:
        """Incidents of long ago."""
        rows = [
            {
                "player_id": self._player(), "infraction": "spam-major", "decided_at": f"2025-03-01T12:{self.chance.randrange(60):02}:00Z",
                "decided_by": "former", "strike": True, "sanctions": [{"kind": "ban", "days": 1}], "external_id": f"old-{self.chance.random()}",
            }
            for _ in range(count)
        ]  # fmt: skip
        return await self.service.head.post("/v1/incidents/import", {"incidents": rows})

    async def _staff(self) -> Answer:
        entry = {"level": self.chance.choice(["admin", "auditor"]), "player_id": self._player(), "active": self.chance.random() < 0.5}
        return await self.service.head.call("PUT", f"/v1/staff/extra-{self.chance.randrange(5)}", entry)

    async def _rollback(self) -> Answer:
        staff_id = self.chance.choice(["admin-1", "admin-2"])
        since = self.service.clock.now() - timedelta(seconds=300)
        body = {"from": iso(since), "to": iso(self.service.clock.now()), "reason": "Gone rogue."}
        answer = await self.service.head.post(f"/v1/staff/{staff_id}/rollback", body)
        if answer.status < 300 and self.chance.random() < 0.5:
            await self.service.head.post(f"/v1/rollbacks/{answer['rollback_id']}/reverse", {"reason": "Not so."})
        return answer

    def _one(self, of: list[tuple[str, str]]) -> tuple[str, str]:
        return self.chance.choice(of) if of else (NOBODY, self.players[0])

    def _one_ban(self) -> str:
        return self.chance.choice(self.bans) if self.bans else NOBODY


NOBODY = "01890a5d-ac96-774b-bcce-b302099a8057"
