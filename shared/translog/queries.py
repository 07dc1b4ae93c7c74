"""What the check of the whole log asks the database."""

from __future__ import annotations

STATE_SQL = "SELECT h.position, (SELECT max(position) FROM events) FROM log_head h"
CHECKPOINTS_SQL = "SELECT size, root, note, key_id FROM log_checkpoints ORDER BY size"
EXTENTS_SQL = "SELECT level, sum(octet_length(hashes)) / 32, max(number) FROM log_tiles GROUP BY level"
UPPER_SQL = "SELECT level, number, hashes FROM log_tiles WHERE level >= $1"
STREAMS_SQL = """
SELECT min(e.position) FROM (
    SELECT position, version, row_number() OVER (PARTITION BY stream ORDER BY position) AS place
    FROM events WHERE position <= $1 AND stream IN (
        SELECT stream FROM events WHERE position <= $1 GROUP BY stream HAVING count(*) <> max(version) OR min(version) <> 1)
) e WHERE e.version <> e.place"""
