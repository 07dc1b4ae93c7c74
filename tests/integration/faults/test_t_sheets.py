"""More of T02 to T04 over HTTP: what is carried over, cut, printed, and what a judge may not leave out."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.support.app import Answer, Service, fresh, iso
from tests.support.organised import Event, lines, organise

pytestmark = pytest.mark.asyncio(loop_scope="module")
MATCH_LOSS = {"penalty": "match_loss", "reason": "Tore up the opponent's cards."}


async def page(event: Event, path: str) -> str:
    headers = {"Authorization": f"Bearer {event.service.senior.token}"}
    return (await event.service.http.get(f"{event.path}/{path}", headers=headers)).text


async def feed(service: Service, after: int) -> list[Any]:
    """What the game server heard of tournaments after this position: what, round and game."""
    told = await service.game.get("/v1/feed", after=after, limit=200)
    found = [item["data"] for item in told["items"] if item["type"] == "tournament.penalty"]
    return [(one["what"], (one["applies_to"] or {}).get("round"), (one["applies_to"] or {}).get("game")) for one in found]


async def test_t03_what_is_carried_over_lands_on_games_of_its_own(service: Service) -> None:
    event = await organise(service)
    a, b, c, d = event.players
    await event.give("failure-to-reveal", a, situation={"opponent_match_loss": True})
    await event.give("failure-to-desideboard", a)
    last = await event.give("unsporting-minor", b, deviation=MATCH_LOSS)
    assert await feed(service, last["position"] - 2) == [("given", 1, None), ("moved", 2, 2)]
    await event.pair([a, c], [b, d])
    sheet = await event.sheet()
    assert lines(sheet, "game_losses") == [(a, 1), (a, 2)]
    assert lines(sheet, "sideboard_bans") == [(a, 2), (c, 2)]
    assert (sheet["matches"][0]["match_lost_by"], sheet["matches"][0]["winner"]) == ([a], c)


async def test_t03_a_bye_loses_no_penalty(service: Service) -> None:
    """A Game Loss between rounds meets a bye: the game server hears that it waits on."""
    event = await organise(service)
    a, b, c, d = event.players
    await service.senior.post(f"{event.path}/people/{d}/drop", expect=200)
    given = await event.give("failure-to-reveal", a, situation={"between_rounds": True})
    paired = await event.pair([b, c], [a])
    assert await feed(service, paired["position"] - 1) == [("moved", 3, 1)]
    assert lines(await event.sheet(), "game_losses") == []
    shown = await service.senior.get(f"{event.path}/penalties/{given['penalty_id']}")
    assert shown["moved_by"] == {"penalty_id": given["penalty_id"], "rule": "20-which-game"}


async def test_t04_who_is_overdue_does_not_advance(service: Service) -> None:
    event = await organise(service)
    a, b, c, d = event.players
    for _ in range(2):
        await event.give("tardiness", a, by=service.admin)
    body = {"order": [a, b, c, d], "cut": 2}
    assert (await service.senior.call("PUT", f"{event.path}/standings", body, expect=200))["advancing"] == [b, c]


async def test_t02_who_left_stands_on_the_printed_sheet(service: Service) -> None:
    event = await organise(service)
    a, b, c, d = event.players
    await event.give("failure-to-reveal", a, situation={"between_rounds": True})
    await service.senior.post(f"{event.path}/people/{a}/drop", expect=200)
    await service.senior.refused("not_applicable", f"{event.path}/people", {"person_id": a, "kind": "spectator"})
    await event.pair([b, c], [d])
    assert (await event.sheet())["not_paired"] == [a]
    printed = await page(event, "rounds/2/sheet/page")
    assert f"Penalised, but not paired</h2><table><thead><tr><th>player</th><th>loses</th></tr></thead><tbody><tr><td>{a}</td><td>game 1" in printed


async def test_a_reason_is_more_than_blanks(service: Service) -> None:
    """I-77, D 30: "the Head Judge should explain ... the reason for deviation"."""
    event = await organise(service)
    person = event.players[0]
    for reason in (" ", "\n\t", "\u2003"):
        refused = await event.give("unsporting-minor", person, deviation={"penalty": "caution", "reason": reason}, expect=422)
        assert refused["code"] == "invalid_request"
    assert (await event.give("tardiness", person, exceptional_reason="  ", expect=422))["code"] == "invalid_request"
    assert (await event.person(person))["penalties"] == []


async def test_words_can_be_erased_and_the_penalty_stays(service: Service) -> None:
    event = await organise(service)
    person, secret = event.players[0], fresh("secret")
    given = await event.give("unsporting-minor", person, description=secret, root_cause=secret)
    await service.head.post(f"/v1/players/{person}/erasure", {"reason": "They asked."}, expect=200)
    shown = await service.senior.get(f"{event.path}/penalties/{given['penalty_id']}")
    assert (shown["penalty"], shown["description"], shown["root_cause"]) == ("warning", None, None)
    assert secret not in str((await service.senior.get(f"{event.path}/report")).body) + await page(event, "report/page")
    assert (await event.give("unsporting-minor", person))["penalty"] == "game_loss"


async def test_judges_pairing_and_penalising_at_once_leave_one_order_of_events(service: Service) -> None:
    """C01: each is decided on what the other left; the round that a penalty meets is the one that it is applied to."""
    event = await organise(service)
    a, b, c, d = event.players
    round_two = {"number": 2, "stage": "swiss", "pairings": [[a, c], [b, d]], "starts_at": iso(service.clock.moment)}
    waiting: list[Any] = [event.give("failure-to-reveal", person, situation={"between_rounds": True}) for person in event.players]
    replies: list[Answer] = await asyncio.gather(*waiting, service.senior.post(f"{event.path}/rounds", round_two))
    assert [answer.status for answer in replies] == [201] * 5
    found = (await event.sheet(2))["game_losses"]
    places = [(await event.person(person))["penalties"][0]["applies_to"]["round"] for person in event.players]
    assert set(places) <= {2, 3}
    assert len(found) == places.count(2)


async def test_who_reads_what_a_judge_wrote_is_on_the_players_list_of_reads(service: Service) -> None:
    event = await organise(service)
    person = event.players[0]
    penalty = (await event.give("fraud", person, description="Marked cards."))["penalty_id"]
    referral = (await service.senior.post(f"{event.path}/penalties/{penalty}/referral", expect=201))["referral_id"]
    await service.admin.get(f"{event.path}/penalties/{penalty}")
    await service.admin.get(f"/v1/referrals/{referral}")
    reads = (await service.auditor.get("/v1/reads", player_id=person))["items"]
    assert {(one["reader"], one["what"]) for one in reads} == {("admin-1", "tournament_penalty"), ("admin-1", "referral")}
