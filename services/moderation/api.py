"""What the gateway and other services may use of this service."""

from __future__ import annotations

from services.moderation.appeals import endpoints as appeals
from services.moderation.audit import endpoints as audit
from services.moderation.composition import open_moderation
from services.moderation.network_bans import endpoints as network_bans
from services.moderation.policy import endpoints as policy
from services.moderation.record import endpoints as record
from services.moderation.registered import register_events
from services.moderation.staff import endpoints as staff
from services.moderation.views import endpoints as views
from services.moderation.views.duel_incidents import DuelIncidents
from shared.http.endpoint import Endpoint

ENDPOINTS: tuple[Endpoint, ...] = (*record.ENDPOINTS, *views.ENDPOINTS, *policy.ENDPOINTS, *staff.ENDPOINTS, *network_bans.ENDPOINTS, *appeals.ENDPOINTS, *audit.ENDPOINTS)

__all__ = ["ENDPOINTS", "DuelIncidents", "open_moderation", "register_events"]
