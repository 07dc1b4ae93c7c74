"""Work that is done again and again beside the requests, whatever becomes of one round of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from shared.observability import get_logger
from shared.refusal import Unavailable

_log = get_logger(__name__)


async def every(seconds: float, work: Callable[[], Awaitable[object]], name: str) -> None:
    """Do it until cancelled, with a pause of so many seconds. A database that is away is passed over; any other fault is logged, and ends nothing."""
    while True:
        try:
            await work()
        except Unavailable:
            pass
        except Exception:  # noqa: BLE001  the next round tries again
            _log.exception("periodic_work_failed", work=name)
        await asyncio.sleep(seconds)
