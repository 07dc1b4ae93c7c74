"""The client's feed against a service that this file plays: what is waited for, what is given up, and what is raised."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import httpx
import pytest

from services.moderation.webhooks.decider import FEED_TYPES
from shared.client import FeedType, Problem, Retries
from shared.client.events import Event, EventReader
from shared.client.progress import Progress
from tests.unit.client.test_client import Service, ok, problem

STREAM = {"Content-Type": "text/event-stream; charset=utf-8"}
QUICK = Retries(tries=2, first_seconds=1, longest_seconds=4, total_seconds=60)


def frame(position: int, number: int, *, last: bool = True, kind: str = "test.told") -> bytes:
    told = b'data: {"position":%d,"type":"%s","data":{"n":%d}}\n' % (position, kind.encode(), number)
    return told + (b"id: %d\n\n" % position if last else b"\n")


def stream(*frames: bytes, hello: bytes = b"retry: 700\n: connected\n\n") -> httpx.Response:
    return httpx.Response(200, headers=STREAM, content=hello + b"".join(frames))


def page(*positions: int, upto: int) -> httpx.Response:
    items = [{"position": position, "type": "test.told", "data": {"n": n}} for n, position in enumerate(positions)]
    return ok({"items": items, "next_after": upto})


async def first(service: Service, count: int, **asked: Any) -> list[tuple[int, int]]:
    """Position and number of the first items."""
    async with service.client(retries=QUICK) as client, client.feed(**asked) as feed:
        found = [await anext(feed) for _ in range(count)]
    return [(item.position, item.data["n"]) for item in found]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_events_are_read_wherever_the_bytes_were_cut(size: int, end: bytes) -> None:
    """Separators of text that are none of the format's stay in the data."""
    words = "data: \u2028a\x85b".encode()
    told = [b"retry: 700", b"id: 4", b": hi", b"", words, b"data:c", b"", b": beat", b"", b"event: x", b"data: d", b"id: x", b"", b"data: cut"]
    given = end.join(told)
    reader = EventReader()
    events = [event for at in range(0, len(given), size) for event in reader.read(given[at : at + size])]
    text = "\u2028a\x85b\nc".encode()
    assert events == [Event(place=4, retry=700), Event(data=text), Event(data=b"d")]


def test_no_item_is_new_twice_wherever_the_reading_begins_anew() -> None:
    """Positions of one to four items, cut after every one of them: each is new once, and `after` never names a position that is not whole."""
    items = [(position, number) for position, count in ((3, 2), (4, 1), (7, 4), (9, 3)) for number in range(count)]
    last = {(3, 1), (4, 0), (7, 3), (9, 2)}
    progress, given = Progress(2), []
    while progress.after != 9:
        progress.restart()
        for item in (one for one in items if one[0] > (progress.after or 0)):
            if progress.take(item[0], last=item in last):
                given.append(item)
                assert progress.after == max([2, *(position for position, number in given if (position, number) in last)])
                break
    assert given == items


async def test_it_goes_on_behind_the_last_id_and_gives_the_rest_of_a_position_that_was_cut() -> None:
    service = Service(
        stream(frame(5, 0), frame(6, 0, last=False), frame(6, 1, last=False)),
        httpx.ReadError("cut"),
        stream(frame(6, 0, last=False), frame(6, 1, last=False), frame(6, 2), frame(8, 0)),
    )
    assert await first(service, 5, after=4) == [(5, 0), (6, 0), (6, 1), (6, 2), (8, 0)]
    assert service.sent("last-event-id") == ["4", "5", "5"]
    assert service.waits[0] == 0.7  # what the stream asked for
    assert 0.5 <= service.waits[1] <= 1


async def test_types_are_chosen_and_the_rest_counts_as_given() -> None:
    paused = "duel.paused"
    service = Service(stream(frame(5, 0, last=False), frame(5, 1, last=False, kind=paused), frame(5, 2)), stream(frame(6, 3, kind=paused)))
    assert await first(service, 2, after=0, types=["duel.paused"]) == [(5, 1), (6, 3)]
    assert service.sent("last-event-id") == ["0", "5"]


async def test_from_now_on_is_where_the_first_stream_said_it_was() -> None:
    """What happens between the cut and the new stream is not skipped."""
    service = Service(stream(hello=b"id: 41\n: connected\n\n"), stream(frame(42, 0)))
    assert await first(service, 1) == [(42, 0)]
    assert service.sent("last-event-id") == [None, "41"]


@pytest.mark.parametrize("status", [429, 503])
async def test_it_waits_as_long_as_it_is_asked_to(status: int) -> None:
    service = Service(problem(status, "unavailable", {"Retry-After": "9"}), stream(frame(5, 0)))
    assert await first(service, 1, after=0) == [(5, 0)]
    assert service.waits == [9.0]


async def test_waits_grow_while_nobody_answers_and_the_long_poll_is_no_way_out_then() -> None:
    away = httpx.ConnectError("away")
    service = Service(*[away] * 6, stream(frame(5, 0)))
    assert await first(service, 1, after=0) == [(5, 0)]
    assert all(bound / 2 <= wait <= bound for wait, bound in zip(service.waits, [1, 2, 4, 4, 4, 4], strict=True))
    assert {request.url.path for request in service.requests} == {"/v1/feed/stream"}


@pytest.mark.parametrize("code", ["unauthenticated", "forbidden", "invalid_request"])
async def test_a_no_is_raised_and_asking_again_asks_again(code: str) -> None:
    status = {"unauthenticated": 401, "forbidden": 403, "invalid_request": 422}[code]
    service = Service(stream(frame(5, 0)), problem(status, code), stream(frame(6, 0)))
    async with service.client(retries=QUICK) as client, client.feed(after=4) as feed:
        assert (await anext(feed)).position == 5
        with pytest.raises(Problem) as caught:
            await anext(feed)
        assert (caught.value.status, caught.value.code, feed.after) == (status, code, 5)
        assert (await anext(feed)).position == 6
        assert feed.trouble is None


def test_the_types_that_can_be_chosen_are_those_of_the_feed() -> None:
    assert set(get_args(FeedType)) == FEED_TYPES


PAGE_OF_A_PROXY = httpx.Response(200, headers={"Content-Type": "text/html"}, content=b"<p>Hello</p>")
REFUSALS: dict[str, list[httpx.Response | Exception]] = {
    "it knows no such page": [httpx.Response(404)],
    "it does nothing of the kind": [httpx.Response(501)],
    "it answers itself": [PAGE_OF_A_PROXY],
    "it keeps what it is sent": [httpx.ReadTimeout("")] * 3,
    "it lets go at once": [stream(hello=b"")] * 3,
    "it has no room": [problem(503, "unavailable", {"Retry-After": "1"})] * 3,
}


@pytest.mark.parametrize("refused", REFUSALS)
async def test_where_no_stream_passes_it_polls(refused: str) -> None:
    service = Service(*REFUSALS[refused], page(5, 6, 6, upto=6), page(upto=9), page(10, upto=10))
    assert await first(service, 4, after=4) == [(5, 0), (6, 1), (6, 2), (10, 0)]
    polls = [request.url.params["after"] for request in service.requests if request.url.path == "/v1/feed"]
    assert polls == ["4", "6", "9"]


async def test_a_poll_gives_the_rest_of_a_position_that_the_stream_began() -> None:
    half = stream(frame(5, 0, last=False))
    service = Service(half, httpx.Response(404), page(5, 5, 6, upto=6))
    assert await first(service, 3, after=4) == [(5, 0), (5, 1), (6, 2)]


async def test_a_stream_is_tried_again_after_a_while_and_when_polling_fails_too() -> None:
    def broken(_: httpx.Request) -> httpx.Response:
        return problem(503, "unavailable", {"Retry-After": "3"})

    service = Service(httpx.Response(404), page(5, upto=5), broken, broken, stream(frame(6, 0)))
    assert await first(service, 2, after=4) == [(5, 0), (6, 0)]
    assert max(service.waits) == 3.0
    assert service.requests[-1].headers["last-event-id"] == "5"


async def test_from_now_on_without_streams_begins_at_the_newest_checkpoint() -> None:
    checkpoint = httpx.Response(200, content=b"moderation.example/log\n41\nroot\n\n- signature\n")
    service = Service(httpx.Response(501), checkpoint, page(42, upto=42))
    assert await first(service, 1) == [(42, 0)]
    assert service.requests[-1].url.params["after"] == "41"


async def test_pages_are_asked_for_until_there_is_one_with_items() -> None:
    """An early empty page is no reason to hurry, and no answer none to give up."""
    answers: list[httpx.Response | Exception | Callable[[httpx.Request], httpx.Response]] = [
        page(upto=4), *[httpx.ConnectError("away")] * 2, problem(429, "rate_limited", {"Retry-After": "8"}), page(5, 5, upto=7),
        problem(401, "unauthenticated"),
    ]  # fmt: skip
    service = Service(*answers)
    async with service.client(retries=QUICK) as client:
        pages = client.feed_pages(after=3, limit=20, wait=2)
        found = await anext(pages)
        assert ([item.position for item in found.items], pages.after) == ([5, 5], 7)
        with pytest.raises(Problem, match="unauthenticated"):
            await anext(pages)
    asked = [dict(request.url.params) for request in service.requests]
    assert asked[0] == {"after": "3", "limit": "20", "wait": "2"}
    assert [one["after"] for one in asked] == ["3", "4", "4", "4", "4", "7"]
    assert service.waits[0] == 1.0
    assert 8.0 in service.waits


async def test_a_stream_that_says_nonsense_is_left() -> None:
    service = Service(stream(b"data: {}\n\n"), stream(frame(5, 0)))
    assert await first(service, 1, after=0) == [(5, 0)]
