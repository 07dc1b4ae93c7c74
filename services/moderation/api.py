"""What the gateway and other services may use of this service."""

from __future__ import annotations

from services.moderation.appeals import endpoints as appeals
from services.moderation.appeals.events import Target
from services.moderation.appeals.handler import AppealHandler
from services.moderation.appeals.involved import Involved
from services.moderation.appeals.wanted import Wanted
from services.moderation.audit import endpoints as audit
from services.moderation.composition import open_moderation
from services.moderation.erasure import endpoints as erasure
from services.moderation.erasure.handler import ErasureHandler
from services.moderation.network_bans import endpoints as network_bans
from services.moderation.policy import endpoints as policy
from services.moderation.policy.holder import PolicyHolder
from services.moderation.reads import endpoints as reads
from services.moderation.record import endpoints as record
from services.moderation.record.bodies import DiscretionBody, IncidentBody, NamedSanction, discretion_of, new_incident, outcomes_of
from services.moderation.record.commands import Charge
from services.moderation.record.conduct import Conduct
from services.moderation.record.handler import RecordHandler
from services.moderation.record.outcomes import Discretion, Evidence, IncidentDetails
from services.moderation.record.planning import NewIncident
from services.moderation.record.shapes import IncidentReply, IncidentShape, StandingShape
from services.moderation.referrals import endpoints as referrals
from services.moderation.registered import register_events
from services.moderation.rollbacks import endpoints as rollbacks
from services.moderation.staff import endpoints as staff
from services.moderation.tournaments import endpoints as tournaments
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
    *rollbacks.ENDPOINTS,
    *audit.ENDPOINTS,
    *erasure.ENDPOINTS,
    *reads.ENDPOINTS,
    *tournaments.ENDPOINTS,
    *referrals.ENDPOINTS,
)

__all__ = [
    "ENDPOINTS",
    "AppealHandler",
    "Charge",
    "Conduct",
    "Discretion",
    "DiscretionBody",
    "DuelIncidents",
    "ErasureHandler",
    "Evidence",
    "IncidentBody",
    "IncidentDetails",
    "IncidentReply",
    "IncidentShape",
    "Involved",
    "NamedSanction",
    "NewIncident",
    "PolicyHolder",
    "RecordHandler",
    "StandingShape",
    "Target",
    "Wanted",
    "discretion_of",
    "new_incident",
    "open_moderation",
    "outcomes_of",
    "register_events",
]
