-- Who was erased, for the ledger that restored backups are held against.
CREATE TABLE erasures (
    player_id  text COLLATE "C" NOT NULL,
    erasure_id text COLLATE "C" NOT NULL,
    erased_at  timestamptz NOT NULL,
    version    integer NOT NULL,
    PRIMARY KEY (player_id, erasure_id)
)
-- next
CREATE INDEX erasures_by_time ON erasures (erased_at, erasure_id)
-- next
-- Who read what of whom: a row for each event of the readers' own streams.
CREATE TABLE reads (
    reader     text COLLATE "C" NOT NULL,
    version    integer NOT NULL,
    read_at    timestamptz NOT NULL,
    role       text NOT NULL,
    player_id  text COLLATE "C",
    what       text NOT NULL,
    subject    text COLLATE "C",
    request_id text,
    PRIMARY KEY (reader, version)
)
-- next
CREATE INDEX reads_by_time ON reads (read_at, reader, version)
-- next
CREATE INDEX reads_by_player ON reads (player_id, read_at, reader, version)
-- next
GRANT SELECT, INSERT, UPDATE, DELETE ON erasures, reads TO moderation_app
-- next
GRANT DELETE ON data_keys TO moderation_app
