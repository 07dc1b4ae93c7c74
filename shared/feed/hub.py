"""What one process knows of the feed's end, and who waits for more: read once, handed to thousands."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Final

from shared.feed.items import Place
from shared.observability import Metrics

RING_PLACES: Final = 8192
RING_BYTES: Final = 16 * 1024 * 1024


class Waiting:
    """One reader that waits. It holds no items: what it has not sent yet stays in the ring, or in the database.

    With `push` it need not be woken for new places: it is called with their first and last position and their frames, and says whether it has sent
    them.
    """

    __slots__ = ("_future", "push")

    def __init__(self) -> None:
        self._future: asyncio.Future[bool] | None = None
        self.push: Callable[[int, int, bytes], bool] | None = None

    @property
    def asleep(self) -> bool:
        """Whether it waits and has not been woken."""
        return self._future is not None and not self._future.done()

    def wake(self) -> None:
        """There may be something to do."""
        if self._future is not None and not self._future.done():
            self._future.set_result(True)

    async def wait(self, seconds: float) -> bool:
        """Sleep until woken; False when the time is up before. What happened before the call wakes nobody: look first."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[bool] = loop.create_future()
        self._future = future
        timer = loop.call_later(seconds, _expire, future)
        try:
            return await future
        finally:
            timer.cancel()
            self._future = None


def _expire(future: asyncio.Future[bool]) -> None:
    if not future.done():
        future.set_result(False)


class FeedHub:
    """The newest places of the feed, in order and without a gap, and the readers who wait for the next.

    All items at positions above `low` and up to `head` are in the ring. `epoch` is the configuration's as of `head`: when it moves, who reads has to
    be looked at again. `started` once the tail has read for the first time.
    """

    def __init__(self, metrics: Metrics, *, ring_places: int = RING_PLACES, ring_bytes: int = RING_BYTES) -> None:
        self.metrics = metrics
        self.started = False
        self.draining = False
        self.low = self.head = self.epoch = 0
        self.wake_tail = asyncio.Event()
        self._ring: deque[Place] = deque()
        self._size = 0
        self._places, self._bytes = ring_places, ring_bytes
        self._waiting: set[Waiting] = set()
        self._reaching: set[Waiting] = set()

    def begin(self, head: int, epoch: int) -> None:
        """Where the tail begins."""
        self.low = self.head = head
        self.epoch = epoch
        self.started = True

    def publish(self, found: list[Place], upto: int, epoch: int) -> None:
        """Add what follows the head: every item up to `upto`."""
        for place in found:
            self._ring.append(place)
            self._size += len(place.frames) + len(place.items)
        while self._ring and (len(self._ring) > self._places or self._size > self._bytes):
            gone = self._ring.popleft()
            self._size -= len(gone.frames) + len(gone.items)
            self.low = gone.position
        moved = epoch != self.epoch
        self.head, self.epoch = upto, epoch
        if moved:  # who reads is looked at before anything more is sent
            self._wake_all()
        elif found:
            self._hand_out(found)
        for one in self._reaching:
            one.wake()

    def _hand_out(self, found: list[Place]) -> None:
        first, last = found[0].position, found[-1].position
        frames = found[0].frames if len(found) == 1 else b"".join(place.frames for place in found)
        for one in self._waiting:
            if not (one.push is not None and one.asleep and one.push(first, last, frames)):
                one.wake()

    def drain(self) -> None:
        """The service ends: every reader is let go at once."""
        self.draining = True
        self._wake_all()

    def _wake_all(self) -> None:
        for one in self._waiting:
            one.wake()

    def after(self, position: int, count: int) -> list[Place] | None:
        """Up to `count` places behind a position; None when the ring does not reach back that far."""
        if not self.started or position < self.low:
            return None
        if not self._ring or self._ring[-1].position <= position:
            return []
        begin = bisect_right(self._ring, position, key=lambda place: place.position)
        return list(islice(self._ring, begin, begin + count))

    @contextmanager
    def waiting(self) -> Iterator[Waiting]:
        """A reader that is woken by new items, by a moved epoch, and when the service ends."""
        one = Waiting()
        self._waiting.add(one)
        try:
            yield one
        finally:
            self._waiting.discard(one)

    async def reach(self, head: int, seconds: float) -> bool:
        """Wait until the tail has read up to this position of the log; False when it has not within that time."""
        one = Waiting()
        self._reaching.add(one)
        try:
            deadline = asyncio.get_running_loop().time() + seconds
            while not self.started or self.head < head:
                self.wake_tail.set()
                left = deadline - asyncio.get_running_loop().time()
                if left <= 0 or not await one.wait(left):
                    return self.started and self.head >= head
            return True
        finally:
            self._reaching.discard(one)
