"""Fixtures of the HTTP mechanism's tests."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest

from tests.support.http import Stand, client, make_stand


@pytest.fixture
def stand() -> Stand:
    """A new application."""
    return make_stand()


@pytest.fixture
async def http(stand: Stand) -> AsyncIterator[httpx.AsyncClient]:
    """Its client."""
    async with client(stand.app) as made:
        yield made
