"""Everything the application answers: one include per service."""

from __future__ import annotations

from services.calls import api as calls
from services.cosmetics import api as cosmetics
from services.gateway import hot, operations
from services.moderation import api as moderation
from shared.http.endpoint import Endpoint
from shared.translog import endpoints as log

ENDPOINTS: tuple[Endpoint, ...] = (
    *hot.ENDPOINTS,
    *moderation.ENDPOINTS,
    *calls.ENDPOINTS,
    *cosmetics.ENDPOINTS,
    *log.ENDPOINTS,
    *operations.ENDPOINTS,
)
