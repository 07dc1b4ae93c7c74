"""New tables beside the live ones: made like them, filled, and swapped in under their names, with the same keys, indexes and rights.

New tables stand in the same schema as `rebuild_NAME`, since the owner may be allowed to create nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import asyncpg

from shared.eventstore.port import InlineTable

if TYPE_CHECKING:
    Connection = asyncpg.Connection[asyncpg.Record]

Row = tuple[Any, ...]
PREFIX = "rebuild_"
_CONSTRAINTS_SQL = """
SELECT conname, pg_get_constraintdef(oid) AS definition FROM pg_constraint
WHERE conrelid = to_regclass($1) AND contype IN ('p', 'u', 'c', 'x') ORDER BY contype DESC, conname"""
_INDEXES_SQL = """
SELECT c.relname, pg_get_indexdef(i.indexrelid) AS definition FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
WHERE i.indrelid = to_regclass($1) AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid) ORDER BY c.relname"""
_RIGHTS_SQL = """
SELECT a.privilege_type AS privilege, CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END AS grantee
FROM pg_class c, aclexplode(c.relacl) a WHERE c.oid = to_regclass($1)"""
_OPTIONS_SQL = "SELECT reloptions FROM pg_class WHERE oid = to_regclass($1)"


def select(table: InlineTable) -> str:
    """All rows, in the order of the columns."""
    return f"SELECT {', '.join(table.order)} FROM {table.name}"  # noqa: S608  our own names


async def drop_new(connection: Connection, table: InlineTable) -> None:
    """Throw away what a rebuild that was killed has left."""
    await connection.execute(f"DROP TABLE IF EXISTS {PREFIX}{table.name}")


async def create_new(connection: Connection, table: InlineTable, rows: Iterable[Row]) -> None:
    """The new table with these rows; keys and indexes are made behind the COPY, which is faster."""
    new = PREFIX + table.name
    await connection.execute(f"CREATE TABLE {new} (LIKE {table.name} INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING STORAGE INCLUDING COMMENTS)")
    await connection.copy_records_to_table(new, records=rows, columns=table.order)
    for row in await connection.fetch(_CONSTRAINTS_SQL, table.name):
        await connection.execute(f"ALTER TABLE {new} ADD CONSTRAINT {PREFIX}{row['conname']} {row['definition']}")
    for row in await connection.fetch(_INDEXES_SQL, table.name):
        head, tail = row["definition"].split(" USING ", 1)
        unique = "UNIQUE " if head.startswith("CREATE UNIQUE") else ""
        await connection.execute(f"CREATE {unique}INDEX {PREFIX}{row['relname']} ON {new} USING {tail}")
    for row in await connection.fetch(_RIGHTS_SQL, table.name):
        await connection.execute(f"GRANT {row['privilege']} ON {new} TO {row['grantee']}")
    for option in await connection.fetchval(_OPTIONS_SQL, table.name) or ():
        await connection.execute(f"ALTER TABLE {new} SET ({option})")
    await connection.execute(f"ANALYZE {new}")


async def bring_up(connection: Connection, table: InlineTable, keys: Iterable[Row], rows: Mapping[Row, Row]) -> None:
    """Write the rows of these keys as they are now, or delete them."""
    new, changed = PREFIX + table.name, list(keys)
    places = [f"${number}" for number in range(1, len(table.order) + 1)]
    rest = ", ".join(f"{name} = EXCLUDED.{name}" for name in table.order if name not in table.key)
    upsert = (
        f"INSERT INTO {new} ({', '.join(table.order)}) VALUES ({', '.join(places)}) "  # noqa: S608  our own names
        f"ON CONFLICT ({', '.join(table.key)}) DO " + (f"UPDATE SET {rest}" if rest else "NOTHING")
    )
    delete = f"DELETE FROM {new} WHERE " + " AND ".join(f"{name} = ${number}" for number, name in enumerate(table.key, 1))  # noqa: S608
    gone = [key for key in changed if key not in rows]
    if gone:
        await connection.executemany(delete, gone)
    there = [rows[key] for key in changed if key in rows]
    if there:
        await connection.executemany(upsert, there)


async def swap_script(connection: Connection, table: InlineTable) -> str:
    """The statements by which the new table takes the place and the names of the live one; made before any lock is held."""
    name, new = table.name, PREFIX + table.name
    constraints = [row["conname"] for row in await connection.fetch(_CONSTRAINTS_SQL, name)]
    indexes = [row["relname"] for row in await connection.fetch(_INDEXES_SQL, name)]
    statements = [f"DROP TABLE {name}", f"ALTER TABLE {new} RENAME TO {name}"]
    statements += [f"ALTER TABLE {name} RENAME CONSTRAINT {PREFIX}{constraint} TO {constraint}" for constraint in constraints]
    statements += [f"ALTER INDEX {PREFIX}{index} RENAME TO {index}" for index in indexes]
    return ";".join(statements)
