"""The log over HTTP (contract, Audit): checkpoints, tiles, proofs, and for auditors the entries."""

from __future__ import annotations

from base64 import b64encode
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from shared.eventstore.merkle_leaf import canonical
from shared.eventstore.postgres import PostgresEventStore
from shared.http.call import Call, Reply
from shared.http.endpoint import EVERYONE, Endpoint
from shared.http.types import MAX_INT, Count, Limit
from shared.refusal import Refusal
from shared.security.principals import Role
from shared.translog.reading import TransparencyLog
from shared.translog.tiles import parse_path

Position = Annotated[int, Meta(ge=1, le=MAX_INT, description="A position of the log; leaf index = position - 1.")]
HexHash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z", description="A SHA-256 in hexadecimal.")]
TILE_PARTS = ("a", "b", "c", "d")  # 10**9 tiles a level, and a width


class KeyReply(msgspec.Struct, frozen=True, kw_only=True):
    """The log's verifier key (c2sp.org/signed-note), and those that signed before it."""

    name: str
    vkey: str
    previous: list[str]


class EntriesQuery(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Which part of the log."""

    after: Count = 0
    limit: Limit = 50


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One leaf: its canonical envelope (docs/log-format.md) in base64 and its hash."""

    position: int
    leaf_hash: HexHash
    leaf: str


class Entries(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the log; `next_after` is the `after` that continues it, null at its end."""

    items: list[Entry]
    next_after: int | None


class InclusionQuery(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Which event, in the tree of which size (default: the last checkpoint's)."""

    position: Position
    size: Count | None = None


class ConsistencyQuery(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """From the tree of which size to that of which (default: the last checkpoint's)."""

    from_size: Count = msgspec.field(name="from")
    to: Count | None = None


class InclusionProof(msgspec.Struct, frozen=True, kw_only=True):
    """An inclusion proof (RFC 6962, 2.1.1)."""

    leaf_index: int
    tree_size: int
    hashes: list[HexHash]


class ConsistencyProof(msgspec.Struct, frozen=True, kw_only=True):
    """A consistency proof (RFC 6962, 2.1.2)."""

    old_size: int
    tree_size: int
    hashes: list[HexHash]


async def get_checkpoint(call: Call) -> Reply:
    """Give the last signed checkpoint."""
    sealed = await call.get(TransparencyLog).last()
    return Reply(body=sealed.note, media_type="text/plain; charset=utf-8", headers={"Cache-Control": "no-cache"})


async def get_key(call: Call) -> Reply:
    """Give the verifier keys."""
    keys = call.get(TransparencyLog).keys
    key = keys.signer.verifier
    return Reply.json(KeyReply(name=key.name, vkey=str(key), previous=[str(one) for one in keys.previous]))


async def get_entries(call: Call) -> Reply:
    """Give a part of the log as it is stored: personal fields are ciphertext in it."""
    query: EntriesQuery = call.query
    found = await call.get(PostgresEventStore).read_log(after=query.after, limit=query.limit + 1)
    items = [
        Entry(position=event.position, leaf_hash=event.leaf_hash.hex(), leaf=b64encode(canonical(event)).decode()) for event in found[: query.limit]
    ]
    return Reply.json(Entries(items=items, next_after=items[-1].position if len(found) > query.limit else None))


async def get_tile(call: Call) -> Reply:
    """Give a tile of the tree."""
    path = parse_path(call.path["level"], [call.path[part] for part in TILE_PARTS if part in call.path])
    if path is None:
        raise Refusal("not_found", "This is no path of a tile.")
    body = await call.get(TransparencyLog).tile(path)
    return Reply(body=body, media_type="application/octet-stream", headers={"Cache-Control": "private, max-age=31536000, immutable"})


async def get_inclusion(call: Call) -> Reply:
    """Prove that an event is in the log."""
    query: InclusionQuery = call.query
    index = query.position - 1
    size, hashes = await call.get(TransparencyLog).inclusion(index, query.size)
    return Reply.json(InclusionProof(leaf_index=index, tree_size=size, hashes=[one.hex() for one in hashes]))


async def get_consistency(call: Call) -> Reply:
    """Prove that the log only grew."""
    query: ConsistencyQuery = call.query
    size, hashes = await call.get(TransparencyLog).consistency(query.from_size, query.to)
    return Reply.json(ConsistencyProof(old_size=query.from_size, tree_size=size, hashes=[one.hex() for one in hashes]))


_HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
_VKEY = "log.example+2f7b8a01+AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQ=="


def _get(path: str, handler: Any, summary: str, **more: Any) -> Endpoint:
    more = {"roles": EVERYONE, "tags": ("log",), **more}
    return Endpoint(method="GET", path=path, handler=handler, summary=summary, **more)


ENDPOINTS = (
    _get(
        "/v1/log/checkpoint", get_checkpoint, "The signed head of the log", reply_type="text/plain",
        description="A C2SP checkpoint: origin, size and root, signed with Ed25519. It covers an event at most a second after it was recorded.",
    ),
    _get(
        "/v1/log/key", get_key, "The key that signs the log", reply=KeyReply, reply_example={"name": "log.example", "vkey": _VKEY, "previous": []},
        description="Keep it: a copy of your own is worth more than asking the log that you want to check.",
    ),
    _get(
        "/v1/log/entries", get_entries, "The log in order", roles=frozenset({Role.AUDITOR}), query=EntriesQuery, reply=Entries,
        reply_example={"items": [{"position": 1, "leaf_hash": _HASH, "leaf": "c2ltb3JnLWxlYWYtdjEK"}], "next_after": None},
        description="Each event as the leaf that it is in the tree; `after` is the position behind which to go on. Personal fields stay sealed.",
    ),
    *(
        _get(
            f"/v1/log/tile/{{level}}/{'/'.join(f'{{{part}}}' for part in TILE_PARTS[:count])}", get_tile, f"A tile of the tree ({count} parts)",
            reply_type="application/octet-stream", codes=("not_found",),
            description="A C2SP tile: up to 256 hashes of one level. The number is in groups of three digits, all but the last after an `x`; a "
            "partial tile ends in `.p/WIDTH`. Entry bundles are not served here: `GET /v1/log/entries` gives entries to auditors.",
        )
        for count in range(1, len(TILE_PARTS) + 1)
    ),
    _get(
        "/v1/log/proofs/inclusion", get_inclusion, "Proof that an event is in the log", query=InclusionQuery, reply=InclusionProof,
        codes=("not_found",), reply_example={"leaf_index": 0, "tree_size": 2, "hashes": [_HASH]},
    ),
    _get(
        "/v1/log/proofs/consistency", get_consistency, "Proof that the log only grew", query=ConsistencyQuery, reply=ConsistencyProof,
        codes=("not_found",), reply_example={"old_size": 1, "tree_size": 2, "hashes": [_HASH]},
    ),
)  # fmt: skip
