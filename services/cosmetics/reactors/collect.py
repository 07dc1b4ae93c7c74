"""Whenever bytes have no event, or their picture was purged, they are deleted: what a crash between bytes and event left behind."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import Any, Final

from services.cosmetics.slots.pictures import PREFIX
from services.cosmetics.slots.state import PURGED
from shared.blobs.store import BlobStore
from shared.clock import Clock
from shared.observability import get_logger
from shared.periodic import every

EVERY_SECONDS: Final = 3600.0
GRACE: Final = timedelta(hours=1)
"""How old bytes without an event are at least: those of an upload that is under way are younger."""

_PAGE: Final = 500
_STATES_SQL: Final = "SELECT cosmetic_id, state FROM cosmetics WHERE cosmetic_id = ANY($1::text[])"
_NAMED_SQL: Final = """
SELECT DISTINCT id FROM unnest($1::text[]) AS id JOIN events e ON position(convert_to(id, 'UTF8') IN e.payload) > 0
WHERE e.stream >= 'cosmetics-' AND e.stream < 'cosmetics.'"""
"""Those that the log names. Tables rebuilt around an event that can't be read lack the rows of its stream after it; its images are no orphans."""
_log = get_logger(__name__)


class Collector:
    """Deletes orphaned bytes."""

    def __init__(self, blobs: BlobStore, fetch: Callable[..., Awaitable[Sequence[Any]]], clock: Clock) -> None:
        self._blobs = blobs
        self._fetch = fetch
        self._clock = clock

    async def run(self) -> None:
        """Collect now and every hour until cancelled."""
        await every(EVERY_SECONDS, self._round, "collecting")

    async def _round(self) -> None:
        deleted = await self.collect()
        if deleted:
            _log.info("collected", blobs=deleted)

    async def collect(self, grace: timedelta = GRACE) -> int:
        """Delete what is orphaned for longer than `grace`, and all bytes of purged pictures; how many. Raises `Unavailable`."""
        deleted, page = 0, list[tuple[str, bool]]()
        async for blob in self._blobs.blobs(f"{PREFIX}/"):
            page.append((blob.key, self._clock.now() - blob.modified > grace))
            if len(page) == _PAGE:
                deleted += await self._swept(page)
                page = []
        deleted += await self._swept(page)
        return deleted + await self._blobs.tidied(self._clock.now() - grace)

    async def _swept(self, page: Sequence[tuple[str, bool]]) -> int:
        owners = {key: key.split("/")[1] for key, _ in page}
        states = {row[0]: row[1] for row in await self._fetch(_STATES_SQL, sorted(set(owners.values())))} if page else {}
        unknown = sorted({owners[key] for key, old in page if old and owners[key] not in states})
        orphans = set(unknown) - {row[0] for row in await self._fetch(_NAMED_SQL, unknown)} if unknown else set()
        doomed = [key for key, old in page if states.get(owners[key]) == PURGED or (old and owners[key] in orphans)]
        for key in doomed:
            await self._blobs.delete(key)
        return len(doomed)
