"""The review list as figures for Prometheus, read anew every few seconds."""

from __future__ import annotations

from typing import Final

from services.cosmetics.views.queries import CosmeticQueries
from shared.observability import Metrics
from shared.periodic import every

REFRESH_SECONDS: Final = 15.0


class ReviewMetrics:
    """Sets the gauge `moderation_cosmetics_to_review`."""

    def __init__(self, queries: CosmeticQueries, metrics: Metrics) -> None:
        self._queries = queries
        self._gauge = metrics.cosmetics_to_review

    async def run(self) -> None:
        """Refresh until cancelled; while the database is away the figures stay as they were."""
        await every(REFRESH_SECONDS, self.refresh, "review-metrics")

    async def refresh(self) -> None:
        """Count what waits and set the figures. Raises `Unavailable`."""
        waiting, reported, withdrawn = await self._queries.waiting()
        self._gauge.labels("waiting").set(waiting)
        self._gauge.labels("reported").set(reported)
        self._gauge.labels("withdrawn").set(withdrawn)
