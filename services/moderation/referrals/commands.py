"""What can be asked of a referral."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenReferral:
    """Put a penalty before the site's admins."""

    referral_id: str
    tournament_id: str
    penalty_id: str
    person_id: str
    infraction: str
    penalty: str | None
    by: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseReferral:
    """Close it, with the incident that came of it (`incident_player` is whose it is, None for one that is not there) or without."""

    by: str
    role: str
    own_player: str | None
    at: datetime
    reason: str
    incident_id: str | None = None
    incident_player: str | None = None


ReferralCommand = OpenReferral | CloseReferral
