"""Back from the bytes of a leaf to the event that it is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Final

from shared.eventstore.envelope import StoredEvent
from shared.eventstore.merkle_leaf import TAG, canonical

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_FIELDS: Final = 8


class LeafError(ValueError):
    """These bytes are no leaf of this log."""


def parse_leaf(raw: bytes) -> StoredEvent:
    """The event whose canonical envelope this is, `leaf_hash` included. Raises `LeafError` for anything else."""
    fields = _split(raw)
    try:
        position, version, recorded_us = (_number(fields[at]) for at in (0, 2, 4))
        event = StoredEvent(
            position=position,
            stream=fields[1].decode(),
            version=version,
            type=fields[3].decode(),
            recorded_at=_EPOCH + timedelta(microseconds=recorded_us),
            command_id=fields[5].decode(),
            meta=fields[6],
            payload=fields[7],
            leaf_hash=sha256(b"\x00" + raw).digest(),
        )
    except (UnicodeDecodeError, OverflowError):
        raise LeafError("a part of the leaf is not what it must be") from None
    if canonical(event) != raw:
        raise LeafError("the leaf is not written in its one form")
    return event


def _split(raw: bytes) -> list[bytes]:
    if not raw.startswith(TAG):
        raise LeafError("a leaf begins with its tag")
    fields: list[bytes] = []
    at = len(TAG)
    while at < len(raw):
        end = at + 4 + int.from_bytes(raw[at : at + 4], "big")
        if end > len(raw) or len(fields) == _FIELDS:
            raise LeafError("the leaf has other parts than it says")
        fields.append(raw[at + 4 : end])
        at = end
    if len(fields) != _FIELDS:
        raise LeafError("a leaf has eight parts")
    return fields


def _number(raw: bytes) -> int:
    if len(raw) != 8:
        raise LeafError("a number of a leaf has eight bytes")
    return int.from_bytes(raw, "big", signed=True)
