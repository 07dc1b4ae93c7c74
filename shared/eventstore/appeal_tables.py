"""The list of appeals."""

from __future__ import annotations

import sqlalchemy as sa

from shared.eventstore.metadata import METADATA, MOMENT, TEXT, required

APPEALS = sa.Table(
    "appeals",
    METADATA,
    required("appeal_id", TEXT, key=True),
    required("player_id", TEXT),
    required("state", sa.Text()),
    required("opened_at", MOMENT),
    required("version", sa.Integer()),
    required("body", sa.LargeBinary()),
    sa.Index("appeals_by_state", "state", "opened_at", "appeal_id"),
    sa.Index("appeals_by_time", "opened_at", "appeal_id"),
)
