"""The database and this program compute the same leaf for every event: two code paths that must agree before anything is signed."""

from __future__ import annotations

from shared.eventstore.merkle_leaf import leaf_hash
from shared.eventstore.port import StreamAppend
from shared.eventstore.postgres import PostgresEventStore
from tests.support.requests import ask, event

PAYLOADS = (b"", b"{}", '{"x":"ä\U0001f0a1"}'.encode(), b"\x00\xff\xfe", b"x" * 100_000)
STREAMS = ("record-p1", "record-A:b.c_d-e", "token-\u00e4\u00f6\U0001f0a1")


async def test_both_code_paths_give_the_same_leaf(postgres_store: PostgresEventStore) -> None:
    """Bar 12's precondition, with empty, long, binary and non-ASCII fields."""
    for stream in STREAMS:
        events = tuple(event(payload, "test.happened.v1") for payload in PAYLOADS)
        await postgres_store.append(ask(StreamAppend(stream=stream, expected_version=0, events=events)))
    log = await postgres_store.read_log()
    assert len(log) == len(STREAMS) * len(PAYLOADS)
    assert [stored.leaf_hash for stored in log] == [leaf_hash(stored) for stored in log]
