"""All uploads of a process together are taken no faster than standings can bear (bar 18), and become whole one after the other."""

from __future__ import annotations

import asyncio

from services.cosmetics.imaging.pace import Pace


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


async def test_the_pace_is_gentle_while_others_are_answered_and_only_then() -> None:
    answered, loop = 0, asyncio.get_running_loop()
    pace = Pace(1_000_000, gentle=100_000, answered=lambda: answered)
    began = loop.time()
    for _ in range(5):
        await pace.take(10_000)
    alone = loop.time() - began
    began = loop.time()
    for _ in range(5):
        answered += 1
        await pace.take(10_000)
    busy = loop.time() - began
    assert alone < 0.3
    assert busy >= 0.4  # the first waits for what was taken alone, each other for the one before


async def uploads(pace: Pace, count: int, pieces: int) -> list[int]:
    """So many uploads at once of so many pieces each: how many pieces of all had passed when each was whole."""
    passed, whole = 0, list[int]()

    async def one() -> None:
        nonlocal passed
        for piece in range(pieces):
            await pace.take(1_000, left=1 - piece / pieces)
            passed += 1
        whole.append(passed)

    await asyncio.gather(*(one() for _ in range(count)))
    return whole


async def test_uploads_that_come_together_become_whole_one_after_the_other() -> None:
    whole = await uploads(Pace(2_000_000), 10, 20)
    assert whole[-1] == 200
    assert whole[0] < 80  # taken in turn the first would be whole after 191 of 200
    assert whole[4] < 140


async def test_control_without_a_favour_they_all_become_whole_at_the_end() -> None:
    whole = await uploads(Pace(2_000_000, favour=0.0), 10, 20)
    assert whole[0] > 180


async def test_one_that_begins_gets_its_turn_although_nearly_whole_ones_keep_coming() -> None:
    pace, stop = Pace(1_000_000, favour=0.2), asyncio.Event()

    async def nearly_whole() -> None:
        while not stop.is_set():
            await pace.take(1_000, left=0.0)

    others = [asyncio.create_task(nearly_whole()) for _ in range(20)]
    await asyncio.sleep(0.05)
    loop = asyncio.get_running_loop()
    began = loop.time()
    await asyncio.wait_for(pace.take(1_000), 5)
    waited = loop.time() - began
    stop.set()
    await asyncio.gather(*others)
    assert waited > 0.1


async def test_a_small_upload_passes_those_that_have_far_to_go() -> None:
    pace, loop = Pace(1_000_000), asyncio.get_running_loop()
    long = [asyncio.create_task(pace.take(50_000, left=0.9)) for _ in range(20)]
    await asyncio.sleep(0.01)
    began = loop.time()
    await pace.take(1_000, left=0.0)
    assert loop.time() - began < 0.5  # a second, had it come last
    for task in long:
        task.cancel()
    await asyncio.gather(*long, return_exceptions=True)


async def test_one_that_is_given_up_holds_up_nobody() -> None:
    pace = Pace(100_000)
    await pace.take(10_000)
    given_up = asyncio.create_task(pace.take(1_000_000))
    waiting = asyncio.create_task(pace.take(1_000))
    await asyncio.sleep(0.01)
    given_up.cancel()
    await asyncio.wait_for(waiting, 2)  # ten seconds, had it still counted
    assert given_up.cancelled()
