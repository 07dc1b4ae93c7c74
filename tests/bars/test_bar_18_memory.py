"""Bar 18: slow clients, many uploads at once, a body without an end and a form of thousands of fields leave the serving process small and quick."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass

import pytest

from tests.bars.harness.gateway import Gateway
from tests.bars.harness.scale import SCALE, figure, scaled
from tests.bars.harness.uploads import Seen, dripping, endless, form, watched, whole
from tests.bars.harness.world import World
from tests.support.images import encode, padded, photo, texture

pytestmark = [pytest.mark.bar(18), pytest.mark.alone, pytest.mark.timeout(1800)]

LENGTH = 20_000_000
ENDLESS = 2_000_000_000
MORE_MB, LAG_SECONDS, BUSY_SECONDS = 150, 0.1, 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The serving process meanwhile, its lag in seconds at `rest`, the uploads by status, and what became of the endless ones and of the form."""

    seen: Seen
    rest: float
    statuses: Counter[int]
    cut: list[tuple[int, int]]
    refused: int


async def pressed(gateway: Gateway, token: str, *, uploads: int, slow: int, unending: int = 2) -> Outcome:
    """Everything at once. Every tenth upload is a real picture of 20 MB, the others are small ones with padding."""
    picture, filled = await asyncio.to_thread(photo, LENGTH), padded(LENGTH)
    assert await whole(gateway.port, "/v1/players/warm/cosmetics/avatar", token, encode(texture("warm"))) == 201
    until = asyncio.Event()
    async with watched(gateway) as rest:
        await asyncio.sleep(2)
    async with watched(gateway) as seen:
        drops = [
            asyncio.create_task(dripping(gateway.port, f"/v1/players/slow-{n}/cosmetics/avatar", token, LENGTH, until)) for n in range(slow)
        ]
        ends = [asyncio.create_task(endless(gateway.port, "/v1/players/endless/cosmetics/avatar", token, ENDLESS)) for _ in range(unending)]
        forms = asyncio.create_task(whole(gateway.port, "/v1/players/form/cosmetics/avatar", token, form(5000)))
        given = [
            whole(gateway.port, f"/v1/players/up-{n}/cosmetics/avatar", token, picture if n % 10 == 0 else filled) for n in range(uploads)
        ]
        statuses = Counter(await asyncio.gather(*given))
        cut, refused = await asyncio.gather(*ends), await forms
        until.set()
        sent = await asyncio.gather(*drops)
    assert min(sent) > 0, "a slow client was not even heard"
    return Outcome(seen=seen, rest=rest.lag, statuses=statuses, cut=list(cut), refused=refused)


async def test_uploads_cost_the_serving_process_neither_memory_nor_time(world: World, request: pytest.FixtureRequest) -> None:
    uploads, slow = scaled(100, least=10), scaled(50, least=10)
    async with world.gateway(media=str(world.folder / "media")) as gateway:
        got = await pressed(gateway, world.tokens["game_server"], uploads=uploads, slow=slow)
    figure(
        request,
        f"18: {uploads} uploads of 20 MB at once, {slow} slow ones, 2 endless ones, a form of 5,000 fields: {got.seen.more:.0f} MB more, event-loop "
        f"lag p99 at most {got.seen.lag * 1000:.0f} ms ({got.rest * 1000:.0f} ms at rest); {dict(got.statuses)}; endless cut after "
        f"{max(sent for _, sent in got.cut) / 1e6:.0f} MB with {got.cut[0][0]}; the form {got.refused}",
    )
    assert got.statuses == {201: uploads}
    assert [status for status, _ in got.cut] == [413, 413]
    assert max(sent for _, sent in got.cut) < 60_000_000
    assert got.refused == 415
    assert got.seen.more <= MORE_MB
    if got.rest <= BUSY_SECONDS:  # on a machine so busy that the loop is late without any upload, its lag says nothing about uploads
        assert got.seen.lag <= LAG_SECONDS


async def test_control_uploads_taken_into_the_serving_process_are_seen(world: World) -> None:
    uploads = 12 if SCALE < 1 else 30
    async with world.gateway(broken="hold-uploads", media=str(world.folder / "media")) as gateway:
        got = await pressed(gateway, world.tokens["game_server"], uploads=uploads, slow=2, unending=0)
    assert got.seen.more > MORE_MB
    assert got.seen.lag > LAG_SECONDS
