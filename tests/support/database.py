"""PostgreSQL for the test run: one server, a template made by the migrations, a database per worker or per test copied from it.

`MODERATION_TEST_DSN` names a superuser's database on a server that may be used; without it the embedded PostgreSQL is started.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import asyncpg

from migrations import runner


def with_database(dsn: str, name: str) -> str:
    """The same server's database of this name."""
    return urlunsplit(urlsplit(dsn)._replace(path=f"/{name}"))


def as_role(dsn: str, role: str) -> str:
    """The same database, with the rights of this role: the connections of the DSN begin with SET ROLE."""
    parts = urlsplit(dsn)
    return urlunsplit(parts._replace(query=urlencode([*parse_qsl(parts.query), ("role", role)])))


def run(dsn: str, *statements: str) -> list[Any]:
    """Execute the statements one by one, outside any transaction; the rows of the last one. Callable from anywhere."""

    async def work() -> list[Any]:
        connection = await asyncpg.connect(dsn)
        try:
            rows: list[Any] = []
            for statement in statements:
                rows = await connection.fetch(statement)
            return rows
        finally:
            await connection.close()

    with ThreadPoolExecutor(1) as executor:
        return executor.submit(asyncio.run, work()).result()


@dataclass(frozen=True, slots=True, kw_only=True)
class Database:
    """A database of the tests, as a superuser and as the application sees it."""

    name: str
    superuser: str
    app: str

    def clean(self) -> None:
        """Empty every table, as only a superuser who switches the triggers off can."""
        run(self.superuser, CLEAN)


# The log refuses to be emptied, for everybody: the tests take the trigger off and put it back as it was.
CLEAN = """
DO $$
DECLARE names text;
BEGIN
    ALTER TABLE events DISABLE TRIGGER events_append_only;
    SELECT string_agg(quote_ident(relname), ', ') INTO names FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname NOT IN ('alembic_version', 'log_head', 'config_epoch');
    EXECUTE 'TRUNCATE ' || names;
    UPDATE log_head SET position = 0, recorded_at = '1970-01-01T00:00:00Z';
    UPDATE config_epoch SET epoch = 0;
    ALTER TABLE events ENABLE ALWAYS TRIGGER events_append_only;
END
$$
"""


@contextlib.contextmanager
def server() -> Iterator[str]:
    """A superuser's DSN of a running server."""
    given = os.environ.get("MODERATION_TEST_DSN")
    if given:
        yield given
        return
    from shared.embedded import temporary_postgres

    with temporary_postgres() as embedded:
        yield embedded.superuser_dsn


class Server:
    """Makes databases out of a migrated template."""

    def __init__(self, dsn: str, template: str) -> None:
        self.dsn = dsn
        self.template = template

    @classmethod
    def prepare(cls, dsn: str, template: str) -> Server:
        """Make and migrate the template."""
        run(with_database(dsn, "postgres"), f"DROP DATABASE IF EXISTS {template} WITH (FORCE)", f"CREATE DATABASE {template}")
        runner.upgrade(with_database(dsn, template))
        return cls(dsn, template)

    def create(self, prefix: str = "mod_test") -> Database:
        """A new database."""
        name = f"{prefix}_{secrets.token_hex(6)}"
        run(with_database(self.dsn, "postgres"), f"CREATE DATABASE {name} TEMPLATE {self.template} STRATEGY file_copy")
        dsn = with_database(self.dsn, name)
        return Database(name=name, superuser=dsn, app=as_role(dsn, runner.APP))

    def drop(self, name: str) -> None:
        """Remove a database, and whoever is connected to it."""
        run(with_database(self.dsn, "postgres"), f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
