"""Bar 12: the log never signs two histories, whatever ends in between; and a witness confirms none."""

from __future__ import annotations

import asyncio
import random

import asyncpg
import pytest

from shared.eventstore import merkle
from shared.translog.checkpoints import Checkpoint, open_checkpoint
from shared.translog.keys import LogKeys
from shared.translog.notes import Signer
from shared.translog.reading import TransparencyLog
from shared.translog.sealer import Sealer, SealError
from shared.translog.verify import verify_log
from tests.bars import tampering
from tests.support.database import Database
from tests.support.translog import KEYS, ORIGIN, fill, fill_and_seal, seal, sealer

NEXT = Signer(name=ORIGIN, seed=b"n" * 32)


async def published(database: Database) -> list[Checkpoint]:
    """Every checkpoint, in the order of their publication."""
    connection = await asyncpg.connect(database.app)
    try:
        notes = await connection.fetch("SELECT note FROM log_checkpoints ORDER BY signed_at")
        return [open_checkpoint(row[0], (*KEYS.trusted, NEXT.verifier))[0] for row in notes]
    finally:
        await connection.close()


@pytest.mark.bar(12)
@pytest.mark.timeout(900)
@pytest.mark.parametrize("kills", [10, pytest.param(40, marks=pytest.mark.full)])
async def test_every_pair_of_published_checkpoints_is_consistent_however_sealers_end(database: Database, kills: int) -> None:
    """Bar 12: sealers are cut off before, in and behind the publication; every pair of published checkpoints is proven consistent."""
    chance = random.Random(12)
    for _ in range(kills):
        fill(database, chance.randint(1, 40))
        rivals = [sealer(database), sealer(database)]
        tasks = [asyncio.create_task(one.seal()) for one in rivals]
        await asyncio.sleep(chance.uniform(0, 0.05))
        for one, task in zip(rivals, tasks, strict=True):
            one.link.drop()  # the connection dies under it, as it does with the process
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if chance.random() < 0.5:
            await seal(database)
    await seal(database)
    heads = await published(database)
    assert [head.size for head in heads] == sorted({head.size for head in heads})
    connection = await asyncpg.connect(database.app)
    try:
        log = TransparencyLog(connection.fetch, KEYS)
        for older, newer in [(one, other) for at, one in enumerate(heads) for other in heads[at + 1 :]]:
            _, path = await log.consistency(older.size, newer.size)
            assert merkle.verify_consistency(older.size, newer.size, older.root, newer.root, path)
    finally:
        await connection.close()
    assert (await verify_log(database.app, KEYS.trusted)).problem is None


@pytest.mark.bar(12)
async def test_who_signs_before_the_commit_signs_two_histories(database: Database) -> None:
    """Bar 12, negative control: a signer that takes events as they are written, and publishes at once, is caught by the same comparison."""
    connection = await asyncpg.connect(database.superuser)
    signed: list[Checkpoint] = []
    try:
        for payload in (b"first", b"second"):
            transaction = connection.transaction()
            await transaction.start()
            await connection.fetchval("SELECT log_insert('{s}', '{1}', '{t.t.v1}', '{c}', $1, $1)", [payload])
            leaves = [row[0] for row in await connection.fetch("SELECT leaf_hash FROM events ORDER BY position")]
            signed.append(Checkpoint(origin=ORIGIN, size=1, root=merkle.root_of(leaves)))
            await transaction.rollback()  # as when the process is killed
    finally:
        await connection.close()
    assert not merkle.verify_consistency(1, 1, signed[0].root, signed[1].root, [])


@pytest.mark.bar(12)
async def test_two_sealers_take_turns_and_one_takes_over(database: Database) -> None:
    """Architecture, section 2: several processes, one seals at a time."""
    fill(database, 10)
    first, second = sealer(database), sealer(database)
    try:
        assert not await first.seal()
        fill(database, 5)
        assert not await second.seal()
        assert [head.size for head in await published(database)] == [10]
        await first.close()
        await second.seal()
        assert [head.size for head in await published(database)] == [10, 15]
    finally:
        await second.close()


@pytest.mark.bar(12)
@pytest.mark.parametrize("kind", ["unchanged", "edit", "swap", "cut", "rewrite_with_tiles"])
async def test_nothing_more_is_signed_over_a_log_that_was_changed(fresh_database: Database, kind: str) -> None:
    """Bar 12: what was sealed and what is about to be sealed, each changed by a superuser; a control seals the same log unchanged."""
    await fill_and_seal(fresh_database, 40)
    fill(fresh_database, 20)
    connection = await asyncpg.connect(fresh_database.superuser)
    one = sealer(fresh_database)
    try:
        await connection.execute(tampering.OPEN)
        rows = [tampering.Row(**dict(row)) for row in await connection.fetch("SELECT * FROM events ORDER BY position")]
        changed = {
            "edit": tampering.Forgery(rows=[*rows[:50], tampering.altered(random.Random(4), rows[50]), *rows[51:]], first=51, last=51),
            "swap": tampering.Forgery(rows=[*rows[:49], rows[50], *rows[51:]], first=50, last=50),
            "cut": tampering.Forgery(rows=rows[:30], first=31, last=31, head=30),
        }.get(kind)
        if kind == "rewrite_with_tiles":
            await tampering.write_tiles(connection, [b"x" * 32] * 40)
        elif changed is not None:
            await tampering.write(connection, changed, rows)
        if kind == "unchanged":
            assert not await one.seal()
            return
        with pytest.raises(SealError):
            await one.seal()
        assert [head.size for head in await published(fresh_database)] == [40]
    finally:
        await one.close()
        await connection.close()


async def test_a_sealer_that_saw_more_refuses_a_log_that_went_back(fresh_database: Database) -> None:
    """Bar 12: a database restored to an older state, tiles and checkpoints included, is not signed again by who knows better."""
    one = sealer(fresh_database)
    connection = await asyncpg.connect(fresh_database.superuser)
    try:
        for _ in range(2):
            fill(fresh_database, 30)
            await one.seal()
        await connection.execute(tampering.OPEN)
        rows = [tampering.Row(**dict(row)) for row in await connection.fetch("SELECT * FROM events ORDER BY position")]
        await tampering.write(connection, tampering.Forgery(rows=rows[:30], first=31, last=31, head=30), rows)
        await tampering.write_tiles(connection, [row.leaf_hash for row in rows[:30]])
        await connection.execute("DELETE FROM log_checkpoints WHERE size > 30")
        with pytest.raises(SealError, match="went back"):
            await one.seal()
    finally:
        await one.close()
        await connection.close()


async def test_a_rotated_key_signs_the_same_tree_and_the_old_one_stays_known(database: Database) -> None:
    """Key rotation: with the old key named, the same size is signed anew; without it nothing is; in the log both signatures verify."""
    await fill_and_seal(database, 20)
    with pytest.raises(SealError, match="not ours"):
        await seal(database, LogKeys(signer=NEXT))
    rotated = LogKeys(signer=NEXT, previous=(KEYS.signer.verifier,))
    await seal(database, rotated)
    heads = await published(database)
    assert [(head.size, head.root) for head in heads] == [(20, heads[0].root)] * 2
    fill(database, 1)
    await seal(database, rotated)
    assert (await verify_log(database.app, rotated.trusted)).problem is None
    report = await verify_log(database.app, [NEXT.verifier])
    assert report.problem is not None
    assert "checkpoint" in report.problem.what


async def test_an_empty_log_has_a_checkpoint_and_a_full_tile_ends_well(database: Database) -> None:
    one = sealer(database)
    try:
        await one.seal()
        assert [(head.size, head.root) for head in await published(database)] == [(0, merkle.EMPTY_ROOT)]
        for size in (255, 256, 257):
            fill(database, size - (await published(database))[-1].size)
            await one.seal()
        fill(database, 9000)
        assert await one.seal(), "more than a step is left"
        while await one.seal():
            pass
        assert (await verify_log(database.app, KEYS.trusted)).problem is None
    finally:
        await one.close()


async def test_the_running_sealer_covers_an_event_within_a_second(database: Database) -> None:
    """Architecture, section 2: a checkpoint at most a second later; the measured wait is for a busy machine twice that."""
    sizes: list[int] = []
    one: Sealer = sealer(database)
    one.on_sealed = sizes.append
    task = asyncio.create_task(one.run())
    try:
        await asyncio.sleep(0.5)
        for count in (1, 2, 3):
            await asyncio.to_thread(fill, database, 1)
            async with asyncio.timeout(2):
                while not sizes or sizes[-1] < count:  # noqa: ASYNC110  the sealer only tells
                    await asyncio.sleep(0.02)
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await one.close()
