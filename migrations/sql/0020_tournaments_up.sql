CREATE TABLE referrals (
    referral_id text COLLATE "C" PRIMARY KEY,
    person_id   text COLLATE "C" NOT NULL,
    state       text NOT NULL,
    opened_at   timestamptz NOT NULL,
    version     integer NOT NULL,
    body        bytea NOT NULL
)
-- next
CREATE INDEX referrals_by_state ON referrals (state, opened_at, referral_id)
-- next
CREATE INDEX referrals_by_time ON referrals (opened_at, referral_id)
-- next
GRANT SELECT, INSERT, UPDATE, DELETE ON referrals TO moderation_app
