"""Waiting for a position: bounded in time and in number, and one look serves all who wait (contract, `min_position`)."""

from __future__ import annotations

import asyncio
import time

import pytest

from services.gateway.waiting import PositionWaits
from shared.refusal import Unavailable


class Log:
    """A head that can be moved, made slow, or broken; it counts who looks."""

    def __init__(self, position: int = 0) -> None:
        self.position, self.looks, self.seconds = position, 0, 0.0
        self.trouble: Exception | None = None

    async def head(self) -> int:
        self.looks += 1
        await asyncio.sleep(self.seconds)
        if self.trouble is not None:
            raise self.trouble
        return self.position


async def test_a_position_that_is_there_is_not_waited_for() -> None:
    log = Log(7)
    began = time.monotonic()
    await PositionWaits(log.head).until(7)
    assert (log.looks, time.monotonic() - began < 0.5) == (1, True)


async def test_a_hundred_who_wait_look_once_at_a_time_and_all_go_on_when_it_comes() -> None:
    log = Log(1)
    waits = PositionWaits(log.head, seconds=5)
    waiting = [asyncio.create_task(waits.until(2 + number % 3)) for number in range(100)]
    await asyncio.sleep(0.1)
    assert not any(task.done() for task in waiting)
    assert log.looks < 10
    log.position = 4
    await asyncio.gather(*waiting)
    looks = log.looks
    await asyncio.sleep(0.1)
    assert log.looks == looks  # nobody waits, nobody looks


async def test_what_does_not_come_in_time_is_unavailable() -> None:
    with pytest.raises(Unavailable, match="Position 9 is not here yet"):
        await PositionWaits(Log(8).head, seconds=0.05).until(9)


async def test_a_log_that_does_not_answer_holds_nobody_beyond_the_time() -> None:
    log = Log(9)
    log.seconds = 3
    began = time.monotonic()
    with pytest.raises(Unavailable):
        await PositionWaits(log.head, seconds=0.05).until(9)
    assert time.monotonic() - began < 2


async def test_one_more_than_may_wait_is_told_at_once_and_a_place_is_free_again_later() -> None:
    log = Log(1)
    waits = PositionWaits(log.head, most=2, seconds=5)
    waiting = [asyncio.create_task(waits.until(2)) for _ in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(Unavailable, match="Too many"):
        await waits.until(2)
    log.position = 2
    await asyncio.gather(*waiting)
    await waits.until(2)


async def test_who_goes_away_leaves_the_place() -> None:
    waits = PositionWaits(Log(1).head, most=1, seconds=5)
    gone = asyncio.create_task(waits.until(2))
    await asyncio.sleep(0)
    gone.cancel()
    await asyncio.wait([gone])
    await waits.until(1)


async def test_trouble_with_the_log_is_told_to_those_who_wait_and_the_next_one_looks_again() -> None:
    log = Log(1)
    log.trouble = Unavailable("The database is away.")
    waits = PositionWaits(log.head, seconds=5)
    for _ in range(2):
        with pytest.raises(Unavailable, match="away"):
            await waits.until(1)
    log.trouble = None
    await waits.until(1)
