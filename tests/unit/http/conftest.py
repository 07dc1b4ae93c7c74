"""Fixtures of the HTTP mechanism's tests."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

import httpx
import pytest
from fastapi import FastAPI

from shared.http.resources import Resources
from tests.support.http import Registers, client, make_app


@dataclass
class Stand:
    """The application under test."""

    app: FastAPI
    registers: Registers
    resources: Resources


@pytest.fixture
def stand() -> Iterator[Stand]:
    """A new application."""
    yield Stand(*make_app())


@pytest.fixture
async def http(stand: Stand) -> AsyncIterator[httpx.AsyncClient]:
    """Its client."""
    async with client(stand.app) as made:
        yield made
