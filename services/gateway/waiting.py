"""Waiting for a position of the log: for a reader that was sent on with what another process had just recorded (contract, `min_position`)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from shared.refusal import Unavailable

WAIT_SECONDS = 1.0
POLL_SECONDS = 0.02
MOST_WAITERS = 256


class PositionWaits:
    """Lets callers wait until the log has a position.

    However many wait, one look at the log at a time serves them all, and no more than `most` wait: the next is told to come again, so that a position
    that never comes can't fill the process.
    """

    def __init__(self, head: Callable[[], Awaitable[int]], *, most: int = MOST_WAITERS, seconds: float = WAIT_SECONDS) -> None:
        self._head = head
        self._most = most
        self._seconds = seconds
        self._waiting: dict[asyncio.Future[None], int] = {}
        self._looking: asyncio.Task[None] | None = None

    async def until(self, position: int) -> None:
        """Return once the log has this position. Raises `Unavailable` when it hasn't within the time, or when too many wait already."""
        if len(self._waiting) >= self._most:
            detail = "Too many wait for a position; try again."
            raise Unavailable(detail)
        arrived = asyncio.get_running_loop().create_future()
        self._waiting[arrived] = position
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look(), name="position-waits")
        try:
            async with asyncio.timeout(self._seconds):
                await arrived
        except TimeoutError:
            detail = f"Position {position} is not here yet."
            raise Unavailable(detail) from None
        finally:
            self._waiting.pop(arrived, None)

    async def _look(self) -> None:
        while self._waiting:
            head, trouble = -1, None
            try:
                head = await self._head()
            except Exception as error:  # noqa: BLE001  whatever it is, it is the answer of those who wait
                trouble = error
            for arrived, position in tuple(self._waiting.items()):
                if arrived.done():
                    continue
                if trouble is not None:
                    arrived.set_exception(trouble)
                elif position <= head:
                    arrived.set_result(None)
            await asyncio.sleep(POLL_SECONDS)
