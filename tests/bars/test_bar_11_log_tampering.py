"""Bar 11: whatever is done to the log by someone with every right over the database, `moderation verify` finds it and says where it begins."""

from __future__ import annotations

import os
import random
import time
from collections import Counter

import asyncpg
import pytest

from shared.eventstore.postgres import stored_event
from shared.translog.checkpoints import Checkpoint, open_checkpoint, sign
from shared.translog.tiles import TreeBuilder
from shared.translog.verify import verify_log
from tests.bars import tampering
from tests.bars.tampering import Forgery
from tests.support.database import Database
from tests.support.translog import KEYS, fill, fill_and_seal, seal

TRUSTED = KEYS.trusted


def steps(events: int) -> list[int]:
    """How many events between the checkpoints."""
    chance, left, found = random.Random(3), events, []
    while left:
        found.append(min(left, chance.choice((1, 7, 100, 256, 300, 700))))
        left -= found[-1]
    return found


@pytest.mark.bar(11)
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("events", "forgeries", "clean"), [(2_000, 100, 10), pytest.param(10_000, 1_000, 100, marks=pytest.mark.full)])
async def test_every_forgery_is_found_where_it_begins(fresh_database: Database, events: int, forgeries: int, clean: int) -> None:
    """Bar 11."""
    await fill_and_seal(fresh_database, *steps(events))
    connection = await asyncpg.connect(fresh_database.superuser)
    found: Counter[str] = Counter()
    try:
        rows = [stored_event(row) for row in await connection.fetch("SELECT * FROM events ORDER BY position")]
        signed = await connection.fetch("SELECT * FROM log_checkpoints ORDER BY size")
        held = await connection.fetch("SELECT * FROM log_tiles")
        kept, _, _ = open_checkpoint(signed[-1]["note"], TRUSTED)
        for _ in range(clean):
            assert (await verify_log(fresh_database.app, TRUSTED, kept=[kept])).problems == ()
        await connection.execute(tampering.OPEN)
        chance = random.Random(11)
        for number in range(forgeries):
            kind = tampering.KINDS[number % len(tampering.KINDS)]
            forged = kind(chance, rows)
            if forged.cut_to is not None:
                forged = cut_to(forged, signed)
                await connection.execute("DELETE FROM log_checkpoints WHERE size > $1", forged.head)
                await tampering.write_tiles(connection, [row.leaf_hash for row in forged.rows])
            await tampering.write(connection, forged, rows)
            report = await verify_log(fresh_database.app, TRUSTED, kept=[kept])
            assert report.problem is not None, f"{kind.__name__} {number} was not found"
            first = max((row["size"] for row in signed if row["size"] < forged.last), default=0) + 1 if forged.tiles else forged.first
            assert first <= report.problem.position <= forged.last, (kind.__name__, number, forged.first, forged.last, report.problems[:3])
            found[kind.__name__] += 1
            await restore(connection, forged, rows, signed, held)
        assert (await verify_log(fresh_database.app, TRUSTED, kept=[kept])).problems == ()
    finally:
        await connection.close()
    print(f"bar 11: {found.total()} of {forgeries} forgeries found, {clean} clean runs clean")


def cut_to(forged: Forgery, signed: list[asyncpg.Record]) -> Forgery:
    """Choose the older checkpoint."""
    size = signed[(forged.cut_to or 0) % (len(signed) - 1)]["size"]
    return Forgery(rows=forged.rows[:size], first=size + 1, last=size + 1, head=size, cut_to=size)


async def restore(
    connection: asyncpg.Connection[asyncpg.Record],
    forged: Forgery,
    rows: list[tampering.Row],
    signed: list[asyncpg.Record],
    held: list[asyncpg.Record],
) -> None:
    """Put everything back."""
    await tampering.write(connection, Forgery(rows=rows, first=0, last=0), forged.rows)
    await connection.execute("UPDATE log_head SET position = $1", len(rows))
    if forged.tiles or forged.cut_to is not None:
        await connection.execute("DELETE FROM log_tiles")
        await connection.copy_records_to_table("log_tiles", records=[tuple(row) for row in held])
        await connection.execute("DELETE FROM log_checkpoints")
        await connection.copy_records_to_table("log_checkpoints", records=[tuple(row) for row in signed])


@pytest.mark.bar(11)
async def test_who_holds_the_logs_key_is_found_by_kept_checkpoints_alone(fresh_database: Database) -> None:
    """Bar 11, negative control: a history rewritten with its tiles and signed with the stolen key passes, until a kept checkpoint is asked."""
    await fill_and_seal(fresh_database, 50, 50)
    connection = await asyncpg.connect(fresh_database.superuser)
    try:
        rows = [stored_event(row) for row in await connection.fetch("SELECT * FROM events ORDER BY position")]
        note = await connection.fetchval("SELECT note FROM log_checkpoints ORDER BY size DESC LIMIT 1")
        kept, _, _ = open_checkpoint(note, TRUSTED)
        await connection.execute(tampering.OPEN)
        forged = tampering.rewrite_with_tiles(random.Random(1), rows)
        await tampering.write(connection, forged, rows)
        await connection.execute("DELETE FROM log_checkpoints")
        builder = TreeBuilder(0, {})
        builder.extend(row.leaf_hash for row in forged.rows)
        again = sign(Checkpoint(origin=kept.origin, size=100, root=builder.root()), KEYS.signer)
        await connection.execute(
            "INSERT INTO log_checkpoints VALUES (100, $1, $2, $3, now())", again.signatures[0].key_id, builder.root(), again.render().encode()
        )
    finally:
        await connection.close()
    assert (await verify_log(fresh_database.app, TRUSTED)).problem is None
    assert (await verify_log(fresh_database.app, TRUSTED, kept=[kept])).problem is not None


@pytest.mark.bar(11)
async def test_the_application_can_change_nothing_that_is_logged_or_signed(database: Database) -> None:
    """Bar 11: no UPDATE, DELETE, TRUNCATE or ALTER with the application's rights, and no seal that does not continue the last one."""
    await fill_and_seal(database, 5)
    connection = await asyncpg.connect(database.app)
    try:
        for table in ("events", "log_head", "log_tiles", "log_checkpoints"):
            column = {"events": "position", "log_head": "position", "log_tiles": "level", "log_checkpoints": "size"}[table]
            change, remove = f"UPDATE {table} SET {column} = 1", f"DELETE FROM {table}"  # noqa: S608  constants
            for statement in (change, remove, f"TRUNCATE {table}", f"ALTER TABLE {table} DISABLE TRIGGER ALL"):
                with pytest.raises(asyncpg.InsufficientPrivilegeError):
                    await connection.execute(statement)
        size, root = await connection.fetchrow("SELECT size, root FROM log_checkpoints")  # type: ignore[misc]
        seal_sql = "SELECT log_seal($1, $2, $3, $4, 'k', 'n', $5, $6, $7)"
        assert await connection.fetchval(seal_sql, size, b"r" * 32, size, root, [], [], []) is False
        for new_size, new_root, hashes in ((size, b"r" * 32, []), (size + 1, b"r" * 32, []), (size - 1, root, []), (size, root, [b"h" * 32])):
            with pytest.raises(asyncpg.IntegrityConstraintViolationError):
                await connection.fetchval(seal_sql, size, root, new_size, new_root, [0] * len(hashes), [0] * len(hashes), hashes)
    finally:
        await connection.close()


@pytest.mark.bar(11)
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("events", [pytest.param(1_000_000, marks=pytest.mark.full)])
async def test_a_million_events_are_checked_at_a_hundred_thousand_a_second(fresh_database: Database, events: int) -> None:
    """Bar 11: reported; the payloads have about 256 bytes."""
    events = int(os.environ.get("SCALE", events))
    for _ in range(0, events, 50_000):
        fill(fresh_database, min(50_000, events))
    began = time.perf_counter()
    await seal(fresh_database)
    sealed = time.perf_counter() - began
    for processes in (1, 2):
        began = time.perf_counter()
        report = await verify_log(fresh_database.app, TRUSTED, processes=processes)
        seconds = time.perf_counter() - began
        assert report.problem is None
        assert report.sealed == report.events >= events
        print(f"bar 11: {report.events / seconds:,.0f} events/s checked with {processes} process(es); sealed at {report.events / sealed:,.0f}/s")
