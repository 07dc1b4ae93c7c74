"""The leaf of the Merkle log that an event becomes; the database computes the same one when it appends (`log_leaf_hash`)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Final

from shared.eventstore.envelope import StoredEvent

TAG: Final = b"simorg-leaf-v1\n"
_LEAF: Final = b"\x00"  # RFC 6962: what sets a leaf apart from an inner node
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


def canonical(event: StoredEvent) -> bytes:
    """The envelope as one unambiguous string of bytes.

    The tag, then position, stream, version, type, recorded_at (microseconds since 1970), command_id, meta and payload, each as its length in 4
    bytes and its bytes; numbers are 8 bytes, signed; everything big-endian, text in UTF-8.
    """
    fields = (
        _number(event.position),
        event.stream.encode(),
        _number(event.version),
        event.type.encode(),
        _number((event.recorded_at - _EPOCH) // _MICROSECOND),
        event.command_id.encode(),
        event.meta,
        event.payload,
    )
    return TAG + b"".join(len(field).to_bytes(4, "big") + field for field in fields)


def leaf_hash(event: StoredEvent) -> bytes:
    """SHA-256 of a zero byte and the canonical envelope (RFC 6962, 2.1); `event.leaf_hash` is not looked at."""
    return sha256(_LEAF + canonical(event)).digest()


def _number(value: int) -> bytes:
    return value.to_bytes(8, "big", signed=True)
