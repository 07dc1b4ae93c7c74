"""An event's leaf: every field counts, and no two envelopes share one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256

import pytest
from msgspec.structs import replace

from shared.eventstore.envelope import StoredEvent
from shared.eventstore.merkle_leaf import canonical, leaf_hash

EVENT = StoredEvent(
    position=17,
    stream="record-p1",
    version=3,
    type="moderation.incident_decided.v1",
    recorded_at=datetime(2026, 11, 30, 10, 0, 0, 123456, tzinfo=UTC),
    command_id="c-1",
    meta=b'{"actor":"admin-1"}',
    payload=b'{"x":"\xc3\xa4"}',
    leaf_hash=b"",
)


def test_the_canonical_envelope_is_spelled_out() -> None:
    """Written by hand from the format's description, so that the code is no referee of itself."""
    micros = 1796032800123456
    assert canonical(EVENT) == b"".join(
        [
            b"simorg-leaf-v1\n",
            b"\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00\x00\x11",
            b"\x00\x00\x00\x09record-p1",
            b"\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00\x00\x03",
            b"\x00\x00\x00\x1emoderation.incident_decided.v1",
            b"\x00\x00\x00\x08" + micros.to_bytes(8, "big"),
            b"\x00\x00\x00\x03c-1",
            b'\x00\x00\x00\x13{"actor":"admin-1"}',
            b'\x00\x00\x00\x0a{"x":"\xc3\xa4"}',
        ]
    )
    assert leaf_hash(EVENT) == sha256(b"\x00" + canonical(EVENT)).digest()


@pytest.mark.parametrize(
    "other",
    [
        replace(EVENT, position=18),
        replace(EVENT, stream="record-p2"),
        replace(EVENT, version=4),
        replace(EVENT, type="moderation.incident_decided.v2"),
        replace(EVENT, recorded_at=EVENT.recorded_at + timedelta(microseconds=1)),
        replace(EVENT, command_id="c-2"),
        replace(EVENT, meta=b""),
        replace(EVENT, payload=b"{}"),
        replace(EVENT, meta=EVENT.meta + EVENT.payload[:1], payload=EVENT.payload[1:]),
    ],
)
def test_any_change_changes_the_leaf(other: StoredEvent) -> None:
    """Moving a byte from one field to the next is a change, too."""
    assert leaf_hash(other) != leaf_hash(EVENT)


def test_the_moment_counts_not_how_it_is_written() -> None:
    elsewhere = EVENT.recorded_at.astimezone(timezone(timedelta(hours=9)))
    assert leaf_hash(replace(EVENT, recorded_at=elsewhere)) == leaf_hash(EVENT)


def test_the_stored_hash_is_not_part_of_itself() -> None:
    assert leaf_hash(replace(EVENT, leaf_hash=b"x")) == leaf_hash(EVENT)


def test_moments_before_1970_have_leaves() -> None:
    before = replace(EVENT, recorded_at=datetime(1969, 12, 31, 23, 59, 59, 999999, tzinfo=UTC))
    assert canonical(before).count(b"\xff" * 8) == 1
