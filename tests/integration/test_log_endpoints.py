"""The log over HTTP (contract, Audit): checkpoints, tiles and proofs that lead to each other; what does not exist is refused."""

from __future__ import annotations

import asyncio
from base64 import b64decode
from hashlib import sha256
from typing import Any

import pytest

from shared.eventstore import merkle
from shared.translog import tiles
from shared.translog.checkpoints import Checkpoint, open_checkpoint
from shared.translog.leaf import parse_leaf
from shared.translog.notes import parse_verifier
from tests.support.app import Service, serving
from tests.support.database import Database


async def raw(service: Service, path: str, **params: Any) -> bytes:
    """The bytes of a reply that is no JSON."""
    reply = await service.http.get(path, params=params, headers={"Authorization": f"Bearer {service.game.token}"})
    assert reply.status_code == 200, reply.text
    return reply.content


async def covering(service: Service, size: int) -> Checkpoint:
    """The checkpoint, once it covers so many events."""
    key = parse_verifier((await service.game.get("/v1/log/key"))["vkey"])
    async with asyncio.timeout(10):
        while True:
            reply = await service.http.get("/v1/log/checkpoint", headers={"Authorization": f"Bearer {service.game.token}"})
            if reply.status_code != 503:  # none at all yet
                checkpoint, _, _ = open_checkpoint(reply.content, [key])
                if checkpoint.size >= size:
                    return checkpoint
            await asyncio.sleep(0.05)


async def test_entries_tiles_and_proofs_lead_to_the_checkpoint(database: Database) -> None:
    """Contract, Audit."""
    async with serving(database) as service:
        position = (await service.issue("p1", "spam-major"))["position"]
        head = await covering(service, position)
        page = (await service.auditor.get("/v1/log/entries", limit=200)).body
        entries = page["items"]
        assert page["next_after"] is None
        hashes = [bytes.fromhex(entry["leaf_hash"]) for entry in entries[: head.size]]
        assert [sha256(b"\0" + b64decode(entry["leaf"])).digest() for entry in entries[: head.size]] == hashes
        assert [parse_leaf(b64decode(entry["leaf"])).position for entry in entries] == list(range(1, len(entries) + 1))
        assert merkle.root_of(hashes) == head.root
        tile = await raw(service, f"/v1/log/tile/{tiles.path_of(0, 0, head.size)}")
        assert tiles.split_hashes(tile) == hashes
        for size in range(1, head.size + 1):
            proof = (await service.game.get("/v1/log/proofs/inclusion", position=size, size=head.size)).body
            assert (proof["leaf_index"], proof["tree_size"]) == (size - 1, head.size)
            path = [bytes.fromhex(text) for text in proof["hashes"]]
            assert merkle.verify_inclusion(size - 1, head.size, hashes[size - 1], path, head.root)
            proof = (await service.game.get("/v1/log/proofs/consistency", **{"from": size, "to": head.size})).body
            path = [bytes.fromhex(text) for text in proof["hashes"]]
            assert merkle.verify_consistency(size, head.size, merkle.root_of(hashes[:size]), head.root, path)
        first = (await service.auditor.get("/v1/log/entries", limit=2)).body
        assert ([item["position"] for item in first["items"]], first["next_after"]) == ([1, 2], 2)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("tile/0/000", 404), ("tile/0/000.p/255", 404), ("tile/0/x000/000", 404), ("tile/0/1", 404), ("tile/64/000", 404), ("tile/0/000.p/0", 404),
        ("tile/0/x999/x999/999", 404), ("tile/entries/000", 404), ("tile/0/000.p/1/2/3", 404), ("proofs/inclusion?position=0", 422),
        ("proofs/inclusion", 422), ("proofs/inclusion?position=1000000", 404), ("proofs/inclusion?position=1&size=1000000", 404),
        ("proofs/inclusion?position=2&size=1", 404), ("proofs/inclusion?position=1&size=0", 404), ("proofs/consistency?from=2&to=1", 422),
        ("proofs/consistency?from=1&to=1000000", 404), ("proofs/consistency", 422), ("proofs/consistency?from=-1&to=1", 422),
    ],
)  # fmt: skip
async def test_what_the_tree_does_not_have_is_refused(database: Database, path: str, status: int) -> None:
    """P04: 404 or 422, never a 5xx."""
    async with serving(database) as service:
        await covering(service, 5)
        await service.game.call("GET", f"/v1/log/{path}", expect=status)
        await service.admin.call("GET", "/v1/log/entries", expect=403)
