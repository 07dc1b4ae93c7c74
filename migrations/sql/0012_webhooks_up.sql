-- The webhooks as they are now, written with their events.
CREATE TABLE webhooks (
    webhook_id text COLLATE "C" PRIMARY KEY,
    version    integer NOT NULL,
    body       bytea NOT NULL
)
-- next
-- How far the feed has been taken over for each, and how its last attempt went.
CREATE TABLE webhook_progress (
    webhook_id  text COLLATE "C" PRIMARY KEY,
    position    bigint NOT NULL,
    delivered   bigint NOT NULL,
    last_at     timestamptz,
    last_status integer,
    last_error  text
) WITH (fillfactor = 50)
-- next
CREATE TABLE webhook_redeliveries (
    redelivery_id text COLLATE "C" PRIMARY KEY,
    webhook_id    text COLLATE "C" NOT NULL,
    dead_only     boolean NOT NULL,
    first         bigint NOT NULL,
    last          bigint
)
-- next
-- What is still to be delivered, or was given up (dead); what arrived has no row. Of a lane (a player, else a stream) only the first is ready.
CREATE TABLE webhook_deliveries (
    webhook_id  text COLLATE "C" NOT NULL,
    position    bigint NOT NULL,
    ordinal     integer NOT NULL,
    lane        text COLLATE "C" NOT NULL,
    dead        boolean NOT NULL,
    ready       boolean NOT NULL,
    attempts    integer NOT NULL,
    created_at  timestamptz NOT NULL,
    next_at     timestamptz NOT NULL,
    last_status integer,
    last_error  text,
    PRIMARY KEY (webhook_id, position, ordinal)
) WITH (fillfactor = 70)
-- next
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_at) WHERE ready
-- next
CREATE INDEX webhook_deliveries_lane ON webhook_deliveries (webhook_id, lane, position, ordinal) WHERE NOT dead
-- next
GRANT SELECT, INSERT, UPDATE, DELETE ON webhooks, webhook_progress, webhook_redeliveries, webhook_deliveries TO moderation_app
