"""Tables about tournaments: the penalties that were referred to the site."""

from __future__ import annotations

import sqlalchemy as sa

from shared.eventstore.metadata import METADATA, MOMENT, TEXT, required

REFERRALS = sa.Table(
    "referrals",
    METADATA,
    required("referral_id", TEXT, key=True),
    required("person_id", TEXT),
    required("state", sa.Text()),
    required("opened_at", MOMENT),
    required("version", sa.Integer()),
    required("body", sa.LargeBinary()),
    sa.Index("referrals_by_state", "state", "opened_at", "referral_id"),
    sa.Index("referrals_by_time", "opened_at", "referral_id"),
)
