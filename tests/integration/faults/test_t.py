"""Faults T02 to T04 of the field, over HTTP; and what else only the whole service shows of a tournament: words, history, referrals, pages."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.support.app import Answer, Service, fresh, iso
from tests.support.organised import lines, organise

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_t02_penalties_of_a_dropped_player_are_kept_and_nobody_is_paired_with_them(service: Service) -> None:
    event = await organise(service)
    a, b, c, d = event.players
    await service.senior.post(f"{event.path}/people/{a}/drop", expect=200)
    assert (await event.give("unsporting-major", a))["penalty"] == "game_loss"
    assert (await event.give("unsporting-major", a, game=2))["penalty"] == "match_loss"
    assert [one["penalty"] for one in (await event.person(a))["penalties"]] == ["game_loss", "match_loss"]
    assert (await event.pair([a, b], [c, d], expect=422))["code"] == "not_applicable"
    await event.pair([b, c], [d])
    assert [match["players"] for match in (await event.sheet())["matches"]] == [[b, c], [d]]
    assert (await event.sheet(1))["matches"][0]["winner"] == b
    assert (await event.give("unsporting-minor", b))["penalty"] == "warning"


async def test_t03_every_match_has_one_result(service: Service) -> None:
    event = await organise(service)
    a, b, c, d = event.players
    await asyncio.gather(event.give("failure-to-reveal", a, game=2), event.give("failure-to-reveal", b, game=2))
    await event.give("failure-to-reveal", c)
    await event.give("unsporting-minor", d, deviation={"penalty": "match_loss", "reason": "Tore up the opponent's cards."})
    first, second = (await event.sheet())["matches"]
    assert first["games_lost"] == [{"game": 2, "lost_by": first["games_lost"][0]["lost_by"]}]
    assert (set(first["games_lost"][0]["lost_by"]), first["match_lost_by"], first["winner"]) == ({a, b}, [], None)
    assert (second["games_lost"], second["match_lost_by"], second["winner"]) == ([], [d], c)
    await event.pair([a, c], [b, d])
    sheet = await event.sheet()
    assert (lines(sheet, "game_losses"), lines(sheet, "carried_over")) == ([(c, 1)], [(c, 1)])
    assert (await event.person(c))["penalties"][0]["moved_by"]["rule"] == "20-opponent-match-loss"


async def test_t03_two_penalties_at_the_same_moment_make_two_steps(service: Service) -> None:
    event = await organise(service)
    replies = await asyncio.gather(*(event.give("unsporting-minor", event.players[0]) for _ in range(4)))
    assert sorted(one["penalty"] for one in replies) == sorted(["warning", "game_loss", "match_loss", "disqualification"])


async def test_t04_latecomers_are_dropped_unless_they_report_and_hold_up_no_round(service: Service) -> None:
    event = await organise(service)
    a, b, c, d = event.players
    for person in (a, c):
        for _ in range(2):
            await event.give("tardiness", person, by=service.admin)
    assert (await event.sheet())["drop_unless_reported"] == [a, c]
    await service.admin.post(f"{event.path}/people/{c}/reported", expect=200)
    assert (await event.person(a))["drops_unless_reported"] is True
    assert (await event.pair([a, b], [c, d], expect=422))["code"] == "not_applicable"
    await event.pair([b, c], [d])
    gone, stays = await event.person(a), await event.person(c)
    assert (gone["playing"], gone["dropped_in"], gone["left_because"], stays["playing"]) == (False, 1, "tardiness", True)
    assert (await event.sheet(1))["drops"] == [{"person_id": a, "because": "tardiness"}]
    for person in (b, c, d):
        await service.senior.post(f"{event.path}/people/{person}/drop", expect=200)
    await event.pair()
    assert (await event.sheet())["matches"] == []


async def test_t04_a_single_game_is_missed_once(service: Service) -> None:
    event = await organise(service, games_per_match=1)
    a, b, c, d = event.players
    assert "drop" in [effect["kind"] for effect in (await event.give("tardiness", a))["effects"]]
    await event.pair([b, c], [d])
    assert (await event.person(a))["playing"] is False


async def test_t05_tardiness_is_measured_by_moments_that_have_come(service: Service) -> None:
    event = await organise(service)
    later = iso(service.clock.moment.replace(hour=11))
    for fields in ({"began_at": later}, {"began_at": iso(service.clock.moment), "seated_at": later}):
        body = {"person_id": event.players[0], "round": 1, "seated_at": None, "reported": False, **fields}
        await service.admin.refused("occurred_in_future", f"{event.path}/tardiness", body)


async def test_neither_the_sites_record_nor_another_tournament_changes_a_penalty(service: Service) -> None:
    """D 1: "Knowledge of a player's history does not influence ... the application of penalties"."""
    one = await organise(service)
    known = one.players[0]
    await service.strikes(known, 3)
    await service.issue(known, "cheating")
    other = await organise(service)
    await service.senior.post(f"{other.path}/people", {"person_id": known, "kind": "player"}, expect=201)
    new = other.players[0]

    def said(answer: Answer) -> dict[str, Any]:
        kept = ("standard", "penalty", "steps", "applies_to", "absorbed", "remedy")
        return {**{name: answer[name] for name in kept}, "told": [duty["to"] for duty in answer["duties"]]}

    for infraction in ("unsporting-minor", "unsporting-minor", "failure-to-desideboard", "fraud"):
        first = await one.give(infraction, known)
        of_known, of_new = await other.give(infraction, known), await other.give(infraction, new)
        assert said(of_known) == said(of_new)
        assert said(first) == said(of_new)
    before = await service.standing(known)
    assert (before["strikes"], len(await service.incidents(known))) == (4, 4)


async def test_what_a_judge_writes_is_sealed_and_shown_to_staff_only(service: Service) -> None:
    """Personal free text is encrypted under the person's key, and no kept reply holds it."""
    event = await organise(service)
    person, canary = event.players[0], fresh("canary")
    words: dict[str, Any] = {"description": f"{canary} one", "root_cause": f"{canary} two"}
    words |= {"deviation": {"penalty": "caution", "reason": f"{canary} three"}}
    given = await event.give("unsporting-minor", person, **words)
    assert canary not in str(given.body)
    (shown,) = (await event.person(person))["penalties"]
    assert (shown["description"], shown["root_cause"], shown["deviation_reason"]) == (f"{canary} one", f"{canary} two", f"{canary} three")
    assert canary in str((await service.auditor.get(f"{event.path}/report"))["deviations"])
    assert canary not in str((await event.person(person, by=service.game)).body)
    assert canary not in str((await service.game.get(f"{event.path}/report")).body)
    for table in ("events", "idempotency", "outbox"):
        column = {"events": "payload", "idempotency": "reply", "outbox": "data"}[table]
        rows = await service.store.fetch(f"SELECT count(*) FROM {table} WHERE position($1::bytea IN {column}) > 0", canary.encode())  # noqa: S608
        assert rows[0][0] == 0, table


async def test_a_repeated_command_is_one_penalty_and_a_dry_run_none(service: Service) -> None:
    event = await organise(service)
    person = event.players[0]
    body = {"person_id": person, "infraction": "unsporting-minor", "round": 1, "game": 1}
    key = {"Idempotency-Key": fresh("key")}
    replies = [await service.senior.post(f"{event.path}/penalties", body, headers=key) for _ in range(2)]
    assert (replies[0].status, replies[0].body) == (201, replies[1].body)
    assert replies[1].headers["Idempotency-Replayed"] == "true"
    dry = await event.give("unsporting-minor", person, dry_run=True, expect=200)
    assert (dry["penalty"], dry["position"]) == ("game_loss", None)
    assert len((await event.person(person))["penalties"]) == 1


async def test_the_game_server_hears_of_penalties_and_of_those_that_fall_away(service: Service) -> None:
    """Feed type `tournament.penalty`."""
    event = await organise(service)
    person = event.players[0]
    first = await event.give("improper-registration", person, root_cause="dropped cards")
    await event.give("failure-to-desideboard", person, root_cause="dropped cards")
    feed = await service.game.get("/v1/feed", after=first["position"] - 1, limit=200)
    told = [(item["player_id"], item["data"]["what"], item["data"]["penalty"]) for item in feed["items"] if item["type"] == "tournament.penalty"]
    assert told == [(person, "given", "warning"), (person, "given", "game_loss"), (person, "absorbed", "warning")]


async def test_a_referral_is_the_admins_and_needs_an_incident_of_that_person(service: Service) -> None:
    event = await organise(service)
    a, b, *_ = event.players
    penalty = (await event.give("fraud", a))["penalty_id"]
    path = f"{event.path}/penalties/{penalty}/referral"
    await service.admin.refused("head_judge_required", path)
    referred = await service.senior.post(path, expect=201)
    again = await service.senior.post(path, expect=200)
    assert again["referral_id"] == referred["referral_id"]
    assert (await service.standing(a))["strikes"] == 0
    one = f"/v1/referrals/{referred['referral_id']}"
    others = (await service.issue(b, "spam-major"))["incident_id"]
    await service.admin.refused("invalid_request", f"{one}/close", {"incident_id": others, "reason": "x"})
    own = (await service.issue(a, "cheating"))["incident_id"]
    closed = await service.admin.post(f"{one}/close", {"incident_id": own, "reason": "Marked cards."}, expect=200)
    assert (closed["state"], closed["incident_id"], "reason" in closed.body) == ("closed", own, False)
    assert (await service.admin.get(one))["reason"] == "Marked cards."
    await service.admin.refused("already_decided", f"{one}/close", {"reason": "x"})
    open_ones = (await service.admin.get("/v1/referrals", state="open", limit=200))["items"]
    assert referred["referral_id"] not in {item["referral_id"] for item in open_ones}


async def test_sheet_and_report_can_be_printed(service: Service) -> None:
    """Self-contained pages; what a judge wrote is text in them."""
    event = await organise(service)
    deviation = {"penalty": "caution", "reason": "<b>A table</b> collapsed."}
    await event.give("unsporting-minor", event.players[0], deviation=deviation)
    await event.give("failure-to-desideboard", event.players[2], situation={"before_match": True})
    for page in ("rounds/1/sheet/page", "report/page"):
        headers = {"Authorization": f"Bearer {service.senior.token}"}
        reply = await service.http.get(f"{event.path}/{page}", headers=headers)
        assert (reply.status_code, reply.headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert "default-src 'none'" in reply.headers["content-security-policy"]
        assert "<script" not in reply.text
        assert "http" not in reply.text
    assert "&lt;b&gt;A table&lt;/b&gt; collapsed." in reply.text
    assert (await service.senior.get(f"{event.path}/rounds/9/sheet", expect=404))["code"] == "not_found"
    assert (await service.senior.get(f"{event.path}/rounds/x/sheet", expect=404))["code"] == "not_found"


async def test_the_game_server_alone_sets_nothing_up(service: Service) -> None:
    """Contract "Tournaments": only in the name of a head admin, or the head judge."""
    event = await organise(service)
    person = {"person_id": fresh("player"), "kind": "player"}
    await service.game.refused("forbidden", f"{event.path}/people", person)
    for staff, expect in (("admin-1", 403), ("senior-1", 201), ("head-1", 200)):
        await service.game.post(f"{event.path}/people", person, headers={"Acting-Staff": staff}, expect=expect)
