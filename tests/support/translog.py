"""A log for tests of the Merkle tree: filled at once, sealed step by step."""

from __future__ import annotations

from shared.eventstore.connections import Link
from shared.translog.keys import LogKeys
from shared.translog.notes import Signer
from shared.translog.sealer import SETTINGS, Sealer
from tests.support.database import Database, run

ORIGIN = "log.example/v1/log"
KEYS = LogKeys(signer=Signer(name=ORIGIN, seed=bytes(range(32))))

# As the append function would, for many events at once; three events a stream.
FILL = """
DO $$
DECLARE base bigint; moment timestamptz; micros bigint;
BEGIN
    SELECT position, GREATEST(clock_timestamp(), recorded_at) INTO base, moment FROM log_head FOR UPDATE;
    micros := (extract(epoch FROM moment) * 1000000)::bigint;
    INSERT INTO events
    SELECT base + n, 'record-p' || (base + n - 1) / 3, (base + n - 1) % 3 + 1, 'test.happened.v1', moment, 'c' || n, m, p,
           log_leaf_hash(base + n, 'record-p' || (base + n - 1) / 3, ((base + n - 1) % 3 + 1)::integer, 'test.happened.v1', micros, 'c' || n, m, p)
    FROM generate_series(1, {count}) AS n, LATERAL (SELECT convert_to('{{"actor":"admin-1","role":"admin"}}', 'UTF8') AS m,
         convert_to('{{"n":' || n || ',"text":"' || repeat(md5(n::text), {size} / 32) || '"}}', 'UTF8') AS p) x;
    UPDATE log_head SET position = base + {count}, recorded_at = moment;
END
$$
"""


def fill(database: Database, count: int, *, size: int = 256) -> None:
    """Append so many events with payloads of about `size` bytes."""
    run(database.superuser, FILL.format(count=count, size=size))


def sealer(database: Database, keys: LogKeys = KEYS) -> Sealer:
    """A sealer with the application's rights."""
    return Sealer(link=Link(dsn=database.app, name="test-sealer", settings=SETTINGS, connect_timeout=5), keys=keys)


async def seal(database: Database, keys: LogKeys = KEYS) -> None:
    """Seal all there is."""
    one = sealer(database, keys)
    try:
        while await one.seal():
            pass
    finally:
        await one.close()


async def fill_and_seal(database: Database, *counts: int) -> None:
    """Append and seal in steps, each with a checkpoint."""
    for count in counts:
        fill(database, count)
        await seal(database)
