"""How fast the bytes of all uploads together are taken, and whose are taken next."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from typing import Final

RATE: Final = 64_000_000
"""Bytes a second that a process takes of all uploads together while it answers nobody else."""

GENTLE: Final = 12_000_000
"""So many after a piece during which somebody else was answered: each megabyte costs the event loop 1 to 3 ms, in which no standing is."""

FAVOUR: Final = 30.0
"""Seconds by which an upload that lacks nothing any more goes before one that lacks all of the longest. So small ones pass, and long ones become
whole one after the other and are decoded meanwhile: taken in turn, a hundred would all be whole at the end and none before. Nobody waits for a turn
much longer than that, whoever else comes."""


_Waiting = tuple[float, int, int, asyncio.Future[None]]
"""When it is due, a number that no other has, how many bytes, and what tells it that it is its turn."""


class Pace:
    """Lets so many bytes a second pass. Whoever waits for a turn has the sender wait, too: nothing more is read of that upload meanwhile."""

    def __init__(self, rate: float = RATE, favour: float = FAVOUR, *, gentle: float = GENTLE, answered: Callable[[], int] = lambda: 0) -> None:
        """`answered` tells how many requests were answered so far: whenever it moves, the pace is `gentle`."""
        self._rate = rate
        self._gentle = gentle
        self._answered = answered
        self._seen = answered()
        self._favour = favour
        self._free_at = 0.0
        self._waiting: list[_Waiting] = []
        self._timer: asyncio.TimerHandle | None = None
        self._numbers = count()

    async def take(self, length: int, *, left: float = 1.0) -> None:
        """Wait until it is the turn of these bytes; `left` is how much its upload still lacks, of the longest that may come (0 to 1)."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        if self._timer is None and now >= self._free_at:
            self._free_at = now + self._seconds(length)
            return
        turn = loop.create_future()
        heappush(self._waiting, (now + self._favour * left, next(self._numbers), length, turn))
        if self._timer is None:
            self._timer = loop.call_at(self._free_at, self._next)
        await turn

    def _next(self) -> None:
        self._timer = None
        while self._waiting:
            _, _, length, turn = heappop(self._waiting)
            if turn.done():  # it was given up
                continue
            loop = turn.get_loop()
            self._free_at = max(self._free_at, loop.time()) + self._seconds(length)
            self._timer = loop.call_at(self._free_at, self._next)
            turn.set_result(None)
            return

    def _seconds(self, length: int) -> float:
        answered = self._answered()
        alone, self._seen = answered == self._seen, answered
        return length / (self._rate if alone else self._gentle)
