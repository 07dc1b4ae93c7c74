-- Inline projections: written in the transaction of the events they follow from. Keys of player data begin with the player.
CREATE TABLE standing (
    player_id text COLLATE "C" PRIMARY KEY,
    version   integer NOT NULL,
    position  bigint NOT NULL,
    body      bytea NOT NULL
)
-- next
CREATE TABLE incidents (
    incident_id text COLLATE "C" PRIMARY KEY,
    player_id   text COLLATE "C" NOT NULL,
    decided_by  text COLLATE "C" NOT NULL,
    decided_at  timestamptz NOT NULL,
    version     integer NOT NULL
)
-- next
CREATE INDEX incidents_by_player ON incidents (player_id, incident_id)
-- next
CREATE INDEX incidents_by_staff ON incidents (decided_by, decided_at)
-- next
CREATE TABLE network_bans (
    network        bytea NOT NULL,
    network_ban_id text COLLATE "C" NOT NULL,
    player_id      text COLLATE "C",
    incident_id    text COLLATE "C",
    ends_at        timestamptz,
    PRIMARY KEY (network, network_ban_id)
)
-- next
CREATE INDEX network_bans_by_id ON network_bans (network_ban_id)
-- next
CREATE TABLE network_exemptions (
    network_ban_id text COLLATE "C" NOT NULL,
    player_id      text COLLATE "C" NOT NULL,
    PRIMARY KEY (network_ban_id, player_id)
)
-- next
CREATE TABLE network_ban_list (
    network_ban_id text COLLATE "C" PRIMARY KEY,
    version        integer NOT NULL,
    created_at     timestamptz NOT NULL,
    body           bytea NOT NULL
)
-- next
CREATE INDEX network_ban_list_by_time ON network_ban_list (created_at, network_ban_id)
-- next
CREATE TABLE networks_seen (
    player_id  text COLLATE "C" NOT NULL,
    network    bytea NOT NULL,
    first_seen timestamptz NOT NULL,
    last_seen  timestamptz NOT NULL,
    PRIMARY KEY (player_id, network)
)
-- next
CREATE INDEX networks_seen_by_network ON networks_seen (network)
-- next
CREATE TABLE staff (
    staff_id  text COLLATE "C" PRIMARY KEY,
    version   integer NOT NULL,
    level     text NOT NULL,
    player_id text COLLATE "C",
    active    boolean NOT NULL
)
-- next
CREATE TABLE tokens (
    token_id   text COLLATE "C" PRIMARY KEY,
    token_hash bytea NOT NULL UNIQUE,
    kind       text NOT NULL,
    principal  text COLLATE "C" NOT NULL,
    label      text NOT NULL,
    created_at timestamptz NOT NULL,
    revoked_at timestamptz
)
-- next
CREATE TABLE policies (
    version      text COLLATE "C" PRIMARY KEY,
    position     bigint NOT NULL,
    published_at timestamptz NOT NULL,
    published_by text COLLATE "C" NOT NULL,
    note         text NOT NULL,
    body         bytea NOT NULL
)
-- next
GRANT SELECT, INSERT, UPDATE, DELETE ON standing, incidents, network_bans, network_exemptions, network_ban_list, networks_seen, staff, tokens, policies TO moderation_app
