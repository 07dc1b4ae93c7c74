"""What is recorded about a referral. All moments are aware and in UTC."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferralOpened:
    """A tournament's head judge refers a penalty to the site; it adds no strike by itself."""

    referral_id: str
    tournament_id: str
    penalty_id: str
    person_id: str
    infraction: str
    penalty: str | None
    by: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferralWords:
    """Why it was closed; personal to the person whom it is about."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferralClosed:
    """The site's answer: an incident of that person, or none."""

    by: str
    role: str
    at: datetime
    incident_id: str | None = None
    words: ReferralWords | None = None


ReferralEvent = ReferralOpened | ReferralClosed
