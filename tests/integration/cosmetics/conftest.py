"""The service that the tests of cosmetics share."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.support import app
from tests.support import database as databases


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def running(database_server: databases.Server) -> AsyncIterator[app.Service]:
    database = database_server.create("mod_images")
    try:
        async with app.serving(database) as service:
            yield service
    finally:
        database_server.drop(database.name)


@pytest.fixture
def service(running: app.Service) -> app.Service:
    running.clock.moment = app.T0
    return running
