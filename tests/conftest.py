"""What every test may ask for: a migrated PostgreSQL database, emptied before each test, and stores over it."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Iterator

import pytest

from shared.eventstore.postgres import PostgresEventStore
from tests.support import database as databases
from tests.support.figures import pytest_terminal_summary
from tests.support.live import Live, running

__all__ = ["pytest_terminal_summary"]  # a hook of pytest's


@pytest.fixture(scope="session")
def database_server(worker_id: str) -> Iterator[databases.Server]:
    """A server with the migrated template (each xdist worker its own template)."""
    with databases.server() as dsn:
        server = databases.Server.prepare(dsn, f"mod_template_{worker_id}_{secrets.token_hex(4)}")
        try:
            yield server
        finally:
            server.drop(server.template)


@pytest.fixture(scope="session")
def worker_database(database_server: databases.Server) -> Iterator[databases.Database]:
    """The worker's own database."""
    database = database_server.create()
    try:
        yield database
    finally:
        database_server.drop(database.name)


@pytest.fixture
def database(worker_database: databases.Database) -> databases.Database:
    """The worker's database, empty."""
    worker_database.clean()
    return worker_database


@pytest.fixture
def fresh_database(database_server: databases.Server) -> Iterator[databases.Database]:
    """A database that no other test uses, for those that break or migrate it."""
    database = database_server.create()
    try:
        yield database
    finally:
        database_server.drop(database.name)


@pytest.fixture
async def postgres_store(database: databases.Database) -> AsyncIterator[PostgresEventStore]:
    """A started store over the empty database, with the application's rights."""
    async with PostgresEventStore(database.app) as store:
        yield store


@pytest.fixture(scope="session")
def worker_id(request: pytest.FixtureRequest) -> str:
    """The xdist worker's name, `main` without xdist."""
    workerinput: dict[str, str] = getattr(request.config, "workerinput", {})
    return workerinput.get("workerid", "main")


@pytest.fixture(scope="session")
def live(database_server: databases.Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """`moderation dev` as a process, for the whole run: tests keep apart by their players. `live.client("admin-1")` is a client of it."""
    database = database_server.create()
    try:
        with running(tmp_path_factory.mktemp("live"), database) as service:
            yield service
    finally:
        database_server.drop(database.name)
