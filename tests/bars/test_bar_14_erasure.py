"""Bar 14: a tenth of the players are erased; nothing that was said about them is left anywhere, and everything that was decided stands."""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
from typing import Any

import msgspec
import pytest

from services.cosmetics.api import Forgetting
from services.moderation.erasure import handler as erasing
from shared.blobs.store import BlobStore
from shared.eventstore.port import TableWrite
from shared.security.keys import KeyedHash
from tests.bars.harness.scale import figure, scaled
from tests.support import app, images
from tests.support.app import Service, serving
from tests.support.database import Database, run

pytestmark = [pytest.mark.bar(14), pytest.mark.timeout(1800)]

_TABLES = "SELECT relname FROM pg_class WHERE relkind IN ('r', 'v') AND relnamespace = 'public'::regnamespace ORDER BY relname"
_LEAVES = "SELECT position, encode(leaf_hash, 'hex') FROM events ORDER BY position"
REASON = {"reason": "Asked for."}
encode = msgspec.json.Encoder(order="sorted").encode


class Person:
    """A player with a word of their own in everything that can be written about them."""

    def __init__(self, number: int) -> None:
        self.id = f"person-{number}"
        self.canary = f"canary{number}{secrets.token_hex(8)}"
        self.incident_id = self.appeal_id = ""
        self.pictured, self.cosmetic_id, self.image = number % 5 == 0, "", b""
        self.asked: list[dict[str, Any]] = []

    def says(self, where: str) -> str:
        return f"{self.canary} in the {where}"


async def write_about(service: Service, person: Person, network_ban_id: str) -> None:
    """Incident, import, adjustment, appeal with its verdict, exemption, calls, for some an image: each with the person's own word."""
    if person.pictured:
        await picture_of(service, person)  # before the ban, under which nothing is uploaded and nobody called
    call: dict[str, Any] = {"caller_id": person.id, "category": "harassment", "origin": "lobby", "message": person.says("call")}
    call["context"] = {"chat_ref": person.says("chat")}
    await service.game.post("/v1/calls", call, expect=201)
    evidence = [{"kind": "chat_log", "ref": person.says("reference"), "text": person.says("log")}]
    deed = app.incident(
        person.id,
        app.offense("cheating", description=person.says("deed")),
        evidence=evidence,
        internal_note=person.says("note"),
        external_id=person.says("report"),
    )
    done = await service.admin.post("/v1/incidents", deed, expect=201, headers={"Idempotency-Key": person.says("key")})
    person.incident_id = done["incident_id"]
    person.asked.append(deed)
    old = {"player_id": person.id, "infraction": "spam-major", "decided_at": "2024-03-01T12:00:00Z", "decided_by": "former-admin", "strike": True}
    row = {**old, "sanctions": [{"kind": "ban", "days": 1}], "external_id": person.says("old report")}
    await service.head.post("/v1/incidents/import", {"incidents": [row]}, expect=200, headers={"Idempotency-Key": person.says("import")})
    person.asked.append({"incidents": [row]})
    sanctions = {"sanctions": [{"kind": "ban", "days": 30}], "strike": True, "reason": person.says("adjustment")}
    path = f"/v1/incidents/{person.incident_id}/adjustments"
    adjusted = await service.head.post(path, sanctions, expect=201, headers={"Idempotency-Key": person.says("adjustment key")})
    appeal = {"player_id": person.id, "incident_id": person.incident_id, "grounds": person.says("grounds")}
    opened = await service.game.post("/v1/appeals", appeal, expect=201, headers={"Idempotency-Key": f"appeal-{person.id}"})
    person.appeal_id = opened["appeal_id"]
    verdict = {"outcome": "upheld", "reason": person.says("verdict"), "reply": person.says("reply"), "player_version": opened["version"]}
    await service.senior.post(f"/v1/appeals/{person.appeal_id}/decision", verdict, expect=200)
    exemption = {"player_id": person.id, "reason": person.says("exemption")}
    await service.head.post(f"/v1/network-bans/{network_ban_id}/exemptions", exemption, expect=201)
    await service.access(person.id, "198.51.100.4")
    assert adjusted["version"] == 3


async def picture_of(service: Service, person: Person) -> None:
    """An image of theirs, of which the served bytes are kept here; and what somebody said of it."""
    head = {"Authorization": f"Bearer {service.tokens.game_server}", "Player-Tier": "pro"}
    reply = await service.http.put(f"/v1/players/{person.id}/cosmetics/sleeve", content=images.encode(images.texture(person.canary)), headers=head)
    assert reply.status_code == 201, reply.text
    person.cosmetic_id = reply.json()["cosmetic_id"]
    person.image = (await service.http.get(f"/v1/cosmetics/{person.cosmetic_id}/image", headers=head)).content
    report = {"reporter_id": "somebody", "reason": person.says("report")}
    await service.game.post(f"/v1/cosmetics/{person.cosmetic_id}/reports", report, expect=201)


async def blobs_of(service: Service) -> dict[str, bytes]:
    """Every blob by its key."""
    store = service.resources.get(BlobStore)
    keys = [blob.key async for blob in store.blobs("images/")]
    return {key: await store.get(key) or b"" for key in keys}


async def read_about(service: Service, person: Person) -> str:
    """All that staff can read of a person."""
    paths = [f"/v1/incidents/{person.incident_id}", f"/v1/appeals/{person.appeal_id}"]
    paths += [f"/v1/players/{person.id}/{name}" for name in ("incidents", "history", "replay")]
    found = [str((await service.senior.get(path)).body) for path in paths]
    return " ".join([*found, str((await service.game.get(f"/v1/incidents/{person.incident_id}/statement")).body)])


def stored(database: Database) -> str:
    """Every row of every table and view as text; binary columns are in hexadecimal."""
    names = [row[0] for row in run(database.superuser, _TABLES)]
    return "\n".join(row[0] for name in names for row in run(database.superuser, f"SELECT t::text FROM {name} t"))  # noqa: S608  our own names


def left(persons: list[Person], text: str) -> list[str]:
    """Of whom a word stands in the text, in clear or in hexadecimal, or a hash that anybody can make of their words."""
    found = hashes_in(text)
    return [person.id for person in persons if person.canary in text or person.canary.encode().hex() in text or guesses(person) & found]


def hashes_in(text: str) -> set[str]:
    """All that may be a hash: runs of hexadecimal digits, in the text and in the bytes that it shows in hexadecimal."""
    runs = set(re.findall(r"[0-9a-f]{32,}", text))
    inner = (re.findall(rb"[0-9a-f]{32,}", bytes.fromhex(run)) for run in runs if len(run) % 2 == 0 and len(run) > 64)
    return runs | {found.decode() for some in inner for found in some}


def guesses(person: Person) -> set[str]:
    """Plain hashes of their names, keys and whole requests: who guesses the words has them confirmed by such a one."""
    names = [person.says(where).encode() for where in ("report", "old report", "key", "import", "adjustment key")]
    requests = [encode(asked) for body in person.asked for asked in (body, [body, {}])]
    makers = (hashlib.sha256, hashlib.sha1, hashlib.md5, lambda words: hashlib.blake2b(words, digest_size=16), hashlib.blake2b)
    return {make(words).hexdigest() for words in (*names, *requests) for make in makers}


def pictured_in(persons: list[Person], blobs: dict[str, bytes]) -> list[str]:
    """Of whom an image is among the blobs, by its name or by its bytes."""
    names, contents = {key.split("/")[1] for key in blobs}, set(blobs.values())
    return [person.id for person in persons if person.pictured and (person.cosmetic_id in names or person.image in contents)]


async def populated(service: Service, count: int) -> list[Person]:
    ban = await service.head.post("/v1/network-bans", {"network": "203.0.113.0/24", "reason": "Farm."}, expect=201)
    people = [Person(number) for number in range(count)]
    for start in range(0, count, 8):  # the exemptions of one ban take turns
        await asyncio.gather(*(write_about(service, person, ban["network_ban_id"]) for person in people[start : start + 8]))
    return people


async def erase(service: Service, persons: list[Person]) -> None:
    for person in persons:
        await service.head.post(f"/v1/players/{person.id}/erasure", REASON, expect=200)


async def test_nothing_said_about_the_erased_is_left_and_what_was_decided_stands(
    fresh_database: Database, request: pytest.FixtureRequest, capfd: pytest.CaptureFixture[str]
) -> None:
    async with serving(fresh_database) as service:
        people = await populated(service, scaled(2000))
        erased, others = people[::10], [person for number, person in enumerate(people) if number % 10]
        standings = [(await service.standing(person.id)).body for person in people]
        leaves = run(fresh_database.superuser, _LEAVES)
        await erase(service, erased)
        views = [await read_about(service, person) for person in people]
        assert [person.id for person, view in zip(people, views, strict=True) if person.canary in view] == [person.id for person in others]
        for person, before in zip(people, standings, strict=True):
            now = (await service.standing(person.id)).body
            assert (now["strikes"], now["ban"], now["status"]) == (before["strikes"], before["ban"], before["status"])
        blobs = await blobs_of(service)
        assert pictured_in(erased, blobs) == []
        assert pictured_in(others, blobs) == [person.id for person in others if person.pictured]
        keys = {row[0] for row in run(fresh_database.superuser, "SELECT subject FROM data_keys")}
        assert not keys & {person.id for person in erased}
    assert run(fresh_database.superuser, _LEAVES)[: len(leaves)] == leaves
    dump = stored(fresh_database)
    logs = "".join(capfd.readouterr())
    assert left(people, dump) == []
    assert left(people, logs) == []
    searched = f"{len(dump):,} characters of all tables and {len(logs):,} of logs, 0 images in {len(blobs)} blobs"
    figure(request, f"14: {len(erased)} of {len(people)} players erased: 0 words left in {searched}")


async def test_control_a_key_that_is_not_destroyed_is_found(fresh_database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(*_: Any) -> list[TableWrite]:
        return []

    monkeypatch.setattr(erasing, "_destroyed", nothing)
    async with serving(fresh_database) as service:
        people = await populated(service, 2)
        await erase(service, people)
        assert all([person.canary in await read_about(service, person) for person in people])


async def test_control_an_image_that_is_not_destroyed_is_found(fresh_database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    async def nothing(*_: Any) -> None:
        return

    monkeypatch.setattr(Forgetting, "forget", nothing)
    async with serving(fresh_database) as service:
        people = await populated(service, 1)
        await erase(service, people)
        assert pictured_in(people, await blobs_of(service)) == [people[0].id]


@pytest.mark.parametrize("guessable", ["fingerprint", "key"])
async def test_control_a_hash_without_a_key_is_found(fresh_database: Database, monkeypatch: pytest.MonkeyPatch, guessable: str) -> None:
    def plain(_: KeyedHash, words: bytes) -> bytes:
        return hashlib.sha256(words.removeprefix(b"key:")).digest()

    monkeypatch.setattr(KeyedHash, "digest_bytes", plain)
    async with serving(fresh_database) as service:
        people = await populated(service, 1)
        await erase(service, people)
    (person,), found = people, hashes_in(stored(fresh_database))
    words = encode([person.asked[0], {}]) if guessable == "fingerprint" else person.says("key").encode()
    assert hashlib.sha256(words).hexdigest() in found & guesses(person)
