"""The queues as figures for Prometheus, read anew every few seconds; a figure may be that old, a call never is."""

from __future__ import annotations

from services.calls.views.queues import Queues
from shared.clock import Clock
from shared.observability import Metrics
from shared.periodic import every

REFRESH_SECONDS = 15.0


class QueueMetrics:
    """Sets the gauge `moderation_call_queue`."""

    def __init__(self, queues: Queues, metrics: Metrics, clock: Clock) -> None:
        self._queues = queues
        self._gauge = metrics.call_queues
        self._clock = clock

    async def run(self) -> None:
        """Refresh until cancelled; while the database is away the figures stay as they were."""
        await every(REFRESH_SECONDS, self.refresh, "call-queue-metrics")

    async def refresh(self) -> None:
        """Read the queues and set the figures. Raises `Unavailable`."""
        now = self._clock.now()
        for queue in await self._queues.overview(now):
            oldest = queue["oldest_opened_at"]
            figures = {
                "open": queue["open"],
                "stale": queue["stale"],
                "lapsed": queue["lapsed"],
                "oldest_seconds": 0.0 if oldest is None else (now - oldest).total_seconds(),
                "median_wait_seconds": queue["median_wait_seconds"] or 0,
            }
            for figure, value in figures.items():
                self._gauge.labels(queue["category"], figure).set(value)
