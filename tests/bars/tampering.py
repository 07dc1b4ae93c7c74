"""Ways in which someone with every right over the database may falsify the log, each with the positions between which it must be found."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

import asyncpg
from msgspec.structs import replace

from shared.eventstore.envelope import StoredEvent
from shared.eventstore.merkle_leaf import leaf_hash
from shared.translog import tiles

Row = StoredEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgery:
    """The falsified log: its events, where its head is, and whether tiles and checkpoints were made to fit (up to which size)."""

    rows: list[Row]
    first: int
    last: int
    head: int | None = None
    tiles: bool = False
    cut_to: int | None = None


def fit(rows: list[Row], begin: int) -> list[Row]:
    """The events from index `begin` on, numbered without a gap and with hashes that fit."""
    kept = rows[:begin]
    for at in range(begin, len(rows)):
        row = replace(rows[at], position=at + 1)
        kept.append(replace(row, leaf_hash=leaf_hash(row)))
    return kept


def altered(chance: random.Random, row: Row) -> Row:
    """The event with one field changed."""
    field = chance.choice(("payload", "meta", "type", "stream", "command_id", "recorded_at", "version", "leaf_hash"))
    if field in ("payload", "meta", "leaf_hash"):
        raw = bytearray(getattr(row, field))
        raw[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
        return replace(row, **{field: bytes(raw)})
    if field == "recorded_at":
        return replace(row, recorded_at=row.recorded_at + timedelta(microseconds=chance.choice((-1, 1, 86_400_000_000))))
    if field == "version":
        return replace(row, version=row.version + chance.choice((-1, 1, 1000)))
    return replace(row, **{field: getattr(row, field) + "x"})


def edit(chance: random.Random, rows: list[Row]) -> Forgery:
    """One field of one event."""
    at = chance.randrange(len(rows))
    return Forgery(rows=[*rows[:at], altered(chance, rows[at]), *rows[at + 1 :]], first=at + 1, last=at + 1)


def edit_and_hash(chance: random.Random, rows: list[Row]) -> Forgery:
    """The same, with a leaf hash that fits."""
    at = chance.randrange(len(rows))
    row = replace(rows[at], payload=rows[at].payload + b" ")
    return Forgery(rows=[*rows[:at], replace(row, leaf_hash=leaf_hash(row)), *rows[at + 1 :]], first=at + 1, last=at + 1)


def remove(chance: random.Random, rows: list[Row]) -> Forgery:
    """One event."""
    at = chance.randrange(len(rows))
    return Forgery(rows=[*rows[:at], *rows[at + 1 :]], first=at + 1, last=at + 1)


def remove_and_renumber(chance: random.Random, rows: list[Row]) -> Forgery:
    """One event, and those behind it move up, with hashes that fit."""
    at = chance.randrange(len(rows))
    return Forgery(rows=fit([*rows[:at], *rows[at + 1 :]], at), first=at + 1, last=at + 1, head=len(rows) - 1)


def insert(chance: random.Random, rows: list[Row]) -> Forgery:
    """An event that never was, and those behind it move down, with hashes that fit."""
    at = chance.randrange(len(rows))
    new = replace(rows[at], stream="record-victim", version=1)
    return Forgery(rows=fit([*rows[:at], new, *rows[at:]], at), first=at + 1, last=at + 1, head=len(rows) + 1)


def swap(chance: random.Random, rows: list[Row]) -> Forgery:
    """Two events change places, with hashes that fit or without."""
    one, other = sorted(chance.sample(range(len(rows)), 2))
    changed = list(rows)
    changed[one], changed[other] = replace(rows[other], position=one + 1), replace(rows[one], position=other + 1)
    if chance.random() < 0.5:
        for at in (one, other):
            changed[at] = replace(changed[at], leaf_hash=leaf_hash(changed[at]))
    return Forgery(rows=changed, first=one + 1, last=one + 1)


def renumber(chance: random.Random, rows: list[Row]) -> Forgery:
    """The events from somewhere on get higher positions."""
    at = chance.randrange(len(rows))
    gap = chance.randint(1, 5)
    moved = [replace(row, position=row.position + gap) for row in rows[at:]]
    return Forgery(rows=[*rows[:at], *moved], first=at + 1, last=at + 1, head=len(rows) + gap)


def cut(chance: random.Random, rows: list[Row]) -> Forgery:
    """The end of the log, with or without its head."""
    at = chance.randrange(1, len(rows))
    return Forgery(rows=rows[:at], first=at + 1, last=at + 1, head=at if chance.random() < 0.5 else None)


def rewrite(chance: random.Random, rows: list[Row]) -> Forgery:
    """Everything from somewhere on, with hashes that fit."""
    at = chance.randrange(len(rows))
    return Forgery(rows=fit([*rows[:at], *(replace(row, meta=row.meta + b" ") for row in rows[at:])], at), first=at + 1, last=at + 1)


def rewrite_with_tiles(chance: random.Random, rows: list[Row]) -> Forgery:
    """The same with tiles that fit too: only the signed checkpoints are left to tell, from the first one that covers it."""
    forged = rewrite(chance, rows)
    return dataclasses.replace(forged, first=1, tiles=True)


def cut_all(chance: random.Random, rows: list[Row]) -> Forgery:
    """Log, tiles and checkpoints are cut back to an older checkpoint: only a checkpoint that was kept elsewhere tells."""
    return Forgery(rows=rows, first=0, last=0, cut_to=chance.randrange(1 << 30))


KINDS: tuple[Callable[[random.Random, list[Row]], Forgery], ...] = (
    edit, edit_and_hash, remove, remove_and_renumber, insert, swap, renumber, cut, rewrite, rewrite_with_tiles, cut_all,
)  # fmt: skip

OPEN = """
ALTER TABLE events DISABLE TRIGGER events_append_only; ALTER TABLE log_checkpoints DISABLE TRIGGER log_checkpoints_stay;
ALTER TABLE events DROP CONSTRAINT IF EXISTS events_stream_version
"""
COLUMNS = ("position", "stream", "version", "type", "recorded_at", "command_id", "meta", "payload", "leaf_hash")


async def write(connection: asyncpg.Connection[asyncpg.Record], forged: Forgery, original: list[Row]) -> None:
    """Make the database say this instead of `original`."""
    shared = min(len(forged.rows), len(original))
    begin = next((at for at in range(shared) if forged.rows[at] is not original[at]), shared)
    async with connection.transaction():
        await connection.execute("DELETE FROM events WHERE position > $1", begin)
        records = [tuple(getattr(row, name) for name in COLUMNS) for row in forged.rows[begin:]]
        await connection.copy_records_to_table("events", records=records, columns=COLUMNS)
        await connection.execute("UPDATE log_head SET position = $1", len(original) if forged.head is None else forged.head)
        if forged.tiles:
            await write_tiles(connection, [row.leaf_hash for row in forged.rows])


async def write_tiles(connection: asyncpg.Connection[asyncpg.Record], leaves: list[bytes]) -> None:
    """Tiles over these leaves."""
    builder = tiles.TreeBuilder(0, {})
    builder.extend(leaves)
    await connection.execute("DELETE FROM log_tiles")
    await connection.copy_records_to_table("log_tiles", records=[(level, number, raw) for (level, number), raw in builder.changed().items()])
