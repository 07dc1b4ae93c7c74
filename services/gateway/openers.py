"""What the application opens at start-up, in this order; it closes in the reverse order.

An opener is an async context manager that registers what it opened under its type. It finds what it needs among what was opened before.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from shared.clock import Clock, SystemClock
from shared.http.paging import Cursors
from shared.http.resources import Resources
from shared.observability import METRICS, Metrics
from shared.security.keys import Keys, derive_keys
from shared.settings import Settings

Opener = Callable[[Settings, Resources], AbstractAsyncContextManager[None]]


@asynccontextmanager
async def open_basics(settings: Settings, resources: Resources) -> AsyncIterator[None]:
    """Keys, cursors, clock and metrics: nothing that can be away."""
    keys = resources.add(Keys, derive_keys(settings.master_key))
    resources.add(Cursors, Cursors(keys.cursor_mac))
    resources.add(Clock, SystemClock())  # type: ignore[type-abstract]  # a protocol is a key as good as any
    resources.add(Metrics, METRICS)
    yield


OPENERS: tuple[Opener, ...] = (open_basics,)
