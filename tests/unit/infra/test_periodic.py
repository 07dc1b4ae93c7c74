"""Work beside the requests goes on after a round that failed."""

from __future__ import annotations

import asyncio

import pytest

from shared.periodic import every
from shared.refusal import Unavailable


async def test_a_round_that_fails_ends_nothing() -> None:
    outcomes: list[Exception | None] = [Unavailable("away"), ValueError("a fault"), None]
    rounds = 0

    async def work() -> None:
        nonlocal rounds
        outcome = outcomes[rounds]
        rounds += 1
        if outcome is not None:
            raise outcome
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await every(0.0, work, "test")
    assert rounds == len(outcomes)
