CREATE TABLE cosmetics (
    cosmetic_id text COLLATE "C" PRIMARY KEY,
    player_id   text COLLATE "C" NOT NULL,
    version     integer NOT NULL,
    slot        text NOT NULL,
    state       text NOT NULL,
    in_review   boolean NOT NULL,
    rank        integer NOT NULL,
    incident_id text COLLATE "C",
    files       bytea NOT NULL,
    body        bytea NOT NULL
)
-- next
CREATE INDEX cosmetics_by_player ON cosmetics (player_id, cosmetic_id)
-- next
CREATE INDEX cosmetics_to_review ON cosmetics (rank, cosmetic_id) WHERE in_review
-- next
CREATE INDEX cosmetics_by_incident ON cosmetics (incident_id) WHERE incident_id IS NOT NULL
-- next
CREATE TABLE known_images (
    name        text COLLATE "C" PRIMARY KEY,
    kind        text NOT NULL,
    player_id   text COLLATE "C",
    incident_id text COLLATE "C",
    listed      boolean NOT NULL,
    prints      bytea NOT NULL,
    position    bigint NOT NULL
)
-- next
CREATE INDEX known_images_by_position ON known_images (position, name)
-- next
GRANT SELECT, INSERT, UPDATE, DELETE ON cosmetics, known_images TO moderation_app
