"""Everything the application answers: one include per service."""

from __future__ import annotations

from services.calls import api as calls
from services.cosmetics import api as cosmetics
from services.gateway import hot, operations
from services.gateway.sensitive import watched
from services.moderation import api as moderation
from shared.feed import endpoints as feed
from shared.http.endpoint import Endpoint
from shared.translog import endpoints as log

ENDPOINTS: tuple[Endpoint, ...] = watched(
    (
        *hot.ENDPOINTS,
        *moderation.ENDPOINTS,
        *calls.ENDPOINTS,
        *cosmetics.ENDPOINTS,
        *feed.ENDPOINTS,
        *log.ENDPOINTS,
        *operations.ENDPOINTS,
    )
)
