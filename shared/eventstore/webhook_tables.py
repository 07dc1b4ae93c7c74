"""The tables of webhooks: the first three are written with events, the deliveries by the dispatcher alone."""

from __future__ import annotations

import sqlalchemy as sa

from shared.eventstore.metadata import METADATA, MOMENT, TEXT, required

WEBHOOKS = sa.Table(
    "webhooks",
    METADATA,
    required("webhook_id", TEXT, key=True),
    required("version", sa.Integer()),
    required("body", sa.LargeBinary()),
)
WEBHOOK_PROGRESS = sa.Table(
    "webhook_progress",
    METADATA,
    required("webhook_id", TEXT, key=True),
    required("position", sa.BigInteger()),
    required("delivered", sa.BigInteger()),
    sa.Column("last_at", MOMENT),
    sa.Column("last_status", sa.Integer()),
    sa.Column("last_error", sa.Text()),
)
WEBHOOK_REDELIVERIES = sa.Table(
    "webhook_redeliveries",
    METADATA,
    required("redelivery_id", TEXT, key=True),
    required("webhook_id", TEXT),
    required("dead_only", sa.Boolean()),
    required("first", sa.BigInteger()),
    sa.Column("last", sa.BigInteger()),
)
WEBHOOK_DELIVERIES = sa.Table(
    "webhook_deliveries",
    METADATA,
    required("webhook_id", TEXT, key=True),
    required("position", sa.BigInteger(), key=True),
    required("ordinal", sa.Integer(), key=True),
    required("lane", TEXT),
    required("dead", sa.Boolean()),
    required("ready", sa.Boolean()),
    required("attempts", sa.Integer()),
    required("created_at", MOMENT),
    required("next_at", MOMENT),
    sa.Column("last_status", sa.Integer()),
    sa.Column("last_error", sa.Text()),
    sa.Index("webhook_deliveries_due", "webhook_id", "next_at", postgresql_where=sa.text("ready")),
    sa.Index("webhook_deliveries_lane", "webhook_id", "lane", "position", "ordinal", postgresql_where=sa.text("NOT dead")),
)
