"""One running service a file of faults: players are fresh in every test, and the clock begins anew."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.support import app
from tests.support import database as databases


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def running(database_server: databases.Server) -> AsyncIterator[app.Service]:
    """The whole service over a database of its own, in this process."""
    database = database_server.create("mod_faults")
    try:
        async with app.serving(database) as service:
            yield service
    finally:
        database_server.drop(database.name)


@pytest.fixture
def service(running: app.Service) -> app.Service:
    """The running service with its clock at T0."""
    running.clock.moment = app.T0
    return running
