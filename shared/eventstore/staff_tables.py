"""What members of staff decided, over all players, and the rollbacks of it."""

from __future__ import annotations

import sqlalchemy as sa

from shared.eventstore.metadata import METADATA, MOMENT, TEXT, required

STAFF_DECISIONS = sa.Table(
    "staff_decisions",
    METADATA,
    required("staff_id", TEXT, key=True),
    required("decided_at", MOMENT, key=True),
    required("stream", TEXT, key=True),
    required("version", sa.Integer(), key=True),
    required("kind", sa.Text()),
    sa.Column("player_id", TEXT),
    sa.Column("incident_id", TEXT),
    sa.Column("decision_id", TEXT),
    sa.Index("staff_decisions_by_id", "decision_id", postgresql_where=sa.text("decision_id IS NOT NULL")),
)
ROLLBACKS = sa.Table(
    "rollbacks",
    METADATA,
    required("rollback_id", TEXT, key=True),
    required("version", sa.Integer()),
    required("staff_id", TEXT),
    required("made_at", MOMENT),
    required("body", sa.LargeBinary()),
    sa.Index("rollbacks_by_time", "made_at", "rollback_id"),
)
