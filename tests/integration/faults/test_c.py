"""Faults C01 to C09 of the field: concurrency, retries and lost answers."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from shared.security.keys import Keys
from tests.integration.faults.test_l import failing
from tests.support import app
from tests.support.app import Answer, Caller, Service, fresh, incident, offense
from tests.support.database import Database, Server, run

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pair(database_server: Server) -> AsyncIterator[tuple[Service, Service]]:
    """Two processes over one database: nothing but PostgreSQL between them."""
    database = database_server.create("mod_pair")
    try:
        async with app.serving(database) as one, app.serving(database, one.clock, tokens=one.tokens) as two:
            yield one, two
    finally:
        database_server.drop(database.name)


async def test_c01_two_incidents_at_one_instant_are_two_steps(pair: tuple[Service, Service]) -> None:
    """Two admins in two processes, 100 players."""

    async def round_of(player: str) -> list[int]:
        done = await asyncio.gather(pair[0].issue(player, "spam-major"), pair[1].issue(player, "cheating", by=pair[1].admin_b))
        return sorted(reply["strike"]["number"] for reply in done)

    players = [fresh() for _ in range(100)]
    for start in range(0, 100, 10):
        assert await asyncio.gather(*map(round_of, players[start : start + 10])) == [[1, 2]] * 10
    assert {(await pair[0].standing(player))["strikes"] for player in players} == {2}


def keyed(caller: Caller, key: str, player: str, infraction: str = "spam-major") -> asyncio.Task[Answer]:
    body = incident(player, infraction)
    return asyncio.ensure_future(caller.post("/v1/incidents", body, headers={"Idempotency-Key": key}))


async def test_c03_a_key_is_one_command_of_one_principal(service: Service) -> None:
    one, two, key = fresh(), fresh(), fresh("key")
    first = await keyed(service.admin, key, one)
    again = await keyed(service.admin, key, one)
    assert (again.status, again.body, again.headers["idempotency-replayed"]) == (201, first.body, "true")
    assert (await keyed(service.admin, key, two))["code"] == "idempotency_key_reused"
    lowered = {"sanctions": [{"kind": "warning"}], "strike": True, "reason": "r"}
    head_key = {"Idempotency-Key": key}
    assert (await service.head.post(f"/v1/incidents/{first['incident_id']}/adjustments", lowered, headers=head_key)).status == 201
    assert (await service.head.post("/v1/incidents", incident(one, "spam-major"), headers=head_key))["code"] == "idempotency_key_reused"
    assert (await keyed(service.admin_b, key, two)).status == 201
    assert [(await service.standing(player))["strikes"] for player in (one, two)] == [1, 1]


async def test_c04_fifty_identical_requests_have_one_effect(pair: tuple[Service, Service]) -> None:
    """Through two processes; every answer is the same, byte for byte."""
    player, key = fresh(), fresh("key")
    replies = await asyncio.gather(*(keyed(pair[n % 2].admin, key, player) for n in range(50)))
    assert {reply.status for reply in replies} == {201}
    assert all(reply.body == replies[0].body for reply in replies)
    assert (await pair[0].standing(player))["version"] == 1


async def test_c04_a_failure_is_not_kept_as_the_answer(fresh_database: Database) -> None:
    """The key's row can't be written: neither is the event; then the retry succeeds."""
    async with app.serving(fresh_database) as service:
        player = fresh()
        with failing(fresh_database, "idempotency"):
            assert (await keyed(service.admin, "k", player)).status == 503
        assert (await service.standing(player))["version"] == 0
        assert (await keyed(service.admin, "k", player)).status == 201
        assert (await service.standing(player))["version"] == 1


async def test_c05_a_late_retry_gets_the_first_answer(service: Service) -> None:
    """After another infraction, and a day later."""
    player, key = fresh(), fresh("key")
    first = await keyed(service.admin, key, player)
    await service.issue(player, "cheating")
    for days in (0, 1, 400):
        service.clock.turn(days=days)
        assert (await keyed(service.admin, key, player)).body == first.body
    assert (await service.standing(player))["strikes"] == 2


async def test_c06_fifty_strikes_on_one_player_and_on_fifty(pair: tuple[Service, Service]) -> None:
    """No 500; every 201 is in the stream once."""
    player, players = fresh(), [fresh() for _ in range(50)]
    both = [process.admin.post("/v1/incidents", incident(player, "harassment-minor")) for process in pair for _ in range(25)]
    alone = [pair[n % 2].admin.post("/v1/incidents", incident(who, "spam-major")) for n, who in enumerate(players)]
    replies = await asyncio.gather(*both, *alone)
    assert {reply.status for reply in replies} <= {201, 503}
    kept = [reply["incident_id"] for reply in replies[:50] if reply.status == 201]
    assert sorted(item["incident_id"] for item in await pair[0].incidents(player)) == sorted(kept)


async def test_c06_evasions_of_each_other_do_not_block(pair: tuple[Service, Service]) -> None:
    """Each charges the other's account as its alt: two streams in opposite order, ten times."""
    for _ in range(10):
        one, two = fresh(), fresh()
        replies = await asyncio.gather(
            pair[0].issue(one, offense("multiple-accounts", alts=[two])), pair[1].issue(two, offense("multiple-accounts", alts=[one]))
        )
        assert {reply.status for reply in replies} == {201}


WHOLE = """
SELECT p, (SELECT count(*) FROM events WHERE stream = 'record-' || p), (SELECT count(*) FROM standing WHERE player_id = p),
       (SELECT count(*) FROM idempotency WHERE key = k)
FROM unnest($1::text[], $2::text[]) u(p, k)"""


async def once_more(service: Service, player: str) -> None:
    """A retry makes it exactly one event."""
    assert (await keyed(service.admin, f"key-{player}", player, "doxing")).status == 201
    assert (await service.standing(player))["version"] == 1


async def test_c07_aborted_requests_leave_nothing_half_done(fresh_database: Database) -> None:
    """200 requests cut at random moments: each write is whole or absent, no connection stays in a transaction, the next request works."""
    chance = random.Random(7)
    async with app.serving(fresh_database) as service:
        players = [fresh() for _ in range(200)]

        async def aborted(player: str) -> None:
            task = keyed(service.admin, f"key-{player}", player, "doxing")
            await asyncio.sleep(chance.uniform(0, 0.03))
            task.cancel()
            await asyncio.wait([task])

        for start in range(0, 200, 20):
            await asyncio.gather(*map(aborted, players[start : start + 20]))
        done = await asyncio.wait_for(service.issue(fresh(), "spam-major"), 5)
        assert done.status == 201
        await asyncio.sleep(0.2)
        states = run(
            fresh_database.superuser, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in trans%'"
        )
        assert states[0][0] == 0
        kept = [service.resources.get(Keys).kept_key(f"key-{player}") for player in players]
        counts = [tuple(row)[1:] for row in await service.store.fetch(WHOLE, players, kept)]
        assert set(counts) <= {(0, 0, 0), (1, 1, 1)}
        assert (1, 1, 1) in counts
        for start in range(0, 200, 20):
            await asyncio.gather(*(once_more(service, player) for player in players[start : start + 20]))


async def test_c08_what_was_acknowledged_is_read_at_once_everywhere(pair: tuple[Service, Service]) -> None:
    """500 rounds: written through one process, read through the other."""

    async def one_round(number: int) -> None:
        player = fresh()
        done = await pair[number % 2].issue(player, "spam-major")
        seen = await pair[1 - number % 2].standing(player)
        assert (seen["version"], seen["strikes"], seen["status"]) == (done["version"], 1, "banned")

    for start in range(0, 500, 25):
        await asyncio.gather(*map(one_round, range(start, start + 25)))


async def test_c08_a_failed_commit_is_never_a_success(fresh_database: Database) -> None:
    """A deferred constraint refuses at COMMIT."""
    function = "CREATE FUNCTION late() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE disk_full; END$$"
    trigger = "CREATE CONSTRAINT TRIGGER late AFTER INSERT ON standing DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION late()"
    async with app.serving(fresh_database) as service:
        player = fresh()
        run(fresh_database.superuser, function, trigger)
        await service.admin.post("/v1/incidents", incident(player, "spam-major"), expect=503)
        assert (await service.history(player), (await service.standing(player))["version"]) == ([], 0)
        run(fresh_database.superuser, "DROP TRIGGER late ON standing")
        await service.issue(player, "spam-major")
        assert (await service.standing(player))["version"] == 1


@pytest.mark.parametrize("letter", ["x", "\U0001f0cf"], ids=["ascii", "card"])
async def test_c09_text_is_counted_in_characters_and_kept_whole(service: Service, letter: str) -> None:
    """1 to 4,000 characters are stored, 4,001 and a million refused with no effect at all."""
    player = fresh()
    for length in (1, 2000, 2001, 4000):
        done = await service.issue(player, offense("harassment-minor", description=letter * length))
        assert (await service.auditor.get(f"/v1/incidents/{done['incident_id']}"))["descriptions"] == [letter * length]
    for length, status in ((4001, 422), (10**6, 422 if letter == "x" else 413)):
        body = incident(player, offense("harassment-minor", description=letter * length))
        assert (await service.admin.post("/v1/incidents", body)).status in {status, 413}
    assert (await service.standing(player))["version"] == 4


async def test_the_answer_names_the_act_as_its_caller_did_also_when_it_is_given_again(service: Service) -> None:
    """The reply that is kept under the key has no `external_id`, since that may be erased; who asks with the same body said it again."""
    act, key = fresh("act"), {"Idempotency-Key": fresh("key")}
    body = incident(fresh(), "spam-major", external_id=act)
    first, again = [await service.admin.post("/v1/incidents", body, headers=key) for _ in range(2)]
    assert (first.status, first["external_id"], again.body) == (201, act, first.body)
    assert again.headers["idempotency-replayed"] == "true"
