"""How late the event loop is: the one figure that tells when something holds it up for everybody (bar 18)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

EVERY_SECONDS: Final = 0.05


async def watch_lag(observe: Callable[[float], None]) -> None:
    """Tell, twenty times a second until cancelled, how many seconds after its time the loop came back here."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + EVERY_SECONDS
        await asyncio.sleep(EVERY_SECONDS)
        observe(max(0.0, loop.time() - due))
