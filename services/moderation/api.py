"""What the gateway and other services may use of this service."""

from __future__ import annotations

from services.moderation.appeals import endpoints as appeals
from services.moderation.appeals.events import Target
from services.moderation.appeals.handler import AppealHandler
from services.moderation.appeals.wanted import Wanted
from services.moderation.audit import endpoints as audit
from services.moderation.composition import open_moderation
from services.moderation.network_bans import endpoints as network_bans
from services.moderation.policy import endpoints as policy
from services.moderation.policy.holder import PolicyHolder
from services.moderation.record import endpoints as record
from services.moderation.record.bodies import DiscretionBody, IncidentBody, NamedSanction, discretion_of, new_incident, outcomes_of
from services.moderation.record.commands import Charge
from services.moderation.record.conduct import Conduct
from services.moderation.record.handler import NewIncident, RecordHandler
from services.moderation.record.outcomes import Discretion, Evidence, IncidentDetails
from services.moderation.record.shapes import IncidentReply
from services.moderation.registered import register_events
from services.moderation.staff import endpoints as staff
from services.moderation.views import endpoints as views
from services.moderation.views.duel_incidents import DuelIncidents
from shared.http.endpoint import Endpoint

ENDPOINTS: tuple[Endpoint, ...] = (
    *record.ENDPOINTS,
    *views.ENDPOINTS,
    *policy.ENDPOINTS,
    *staff.ENDPOINTS,
    *network_bans.ENDPOINTS,
    *appeals.ENDPOINTS,
    *audit.ENDPOINTS,
)

__all__ = [
    "ENDPOINTS",
    "AppealHandler",
    "Charge",
    "Conduct",
    "Discretion",
    "DiscretionBody",
    "DuelIncidents",
    "Evidence",
    "IncidentBody",
    "IncidentDetails",
    "IncidentReply",
    "NamedSanction",
    "NewIncident",
    "PolicyHolder",
    "RecordHandler",
    "Target",
    "Wanted",
    "discretion_of",
    "new_incident",
    "open_moderation",
    "outcomes_of",
    "register_events",
]
