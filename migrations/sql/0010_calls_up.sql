-- Which incidents belong to a duel room. Those decided before this table existed come from the log.
CREATE TABLE duel_incidents (
    duel_id     text COLLATE "C" NOT NULL,
    incident_id text COLLATE "C" NOT NULL,
    player_id   text COLLATE "C" NOT NULL,
    PRIMARY KEY (duel_id, incident_id)
)
-- next
INSERT INTO duel_incidents
SELECT DISTINCT p.body ->> 'duel_id', p.body ->> 'incident_id', p.body ->> 'player_id'
FROM (SELECT convert_from(payload, 'UTF8')::jsonb AS body FROM events WHERE type IN ('moderation.incident_decided.v1', 'moderation.incident_decided.v2')) p
WHERE p.body ->> 'duel_id' IS NOT NULL
-- next
CREATE TABLE calls (
    call_id        text COLLATE "C" PRIMARY KEY,
    version        integer NOT NULL,
    state          text NOT NULL,
    category       text NOT NULL,
    duel_id        text COLLATE "C",
    opened_at      timestamptz NOT NULL,
    first_taken_at timestamptz,
    taken_by       text COLLATE "C",
    lease_until    timestamptz,
    involved       text NOT NULL,
    body           bytea NOT NULL
)
-- next
CREATE INDEX calls_by_state ON calls (state, call_id)
-- next
CREATE INDEX calls_waited ON calls (category, first_taken_at) WHERE first_taken_at IS NOT NULL
-- next
CREATE INDEX calls_leased ON calls (lease_until) WHERE state = 'taken'
-- next
CREATE TABLE call_queue (
    call_id   text COLLATE "C" PRIMARY KEY,
    category  text NOT NULL,
    released  boolean NOT NULL,
    position  bigint NOT NULL,
    opened_at timestamptz NOT NULL
)
-- next
CREATE INDEX call_queue_by_category ON call_queue (category)
-- next
GRANT SELECT, INSERT, UPDATE, DELETE ON duel_incidents, calls, call_queue TO moderation_app
