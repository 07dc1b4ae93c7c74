"""All uploads of a process together are taken no faster than standings can bear (bar 18)."""

from __future__ import annotations

import asyncio

from services.cosmetics.imaging.spool import Pace


async def test_bytes_pass_at_the_rate_however_many_send_them() -> None:
    pace, loop = Pace(1_000_000), asyncio.get_running_loop()
    began = loop.time()
    await asyncio.gather(*(pace.take(20_000) for _ in range(10)))
    assert 0.17 <= loop.time() - began < 2  # the first ones at once, the last after 180 ms


async def test_one_that_comes_after_a_pause_waits_for_nothing() -> None:
    """A pause is not saved up either: two at once after it wait for one another."""
    pace, loop = Pace(1_000_000), asyncio.get_running_loop()
    await pace.take(50_000)
    await asyncio.sleep(0.1)
    began = loop.time()
    await pace.take(100_000)
    assert loop.time() - began < 0.05
    await pace.take(1)
    assert loop.time() - began >= 0.09
