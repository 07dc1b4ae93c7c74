"""When two read models are the same: hashes over rows in the order of their keys, and what differs."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import msgspec

from shared.eventstore.port import InlineTable

_encode = msgspec.json.Encoder().encode_lines
_AT_ONCE = 1000
_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class TableHash:
    """A table's rows and their SHA-256 in hexadecimal: one JSON array a row, sorted by key."""

    table: str
    rows: int
    sha256: str

    @classmethod
    def of(cls, table: str, rows: Mapping[tuple[Any, ...], tuple[Any, ...]]) -> Self:
        """The hash of these rows by key."""
        digest, keys = hashlib.sha256(), sorted(rows)
        for start in range(0, len(keys), _AT_ONCE):
            digest.update(_encode([rows[key] for key in keys[start : start + _AT_ONCE]]))
        return cls(table=table, rows=len(rows), sha256=digest.hexdigest())


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """How a live table differs from the log: rows that it lacks, has too many, or has otherwise. `keys` are some of them."""

    table: str
    missing: int
    extra: int
    different: int
    keys: tuple[str, ...]
    log: TableHash
    live: TableHash


def drift_of(table: InlineTable, log: Mapping[tuple[Any, ...], tuple[Any, ...]], live: Mapping[tuple[Any, ...], tuple[Any, ...]]) -> Drift | None:
    """The differences, None without any."""
    missing = [key for key in log if key not in live]
    extra = [key for key in live if key not in log]
    different = [key for key, row in log.items() if key in live and live[key] != row]
    if not missing and not extra and not different:
        return None
    keys = tuple(_text(key) for key in sorted((*missing, *extra, *different))[:_SHOWN])
    return Drift(
        table=table.name,
        missing=len(missing),
        extra=len(extra),
        different=len(different),
        keys=keys,
        log=TableHash.of(table.name, log),
        live=TableHash.of(table.name, live),
    )


def _text(key: tuple[Any, ...]) -> str:
    return "/".join(part.hex() if isinstance(part, bytes) else str(part) for part in key)
