"""Players' images, and the images known to be unwanted."""

from __future__ import annotations

import sqlalchemy as sa

from shared.eventstore.metadata import METADATA, TEXT, required

COSMETICS = sa.Table(
    "cosmetics",
    METADATA,
    required("cosmetic_id", TEXT, key=True),
    required("player_id", TEXT),
    required("version", sa.Integer()),
    required("slot", sa.Text()),
    required("state", sa.Text()),
    required("in_review", sa.Boolean()),
    required("rank", sa.Integer()),
    sa.Column("incident_id", TEXT),
    required("files", sa.LargeBinary()),
    required("body", sa.LargeBinary()),
    sa.Index("cosmetics_by_player", "player_id", "cosmetic_id"),
    sa.Index("cosmetics_to_review", "rank", "cosmetic_id", postgresql_where=sa.text("in_review")),
    sa.Index("cosmetics_by_incident", "incident_id", postgresql_where=sa.text("incident_id IS NOT NULL")),
)
KNOWN_IMAGES = sa.Table(
    "known_images",
    METADATA,
    required("name", TEXT, key=True),
    required("kind", sa.Text()),
    sa.Column("player_id", TEXT),
    sa.Column("incident_id", TEXT),
    required("listed", sa.Boolean()),
    required("prints", sa.LargeBinary()),
    required("position", sa.BigInteger()),
    sa.Index("known_images_by_position", "position", "name"),
)
