"""PostgreSQL as a child process: found, initialised, started with its parent and stopped with it."""

from __future__ import annotations

from shared.embedded.binaries import PgBinaries, find_pg_bin
from shared.embedded.errors import EmbeddedPostgresError
from shared.embedded.server import EmbeddedPostgres
from shared.embedded.temporary import temporary_postgres

__all__ = ["EmbeddedPostgres", "EmbeddedPostgresError", "PgBinaries", "find_pg_bin", "temporary_postgres"]
