"""Tables about who was erased, and who read what of whom."""

from __future__ import annotations

import sqlalchemy as sa

from shared.eventstore.metadata import METADATA, MOMENT, TEXT, required

ERASURES = sa.Table(
    "erasures",
    METADATA,
    required("player_id", TEXT, key=True),
    required("erasure_id", TEXT, key=True),
    required("erased_at", MOMENT),
    required("version", sa.Integer()),
    sa.Index("erasures_by_time", "erased_at", "erasure_id"),
)
READS = sa.Table(
    "reads",
    METADATA,
    required("reader", TEXT, key=True),
    required("version", sa.Integer(), key=True),
    required("read_at", MOMENT),
    required("role", sa.Text()),
    sa.Column("player_id", TEXT),
    required("what", sa.Text()),
    sa.Column("subject", TEXT),
    sa.Column("request_id", sa.Text()),
    sa.Index("reads_by_time", "read_at", "reader", "version"),
    sa.Index("reads_by_player", "player_id", "read_at", "reader", "version"),
)
