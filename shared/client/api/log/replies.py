"""What comes back. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from msgspec import Struct


class ConsistencyProof(Struct, frozen=True, kw_only=True):
    """A consistency proof (RFC 6962, 2.1.2)."""

    old_size: int
    tree_size: int
    hashes: list[str]


class Entries(Struct, frozen=True, kw_only=True):
    """A part of the log; `next_after` is the `after` that continues it, null at its end."""

    items: list[Entry]
    next_after: int | None


class Entry(Struct, frozen=True, kw_only=True):
    """One leaf: its canonical envelope (docs/log-format.md) in base64 and its hash."""

    position: int
    leaf_hash: str
    leaf: str


class InclusionProof(Struct, frozen=True, kw_only=True):
    """An inclusion proof (RFC 6962, 2.1.1)."""

    leaf_index: int
    tree_size: int
    hashes: list[str]


class KeyReply(Struct, frozen=True, kw_only=True):
    """The log's verifier key (c2sp.org/signed-note), and those that signed before it."""

    name: str
    vkey: str
    previous: list[str]
