"""Connections to PostgreSQL: dedicated ones that come back after a loss, the pool's, and which errors mean what."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import asyncpg

from shared.refusal import Unavailable

if TYPE_CHECKING:
    from asyncpg.prepared_stmt import PreparedStatement

    BaseConnection = asyncpg.Connection[asyncpg.Record]
    Statement = PreparedStatement[asyncpg.Record]
else:
    BaseConnection = asyncpg.Connection


class PlainConnection(BaseConnection):
    """A connection whose release to a pool costs no query: only for work that never LISTENs, locks a session or SETs."""

    __slots__ = ()

    def get_reset_query(self) -> str:
        """Nothing to reset."""
        return ""


# Commits are durable whatever the role's or the database's default is; a statement that hangs frees the head row by itself.
# Index plans only: a plan made while a table was empty is kept for the connection's life.
WRITER_SETTINGS: Mapping[str, str] = {
    "synchronous_commit": "on",
    "default_transaction_isolation": "read committed",
    "statement_timeout": "4000",
    "lock_timeout": "3000",
    "idle_in_transaction_session_timeout": "5000",
    "enable_seqscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
    "jit": "off",
}
READER_SETTINGS: Mapping[str, str] = {
    "default_transaction_read_only": "on",
    "statement_timeout": "4000",
    "enable_seqscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
    "jit": "off",
}
POOL_SETTINGS: Mapping[str, str] = {"statement_timeout": "10000", "jit": "off"}

_LOST = (
    asyncpg.PostgresConnectionError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.CannotConnectNowError,
    asyncpg.IdleInTransactionSessionTimeoutError,
    asyncpg.InvalidCachedStatementError,  # a migration changed what a prepared statement returns: a new connection prepares it anew
    asyncpg.ReadOnlySQLTransactionError,  # the server became a standby: a new connection may find the primary
    OSError,
    EOFError,
    TimeoutError,
)
_NOT_MIGRATED = (asyncpg.UndefinedFunctionError, asyncpg.UndefinedTableError, asyncpg.UndefinedColumnError)
_NOT_NOW = ("40", "53", "55", "57", "58", "25")


class NotDurableError(RuntimeError):
    """The database would lose commits that it acknowledged."""


def connection_lost(error: BaseException, connection: BaseConnection | None) -> bool:
    """Whether the outcome of what was sent is unknown, because the connection went away under it."""
    return isinstance(error, _LOST) or connection is None or connection.is_closed()


def not_now(error: BaseException) -> bool:
    """Whether the database could not do it now, though nothing is wrong with the request (locks, timeouts, room, read-only)."""
    return isinstance(error, asyncpg.PostgresError) and (error.sqlstate or "")[:2] in _NOT_NOW


def translated(error: BaseException, connection: BaseConnection | None = None) -> BaseException:
    """The error as callers of a store shall see it: `Unavailable` for "not now", else itself."""
    if isinstance(error, (*_LOST, asyncpg.InvalidAuthorizationSpecificationError, asyncpg.InvalidCatalogNameError)) or not_now(error):
        return Unavailable(f"the database does not answer ({type(error).__name__})")
    if isinstance(error, _NOT_MIGRATED):
        return Unavailable("the database has another version of the schema than this program needs")
    if isinstance(error, asyncpg.InterfaceError) and not isinstance(error, ValueError) and (connection is None or connection.is_closed()):
        return Unavailable("the connection to the database was lost")
    return error


async def check_durability(connection: BaseConnection) -> None:
    """Raise `NotDurableError` unless the database keeps what it acknowledges (fsync, full_page_writes, synchronous_commit)."""
    flushed = ("on", "remote_apply", "remote_write", "local")  # all of them wait for the local disk
    for name, accepted in (("fsync", ("on",)), ("full_page_writes", ("on",)), ("synchronous_commit", flushed)):
        value = await connection.fetchval("SELECT current_setting($1)", name)
        if value not in accepted:
            message = f"PostgreSQL runs with {name} = {value}: acknowledged decisions could be lost; set it to {accepted[0]}"
            raise NotDurableError(message)


@dataclass(slots=True, kw_only=True)
class Link:
    """A dedicated connection, made when first needed and again after a loss, with its prepared statements.

    While the database is away an attempt is made at most every `pause` seconds, so that whoever asks knows within `connect_timeout + pause`.
    """

    dsn: str
    name: str
    settings: Mapping[str, str]
    connect_timeout: float = 0.5
    pause: float = 0.3
    connection: BaseConnection | None = None
    _statements: dict[str, Statement] = field(default_factory=dict)
    _not_before: float = 0.0

    async def open(self) -> BaseConnection:
        """The connection. Raises `Unavailable` when there is none to be had."""
        if self.connection is not None and not self.connection.is_closed():
            return self.connection
        self.drop()
        wait = self._not_before - time.monotonic()
        if wait > 0:
            await asyncio.sleep(wait)
        settings = {"application_name": self.name, **self.settings}
        try:
            async with asyncio.timeout(self.connect_timeout):
                connection = await asyncpg.connect(self.dsn, connection_class=PlainConnection, server_settings=settings)
        except Exception as error:
            self._not_before = time.monotonic() + self.pause
            known = translated(error)
            if known is error:
                raise
            raise known from error
        self.connection = connection
        return connection

    async def prepared(self, sql: str) -> Statement:
        """The statement, prepared once per connection."""
        connection = await self.open()
        statement = self._statements.get(sql)
        if statement is None:
            statement = self._statements[sql] = await connection.prepare(sql)
        return statement

    def drop(self) -> None:
        """Cut the connection, whatever it is doing."""
        if self.connection is not None:
            self.connection.terminate()
        self.connection = None
        self._statements.clear()

    async def close(self) -> None:
        """End the connection politely, or cut it."""
        connection, self.connection = self.connection, None
        self._statements.clear()
        if connection is not None and not connection.is_closed():
            try:
                await connection.close(timeout=1)
            except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError):
                connection.terminate()
