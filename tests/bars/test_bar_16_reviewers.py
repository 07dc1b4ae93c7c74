"""Bar 16: over random sequences of charges, calls, adjustments and appeals, nobody decides what they decided, adjusted, were called to, or are.

The sequences go over HTTP into the whole service; who may not decide is kept here by hand, from what was asked and answered alone.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest

from services.moderation.appeals import decider
from tests.bars.harness.scale import figure, scaled
from tests.support.app import Answer, Service, fresh, offense, serving
from tests.support.database import Database

pytestmark = [pytest.mark.bar(16), pytest.mark.timeout(3000)]

DECIDERS = {"senior-1": "senior_admin", "senior-2": "senior_admin", "head-1": "head_admin", "head-2": "head_admin"}
CHARGERS = ("admin-1", "admin-2", *DECIDERS)
ROWS = ("spam-major", "harassment-minor", "cheating")


@dataclass(slots=True)
class Sequence:
    """One player (sometimes a member of staff's account, or with such an account as an alt) and what was done to them by whom."""

    chance: random.Random
    player: str = ""
    alts: tuple[str, ...] = ()
    involved: dict[str, set[str]] = field(default_factory=dict)
    seen: Counter[str] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        own = [f"{staff}-player" for staff in DECIDERS]
        self.player = self.chance.choice(own) if self.chance.random() < 0.15 else fresh("bar16")
        self.alts = (self.chance.choice(own),) if self.chance.random() < 0.3 else ()

    def barred(self, staff_id: str, incident_id: str) -> bool:
        """Whether this member may not decide about the incident."""
        return staff_id in self.involved[incident_id] or f"{staff_id}-player" in (self.player, *self.alts)


async def acting(service: Service, staff_id: str, path: str, body: dict[str, Any]) -> Answer:
    return await service.game.post(path, body, headers={"Acting-Staff": staff_id})


async def charge(service: Service, run: Sequence) -> None:
    """An incident, at times on a call that another had first."""
    by = run.chance.choice([staff for staff in CHARGERS if f"{staff}-player" not in (run.player, *run.alts)])
    body: dict[str, Any] = {"player_id": run.player, "offenses": [{"infraction": run.chance.choice(ROWS)}]}
    first: set[str] = set()
    if run.chance.random() < 0.3:
        duel, other = fresh("duel"), fresh("bar16")
        await service.game.call("PUT", f"/v1/duels/{duel}", {"format": "tcg", "players": [run.player, other], "kind": "match"})
        pressed = {"duel_id": duel, "caller_id": other, "category": "cheating", "message": "m", "origin": "duel"}
        call = (await service.game.post("/v1/calls", pressed, expect=201))["call_id"]
        taker = run.chance.choice(CHARGERS)
        if (await acting(service, taker, f"/v1/calls/{call}/take", {})).status == 200:
            first = {taker}
        body["call_id"] = call
    done = await acting(service, by, "/v1/incidents", body)
    assert done.status == 201, done.body
    run.involved[done["incident_id"]] = {by} | first


async def adjust(service: Service, run: Sequence) -> None:
    incident_id = run.chance.choice(list(run.involved))
    by = run.chance.choice(["head-1", "head-2"])
    body = {"sanctions": [{"kind": "ban", "days": run.chance.randrange(1, 9)}], "strike": True, "reason": "r"}
    if (await acting(service, by, f"/v1/incidents/{incident_id}/adjustments", body)).status == 201:
        run.involved[incident_id].add(by)


async def review(service: Service, run: Sequence) -> None:
    """An appeal, and somebody who tries to decide it; then somebody who may does."""
    incident_id = run.chance.choice(list(run.involved))
    filed = await service.game.post("/v1/appeals", {"player_id": run.player, "incident_id": incident_id, "grounds": "g"})
    if filed.status != 201:
        return
    if run.chance.random() < 0.3:
        await adjust(service, run)
    version = (await service.standing(run.player))["version"]
    for staff_id in run.chance.sample(list(DECIDERS), 3):
        body = {"outcome": run.chance.choice(["upheld", "overturned"]), "reason": "r", "player_version": version}
        answer = await acting(service, staff_id, f"/v1/appeals/{filed['appeal_id']}/decision", body)
        barred = run.barred(staff_id, incident_id)
        run.seen["barred" if barred else "free"] += 1
        if barred and answer.status == 200:
            run.broken.append(f"{staff_id} decided {incident_id}")
        if answer.status == 200:
            return
        assert (answer.status, answer["code"]) == (403, "conflict_of_interest"), answer.body


async def walk(service: Service, number: int) -> Sequence:
    """One sequence."""
    run = Sequence(random.Random(number))
    if run.alts and run.alts[0] != run.player:
        body = {"player_id": run.player, "offenses": [offense("multiple-accounts", alts=list(run.alts))]}
        by = next(staff for staff in CHARGERS if f"{staff}-player" not in (run.player, *run.alts))
        done = await acting(service, by, "/v1/incidents", body)
        run.involved[done["incident_id"]] = {by}
    else:
        run.alts = ()
    await charge(service, run)
    for _ in range(run.chance.randrange(1, 4)):
        await run.chance.choice([charge, adjust, review])(service, run)
    await review(service, run)
    return run


async def test_nobody_decides_what_they_had_to_do_with(fresh_database: Database, request: pytest.FixtureRequest) -> None:
    count, seen, broken = scaled(5_000), Counter[str](), list[str]()
    async with serving(fresh_database) as service:
        for number in range(count):
            run = await walk(service, number)
            seen, broken = seen + run.seen, broken + run.broken
    figure(request, f"16: {count} sequences, {seen['barred']} decisions tried by the involved, {len(broken)} went through; {seen['free']} by others")
    assert not broken
    assert seen["barred"] > count // 10
    assert seen["free"] > count // 10


async def test_control_without_the_check_somebody_does(fresh_database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decider, "check_reviewer", lambda *_: None)
    async with serving(fresh_database) as service:
        runs = [await walk(service, number) for number in range(12)]
    assert any(run.broken for run in runs)
