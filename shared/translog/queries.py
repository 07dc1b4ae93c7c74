"""What the check of the whole log asks the database."""

from __future__ import annotations

from typing import Any

import asyncpg

STATE_SQL = "SELECT h.position, (SELECT max(position) FROM events) FROM log_head h"
CHECKPOINTS_SQL = "SELECT size, root, note, key_id FROM log_checkpoints ORDER BY size"
EXTENTS_SQL = "SELECT level, sum(octet_length(hashes)) / 32, max(number) FROM log_tiles GROUP BY level"
UPPER_SQL = "SELECT level, number, hashes FROM log_tiles WHERE level >= $1"
_STREAMS_SQL = """
SELECT min(e.position) FROM (
    SELECT position, version, row_number() OVER (PARTITION BY stream ORDER BY position) AS place
    FROM events WHERE position <= $1 AND stream IN (
        SELECT stream FROM events WHERE position <= $1 GROUP BY stream HAVING count(*) <> max(version) OR min(version) <> 1)
) e WHERE e.version <> e.place"""


async def connected(dsn: str) -> asyncpg.Connection[Any]:
    """A connection for long reads."""
    return await asyncpg.connect(dsn, server_settings={"application_name": "moderation-verify", "jit": "off"})


async def first_out_of_order(dsn: str, head: int) -> int | None:
    """The first position up to `head` whose event is not the next one of its stream: each counts 1, 2, 3 ... in the order of the log. None: none."""
    connection = await connected(dsn)
    try:
        position: int | None = await connection.fetchval(_STREAMS_SQL, head)
    finally:
        await connection.close()
    return position
