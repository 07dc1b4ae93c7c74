"""Random commands on a group of linked accounts, over the whole service: what must hold of any history (issue "Appeals", "Done when").

Charges, evasions, imports, adjustments (of alts, too), lifts, appeals, other policy versions. Then: the tables built anew are the live ones; the last
step of each replay is the standing; every decision was its preview; and with everything overturned all accounts are clean.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.support.app import Answer, Service, fresh, iso, offense, serving
from tests.support.appealing import WORDS, without
from tests.support.database import Database
from tests.support.rebuilding import rebuilder

STEPS, SEEDS = 45, (1, 2)
ROWS = ("spam-major", "cheating", "malicious-afk", "harassment-minor", "unsporting-minor", "boosting", "doxing", "trolling-major", "spam-minor")
SANCTIONS: tuple[list[dict[str, Any]], ...] = (
    [{"kind": "ban", "days": 4}], [{"kind": "warning"}], [{"kind": "permanent_ban"}], [{"kind": "ban", "days": 2}, {"kind": "warning"}], [],
)  # fmt: skip
REASON = {"reason": "On review."}
DAYS_PER_ALT = (2, 3, 1)


class Walk:
    """Random commands, each checked as it is carried out; `done` counts those that were recorded, by what they were."""

    def __init__(self, service: Service, chance: random.Random) -> None:
        self.service, self.chance = service, chance
        self.main, *self.alts = self.accounts = [fresh() for _ in range(7)]
        self.done: dict[str, int] = {}

    async def step(self) -> None:
        self.service.clock.turn(hours=self.chance.randrange(1, 60))
        often = (self.charge, self.link, self.adjust, self.appeal)
        way = self.chance.choice((*often, *often, self.take_over, self.lift, self.publish))
        reply = await way()
        if reply is not None and reply.status in (200, 201):
            self.done[way.__name__] = self.done.get(way.__name__, 0) + 1

    async def charge(self) -> Answer | None:
        """The main account, or one of the others."""
        player = self.chance.choice([self.main, self.main, *self.alts[:3]])
        body = {"player_id": player, "offenses": [offense(self.chance.choice(ROWS))], "notify": self.chance.random() < 0.8}
        return await self.service.admin.post("/v1/incidents", body)

    async def link(self) -> Answer | None:
        alts = self.chance.sample(self.alts, self.chance.randrange(1, 4))
        return await self.service.admin.post("/v1/incidents", {"player_id": self.main, "offenses": [offense("multiple-accounts", alts=alts)]})

    async def take_over(self) -> Answer | None:
        then = self.service.clock.moment.replace(year=self.chance.choice([2024, 2026]), month=11, day=self.chance.randrange(1, 29))
        row: dict[str, Any] = {"player_id": self.chance.choice([self.main, self.alts[0]]), "infraction": "spam-major", "decided_at": iso(then)}
        sanctions = [{"kind": "ban", "days": self.chance.choice([1, 90])}]
        row |= {"decided_by": "former-admin", "strike": self.chance.random() < 0.7, "sanctions": sanctions, "external_id": fresh("old")}
        return await self.service.head.post("/v1/incidents/import", {"incidents": [row]}, expect=200)

    async def chosen(self) -> tuple[str, dict[str, Any]] | None:
        """An account and an incident in force of it, or one that sanctioned it along."""
        player = self.chance.choice(self.accounts)
        found = [item for item in await self.service.incidents(player) if item["status"] == "in_force"]
        return (player, self.chance.choice(found)) if found else None

    async def adjust(self) -> Answer | None:
        if (found := await self.chosen()) is None:
            return None
        player, item = found
        strike = item["linked_to"] is None and self.chance.random() < 0.7
        body = {"sanctions": self.chance.choice(SANCTIONS), "strike": strike, "player_id": player, **REASON}
        return await self.service.head.post(f"/v1/incidents/{item['incident_id']}/adjustments", body, expect=201)

    async def lift(self) -> Answer | None:
        if (found := await self.chosen()) is None:
            return None
        return await self.service.head.post(f"/v1/incidents/{found[1]['incident_id']}/ip-ban/lift", REASON)

    async def appeal(self) -> Answer | None:
        """File and decide; what the preview said is what is done (I-34, I-35)."""
        if (found := await self.chosen()) is None:
            return None
        player, item = found
        filing = {"player_id": player, "incident_id": item["incident_id"], "grounds": "It was my cat."}
        opened = await self.service.game.post("/v1/appeals", filing)
        if opened.status != 201:
            assert opened["code"] in {"appeal_exists", "decision_final"}, opened.body
            return None
        wanted: dict[str, Any] = {"outcome": self.chance.choice(["overturned", "overturned", "modified", "upheld"])}
        if wanted["outcome"] == "modified":
            wanted |= {"sanctions": self.chance.choice(SANCTIONS), "strike": item["linked_to"] is None}
        if wanted["outcome"] == "overturned":
            wanted |= {"cascade": self.chance.random() < 0.8}
        return await self.decide(player, opened["appeal_id"], wanted)

    async def decide(self, player: str, appeal_id: str, wanted: dict[str, Any]) -> Answer:
        reviewer = self.service.staff["senior_admin"]
        shown = await reviewer.post(f"/v1/appeals/{appeal_id}/preview", wanted, expect=200)
        verdict = {**wanted, **WORDS, "player_version": shown["player_version"]}
        done = await reviewer.post(f"/v1/appeals/{appeal_id}/decision", verdict, expect=200)
        assert without({name: done[name] for name in shown.body}, "as_of") == without(shown.body, "as_of")
        assert without((await self.service.standing(player)).body, "as_of") == without(done["after"], "as_of")
        return done

    async def publish(self) -> Answer | None:
        """Another version of the rules; what was decided before is read again under its own."""
        table = dict((await self.service.head.get("/v1/policy")).body)
        days = self.chance.choice([days for days in DAYS_PER_ALT if days != table["settings"]["evasion_days_per_alt"]])
        row = next(row for row in table["infractions"] if row["id"] == "spam-major")
        row["columns"][0], sanction = self.chance.choice([("Warning", {"kind": "warning", "days": None}), ("2 day ban", {"kind": "ban", "days": 2})])
        row["cells"][0] = {"text": row["columns"][0], "sanctions": [sanction], "choice": None}
        table["settings"] = {**table["settings"], "evasion_days_per_alt": days}
        return await self.service.head.post("/v1/policy", {**table, "note": "Another first strike, another length."}, expect=201)

    async def check(self) -> None:
        """The count of strikes is that of the numbered ones, each number once; the last step of the replay is the standing."""
        for player in self.accounts:
            standing = (await self.service.standing(player)).body
            numbers = [item["strike"]["number"] for item in await self.service.incidents(player) if item["strike"] is not None]
            assert sorted(numbers) == list(range(1, standing["strikes"] + 1)), player
            steps = (await self.service.auditor.get(f"/v1/players/{player}/replay", limit=200))["items"]
            if steps:
                last = steps[-1]["standing"]
                then = (await self.service.standing(player, as_of=last["as_of"])).body
                assert (last["version"], last) == (standing["version"], then), player

    async def overturn_all(self) -> None:
        """By appeals where one is left, and the rest by rolling back whoever decided."""
        for player in self.accounts:
            for item in await self.service.incidents(player):
                filing = {"player_id": player, "incident_id": item["incident_id"], "grounds": "It was my cat."}
                opened = await self.service.game.post("/v1/appeals", filing)
                if opened.status == 201:
                    await self.decide(player, opened["appeal_id"], {"outcome": "overturned"})
        for staff_id in ("admin-1", "head-1"):
            span = {"from": "2020-01-01T00:00:00Z", "to": iso(self.service.clock.now()), **REASON}
            await self.service.staff["head_admin_b"].post(f"/v1/staff/{staff_id}/rollback", span, expect=201)


@pytest.mark.parametrize("seed", SEEDS)
async def test_of_any_history_replay_preview_rebuild_and_the_end_agree(database: Database, seed: int) -> None:
    async with serving(database) as service:
        walk = Walk(service, random.Random(seed))
        for account in walk.accounts:
            await service.access(account, f"198.51.100.{walk.accounts.index(account) + 1}")
        for _ in range(STEPS):
            await walk.step()
        await walk.check()
        assert set(walk.done) >= {"charge", "link", "take_over", "adjust", "appeal", "publish"}, walk.done
        checked = await rebuilder(database).check()
        assert (checked.drifts, checked.unread) == ((), ())
        await walk.overturn_all()
        await walk.check()
        for player in walk.accounts:
            clean = {name: (await service.standing(player))[name] for name in ("status", "strikes", "warnings", "ban", "ip_banned", "legal_review")}
            assert clean == {"status": "good", "strikes": 0, "warnings": 0, "ban": None, "ip_banned": False, "legal_review": False}, player
            assert [item["status"] for item in await service.incidents(player) if item["status"] != "overturned"] == []
        assert {ban["state"] for ban in (await service.head.get("/v1/network-bans", limit=200))["items"]} <= {"lifted"}
        again = await rebuilder(database).check()
        assert (again.drifts, again.unread) == ((), ())
