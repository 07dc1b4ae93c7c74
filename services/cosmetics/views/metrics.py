"""The review list as figures for Prometheus, read anew every few seconds."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

from services.cosmetics.views.queries import CosmeticQueries
from shared.observability import Metrics
from shared.refusal import Unavailable

REFRESH_SECONDS: Final = 15.0


class ReviewMetrics:
    """Sets the gauge `moderation_cosmetics_to_review`."""

    def __init__(self, queries: CosmeticQueries, metrics: Metrics) -> None:
        self._queries = queries
        self._gauge = metrics.cosmetics_to_review

    async def run(self) -> None:
        """Refresh until cancelled; while the database is away the figures stay as they were."""
        while True:
            with contextlib.suppress(Unavailable):
                waiting, reported = await self._queries.waiting()
                self._gauge.labels("waiting").set(waiting)
                self._gauge.labels("reported").set(reported)
            await asyncio.sleep(REFRESH_SECONDS)
