"""What the gateway and other services may use of this service."""

from __future__ import annotations

from services.cosmetics.composition import open_cosmetics
from services.cosmetics.gallery import endpoints as gallery
from services.cosmetics.reactors.forget import Forgetting
from services.cosmetics.registered import register_events
from services.cosmetics.slots import endpoints as slots
from services.cosmetics.slots.handler import SlotHandler
from shared.http.endpoint import Endpoint

ENDPOINTS: tuple[Endpoint, ...] = (*slots.ENDPOINTS, *gallery.ENDPOINTS)

__all__ = ["ENDPOINTS", "Forgetting", "SlotHandler", "open_cosmetics", "register_events"]
