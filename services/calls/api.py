"""What the gateway and other services may use of this service."""

from __future__ import annotations

from services.calls.calls import endpoints as calls
from services.calls.composition import open_calls
from services.calls.registered import register_events
from services.calls.rooms import endpoints as rooms
from shared.http.endpoint import Endpoint

ENDPOINTS: tuple[Endpoint, ...] = (*rooms.ENDPOINTS, *calls.ENDPOINTS)

__all__ = ["ENDPOINTS", "open_calls", "register_events"]
