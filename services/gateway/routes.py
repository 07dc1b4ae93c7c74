"""Everything the application answers: one include per service."""

from __future__ import annotations

from services.gateway import operations
from shared.http.endpoint import Endpoint

ENDPOINTS: tuple[Endpoint, ...] = (*operations.ENDPOINTS,)
