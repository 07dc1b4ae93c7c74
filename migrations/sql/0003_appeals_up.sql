CREATE TABLE appeals (
    appeal_id text COLLATE "C" PRIMARY KEY,
    player_id text COLLATE "C" NOT NULL,
    state     text NOT NULL,
    opened_at timestamptz NOT NULL,
    version   integer NOT NULL,
    body      bytea NOT NULL
)
-- next
CREATE INDEX appeals_by_state ON appeals (state, opened_at, appeal_id)
-- next
CREATE INDEX appeals_by_time ON appeals (opened_at, appeal_id)
-- next
GRANT SELECT, INSERT, UPDATE, DELETE ON appeals TO moderation_app
