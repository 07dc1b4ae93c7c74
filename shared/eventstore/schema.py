"""The tables of the database (SQLAlchemy Core, no ORM): what the migrations amount to, and the inline projections made from them."""

from __future__ import annotations

from types import MappingProxyType

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from shared.eventstore.appeal_tables import APPEALS
from shared.eventstore.metadata import METADATA as METADATA  # noqa: PLC0414  with every table of this module in it
from shared.eventstore.metadata import MOMENT, TEXT
from shared.eventstore.metadata import required as _required
from shared.eventstore.port import InlineTable
from shared.eventstore.schema_audit import ERASURES, READS
from shared.eventstore.staff_tables import ROLLBACKS, STAFF_DECISIONS
from shared.eventstore.tournament_tables import REFERRALS
from shared.eventstore.webhook_tables import WEBHOOK_PROGRESS, WEBHOOK_REDELIVERIES, WEBHOOKS

EVENTS = sa.Table(
    "events",
    METADATA,
    _required("position", sa.BigInteger(), key=True),
    _required("stream", TEXT),
    _required("version", sa.Integer()),
    _required("type", TEXT),
    _required("recorded_at", MOMENT),
    _required("command_id", TEXT),
    _required("meta", sa.LargeBinary()),
    _required("payload", sa.LargeBinary()),
    _required("leaf_hash", sa.LargeBinary()),
    sa.UniqueConstraint("stream", "version", name="events_stream_version"),
)
LOG_HEAD = sa.Table(
    "log_head",
    METADATA,
    sa.Column("id", sa.Boolean(), primary_key=True, server_default=sa.true()),
    _required("position", sa.BigInteger()),
    _required("recorded_at", MOMENT),
)
IDEMPOTENCY = sa.Table(
    "idempotency",
    METADATA,
    _required("principal", TEXT, key=True),
    _required("key", TEXT, key=True),
    _required("route", sa.Text()),
    _required("fingerprint", sa.LargeBinary()),
    _required("status", sa.Integer()),
    _required("reply", sa.LargeBinary()),
    sa.Column("position", sa.BigInteger()),
    _required("command_id", TEXT),
    _required("recorded_at", MOMENT),
)
OUTBOX = sa.Table(
    "outbox",
    METADATA,
    _required("position", sa.BigInteger(), key=True),
    _required("ordinal", sa.Integer(), key=True),
    _required("type", TEXT),
    sa.Column("player_id", TEXT),
    _required("data", sa.LargeBinary()),
)
DATA_KEYS = sa.Table(
    "data_keys",
    METADATA,
    _required("subject", TEXT, key=True),
    _required("wrapped", sa.LargeBinary()),
    _required("created_at", MOMENT),
)
CONFIG_EPOCH = sa.Table(
    "config_epoch", METADATA, sa.Column("id", sa.Boolean(), primary_key=True, server_default=sa.true()), _required("epoch", sa.BigInteger())
)
CHECKPOINTS = sa.Table("projection_checkpoints", METADATA, _required("name", TEXT, key=True), _required("position", sa.BigInteger()))

STANDING = sa.Table(
    "standing",
    METADATA,
    _required("player_id", TEXT, key=True),
    _required("version", sa.Integer()),
    _required("position", sa.BigInteger()),
    _required("body", sa.LargeBinary()),
)
INCIDENTS = sa.Table(
    "incidents",
    METADATA,
    _required("incident_id", TEXT, key=True),
    _required("player_id", TEXT),
    _required("decided_by", TEXT),
    _required("decided_at", MOMENT),
    _required("version", sa.Integer()),
    sa.Index("incidents_by_player", "player_id", "incident_id"),
    sa.Index("incidents_by_staff", "decided_by", "decided_at"),
)
NETWORK_BANS = sa.Table(
    "network_bans",
    METADATA,
    _required("network", sa.LargeBinary(), key=True),
    _required("network_ban_id", TEXT, key=True),
    sa.Column("player_id", TEXT),
    sa.Column("incident_id", TEXT),
    sa.Column("ends_at", MOMENT),
    sa.Index("network_bans_by_id", "network_ban_id"),
)
NETWORK_EXEMPTIONS = sa.Table("network_exemptions", METADATA, _required("network_ban_id", TEXT, key=True), _required("player_id", TEXT, key=True))
NETWORK_BAN_LIST = sa.Table(
    "network_ban_list",
    METADATA,
    _required("network_ban_id", TEXT, key=True),
    _required("version", sa.Integer()),
    _required("created_at", MOMENT),
    _required("body", sa.LargeBinary()),
    sa.Index("network_ban_list_by_time", "created_at", "network_ban_id"),
)
NETWORKS_SEEN = sa.Table(
    "networks_seen",
    METADATA,
    _required("player_id", TEXT, key=True),
    _required("network", sa.LargeBinary(), key=True),
    _required("first_seen", MOMENT),
    _required("last_seen", MOMENT),
    sa.Index("networks_seen_by_network", "network"),
)
STAFF = sa.Table(
    "staff",
    METADATA,
    _required("staff_id", TEXT, key=True),
    _required("version", sa.Integer()),
    _required("level", sa.Text()),
    sa.Column("player_id", TEXT),
    _required("active", sa.Boolean()),
)
TOKENS = sa.Table(
    "tokens",
    METADATA,
    _required("token_id", TEXT, key=True),
    _required("token_hash", sa.LargeBinary()),
    _required("kind", sa.Text()),
    _required("principal", TEXT),
    _required("label", sa.Text()),
    _required("created_at", MOMENT),
    sa.Column("revoked_at", MOMENT),
    sa.UniqueConstraint("token_hash", name="tokens_token_hash_key"),
)
POLICIES = sa.Table(
    "policies",
    METADATA,
    _required("version", TEXT, key=True),
    _required("position", sa.BigInteger()),
    _required("published_at", MOMENT),
    _required("published_by", TEXT),
    _required("note", sa.Text()),
    _required("body", sa.LargeBinary()),
)
DUEL_INCIDENTS = sa.Table(
    "duel_incidents",
    METADATA,
    _required("duel_id", TEXT, key=True),
    _required("incident_id", TEXT, key=True),
    _required("player_id", TEXT),
)
CALLS = sa.Table(
    "calls",
    METADATA,
    _required("call_id", TEXT, key=True),
    _required("version", sa.Integer()),
    _required("state", sa.Text()),
    _required("category", sa.Text()),
    sa.Column("duel_id", TEXT),
    _required("opened_at", MOMENT),
    sa.Column("first_taken_at", MOMENT),
    sa.Column("taken_by", TEXT),
    sa.Column("lease_until", MOMENT),
    _required("involved", sa.Text()),
    _required("body", sa.LargeBinary()),
    sa.Index("calls_by_state", "state", "call_id"),
    sa.Index("calls_waited", "category", "first_taken_at", postgresql_where=sa.text("first_taken_at IS NOT NULL")),
    sa.Index("calls_leased", "lease_until", postgresql_where=sa.text("state = 'taken'")),
)
CALL_QUEUE = sa.Table(
    "call_queue",
    METADATA,
    _required("call_id", TEXT, key=True),
    _required("category", sa.Text()),
    _required("released", sa.Boolean()),
    _required("position", sa.BigInteger()),
    _required("opened_at", MOMENT),
    sa.Index("call_queue_by_category", "category"),
)
LOG_TILES = sa.Table(
    "log_tiles",
    METADATA,
    _required("level", sa.Integer(), key=True),
    _required("number", sa.BigInteger(), key=True),
    _required("hashes", sa.LargeBinary()),
    sa.CheckConstraint("octet_length(hashes) BETWEEN 32 AND 8192 AND octet_length(hashes) % 32 = 0", name="log_tiles_hashes_check"),
)
LOG_CHECKPOINTS = sa.Table(
    "log_checkpoints",
    METADATA,
    _required("size", sa.BigInteger(), key=True),
    _required("key_id", sa.LargeBinary(), key=True),
    _required("root", sa.LargeBinary()),
    _required("note", sa.LargeBinary()),
    _required("signed_at", MOMENT),
)
COSMETICS = sa.Table(
    "cosmetics",
    METADATA,
    _required("cosmetic_id", TEXT, key=True),
    _required("player_id", TEXT),
    _required("version", sa.Integer()),
    _required("slot", sa.Text()),
    _required("state", sa.Text()),
    _required("in_review", sa.Boolean()),
    _required("rank", sa.Integer()),
    sa.Column("incident_id", TEXT),
    _required("files", sa.LargeBinary()),
    _required("body", sa.LargeBinary()),
    sa.Index("cosmetics_by_player", "player_id", "cosmetic_id"),
    sa.Index("cosmetics_to_review", "rank", "cosmetic_id", postgresql_where=sa.text("in_review")),
    sa.Index("cosmetics_by_incident", "incident_id", postgresql_where=sa.text("incident_id IS NOT NULL")),
)
KNOWN_IMAGES = sa.Table(
    "known_images",
    METADATA,
    _required("name", TEXT, key=True),
    _required("kind", sa.Text()),
    sa.Column("player_id", TEXT),
    sa.Column("incident_id", TEXT),
    _required("listed", sa.Boolean()),
    _required("prints", sa.LargeBinary()),
    _required("position", sa.BigInteger()),
    sa.Index("known_images_by_position", "position", "name"),
)


def inline_table(table: sa.Table, *, version_column: str | None = None, bumps_epoch: bool = False) -> InlineTable:
    """The table as the writer knows it; see `InlineTable` for the options."""
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    columns = {column.name: column.type.compile(dialect).split(" COLLATE ")[0] for column in table.columns}
    return InlineTable(
        name=table.name,
        columns=columns,
        key=tuple(column.name for column in table.primary_key.columns),
        version_column=version_column,
        bumps_epoch=bumps_epoch,
    )


_TABLES = (
    inline_table(STANDING, version_column="version"),
    inline_table(INCIDENTS, version_column="version"),
    inline_table(NETWORK_BANS),
    inline_table(NETWORK_EXEMPTIONS),
    inline_table(NETWORK_BAN_LIST, version_column="version"),
    inline_table(NETWORKS_SEEN),
    inline_table(STAFF, version_column="version", bumps_epoch=True),
    inline_table(TOKENS, bumps_epoch=True),
    inline_table(POLICIES, bumps_epoch=True),
    inline_table(DUEL_INCIDENTS),
    inline_table(CALLS, version_column="version"),
    inline_table(CALL_QUEUE),
    inline_table(APPEALS, version_column="version"),
    inline_table(ROLLBACKS, version_column="version"),
    inline_table(WEBHOOKS, version_column="version"),
    inline_table(ERASURES, version_column="version"),
    *(inline_table(table) for table in (STAFF_DECISIONS, WEBHOOK_PROGRESS, WEBHOOK_REDELIVERIES, DATA_KEYS, READS)),
    inline_table(REFERRALS, version_column="version"),
    inline_table(COSMETICS, version_column="version"),
    inline_table(KNOWN_IMAGES),
)
INLINE_TABLES = MappingProxyType({table.name: table for table in _TABLES})
