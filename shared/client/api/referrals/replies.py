"""What comes back. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct


class ReferralListed(Struct, frozen=True, kw_only=True):
    """A penalty that a head judge referred to the site. It never adds a strike by itself."""

    referral_id: str
    state: str
    tournament_id: str
    penalty_id: str
    person_id: str
    infraction: str
    penalty: str | None
    referred_by: str
    opened_at: datetime
    closed_by: str | None
    closed_at: datetime | None
    incident_id: str | None
    version: int


class Referral(ReferralListed, frozen=True, kw_only=True):
    """The referral with the reason of its end."""

    reason: str | None


class ReferralPage(Struct, frozen=True, kw_only=True):
    """Referrals, oldest first."""

    items: list[ReferralListed]
    next_cursor: str | None


class ReferralReply(ReferralListed, frozen=True, kw_only=True):
    """The referral after a command."""

    position: int | None
