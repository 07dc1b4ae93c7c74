"""Brings a database to a version of the schema, or tells which one it has. Safe to run while the service is in use."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import asyncpg
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.script.revision import RevisionError
from sqlalchemy.exc import DBAPIError

T = TypeVar("T")
OWNER = "moderation_owner"
APP = "moderation_app"
_ONE_AT_A_TIME = 0x51304C06
_LOCK_NOT_AVAILABLE = "55P03"
# A step that has to wait for a lock queues everybody behind it: it gives up after this long, and tries again.
_LOCK_TIMEOUT = "500ms"
_TRIES = 60


class MigrationError(Exception):
    """The database could not be brought to the version; it is at the version of the last step that succeeded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """The schema's version in the database (None: empty), the newest one known, and the steps in between."""

    current: str | None
    head: str
    pending: tuple[str, ...]


def upgrade(dsn: str, to: str = "head") -> None:
    """Run the steps up to a version, each in a transaction, one migrator at a time. Raises `MigrationError`."""
    _sync(_prepare(dsn))
    _migrate(dsn, lambda config: command.upgrade(config, to))


def downgrade(dsn: str, to: str) -> None:
    """Undo steps down to a version (`base`: all of them, with what the tables hold). Raises `MigrationError`."""
    _migrate(dsn, lambda config: command.downgrade(config, to))


def status(dsn: str) -> Status:
    """Which version the database has and which steps it lacks: none when a newer program has migrated it past all that we know (steps only add)."""
    script = ScriptDirectory.from_config(_config(dsn, {}))
    current = _sync(_current(dsn))
    try:
        pending = [step.revision for step in script.iterate_revisions("heads", current or "base")]
    except RevisionError:
        pending = []
    return Status(current=current, head=script.get_current_head() or "", pending=tuple(reversed(pending)))


def _config(dsn: str, settings: dict[str, str]) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["dsn"] = dsn
    config.attributes["settings"] = settings
    return config


def _sync(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end in a thread of its own: the caller may have a running event loop."""
    with ThreadPoolExecutor(1) as executor:
        return executor.submit(asyncio.run, work).result()


def _migrate(dsn: str, run: Callable[[Config], None]) -> None:
    settings = {"role": OWNER, "lock_timeout": _LOCK_TIMEOUT, "application_name": "moderation-migrate", "client_min_messages": "warning"}
    for attempt in range(_TRIES):
        try:
            with _Exclusive(dsn):
                run(_config(dsn, settings))
        except DBAPIError as error:
            if getattr(error.orig, "sqlstate", None) != _LOCK_NOT_AVAILABLE or attempt == _TRIES - 1:
                message = f"the migration failed: {error.orig}"
                raise MigrationError(message) from error
            time.sleep(0.5)
        else:
            return


class _Exclusive:
    """Holds an advisory lock on its own connection while a migration runs."""

    def __init__(self, dsn: str) -> None:
        self._dsn = dsn
        self._runner = ThreadPoolExecutor(1)
        self._loop = asyncio.new_event_loop()
        self._connection: asyncpg.Connection[asyncpg.Record] | None = None

    def __enter__(self) -> None:
        self._runner.submit(self._loop.run_until_complete, self._take()).result()

    def __exit__(self, *_: object) -> None:
        self._runner.submit(self._loop.run_until_complete, self._release()).result()
        self._loop.close()
        self._runner.shutdown()

    async def _take(self) -> None:
        self._connection = await asyncpg.connect(self._dsn, server_settings={"application_name": "moderation-migrate-lock"})
        await self._connection.execute(f"SELECT pg_advisory_lock({_ONE_AT_A_TIME})")

    async def _release(self) -> None:
        if self._connection is not None:
            await self._connection.close()


async def _current(dsn: str) -> str | None:
    connection = await asyncpg.connect(dsn)
    try:
        if await connection.fetchval("SELECT to_regclass('public.alembic_version')") is None:
            return None
        version: str | None = await connection.fetchval("SELECT version_num FROM public.alembic_version")
        return version
    finally:
        await connection.close()


async def _prepare(dsn: str) -> None:
    """Make the two roles where they are missing, and let the owner create tables."""
    connection = await asyncpg.connect(dsn)
    try:
        for role in (OWNER, APP):
            await _make_role(connection, role)
        if not await connection.fetchval("SELECT pg_has_role(current_user, $1, 'MEMBER')", OWNER):
            await connection.execute(f"GRANT {OWNER} TO CURRENT_USER")
        if not await connection.fetchval("SELECT has_schema_privilege($1, 'public', 'CREATE')", OWNER):
            await connection.execute(f"GRANT USAGE, CREATE ON SCHEMA public TO {OWNER}")
    except asyncpg.InsufficientPrivilegeError as error:
        message = (
            f"{error}: run the first migration as a superuser, or create the roles {OWNER} and {APP} yourself, "
            f"let the first one create in schema public, and migrate as it or as one of its members"
        )
        raise MigrationError(message) from error
    finally:
        await connection.close()


async def _make_role(connection: asyncpg.Connection[asyncpg.Record], role: str) -> None:
    if await connection.fetchval("SELECT 1 FROM pg_roles WHERE rolname = $1", role):
        return
    try:
        await connection.execute(f"CREATE ROLE {role} LOGIN")
    except (asyncpg.DuplicateObjectError, asyncpg.UniqueViolationError):
        return  # someone else made it meanwhile
