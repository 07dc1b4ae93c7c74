-- The sealed part of the log: the Merkle tree as tiles, and every checkpoint ever signed. Written by log_seal alone.
CREATE TABLE log_tiles (
    level  integer NOT NULL,
    number bigint NOT NULL,
    hashes bytea NOT NULL CHECK (octet_length(hashes) BETWEEN 32 AND 8192 AND octet_length(hashes) % 32 = 0),
    PRIMARY KEY (level, number)
)
-- next
-- Hashes don't compress.
ALTER TABLE log_tiles ALTER hashes SET STORAGE EXTERNAL
-- next
CREATE TABLE log_checkpoints (
    size      bigint NOT NULL,
    key_id    bytea NOT NULL,
    root      bytea NOT NULL,
    note      bytea NOT NULL,
    signed_at timestamptz NOT NULL,
    PRIMARY KEY (size, key_id)
)
-- next
-- Record a signed checkpoint with the tiles it adds, if the last one is still the one it was made from (old_size -1: there was none); false if not.
-- A tile only grows, a checkpoint never gets smaller, and never reaches behind the log's head: one history, whoever asks.
CREATE FUNCTION log_seal(
    old_size bigint, old_root bytea, new_size bigint, new_root bytea, new_key bytea, new_note bytea,
    tile_level integer[], tile_number bigint[], tile_hashes bytea[]
)
RETURNS boolean LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    last_size bigint;
    last_root bytea;
BEGIN
    PERFORM pg_advisory_xact_lock(1362332166);
    SELECT c.size, c.root INTO last_size, last_root FROM log_checkpoints c ORDER BY c.size DESC LIMIT 1;
    IF COALESCE(last_size, -1) <> old_size OR last_root IS DISTINCT FROM old_root THEN
        RETURN false;
    END IF;
    IF new_size < COALESCE(last_size, 0) OR (new_size = last_size AND new_root <> last_root) OR new_size > (SELECT h.position FROM log_head h) THEN
        RAISE EXCEPTION 'a checkpoint of % does not continue one of %', new_size, last_size USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF EXISTS (
        SELECT 1 FROM unnest(tile_level, tile_number, tile_hashes) AS n(level, number, hashes)
        JOIN log_tiles t ON t.level = n.level AND t.number = n.number
        WHERE substring(n.hashes FROM 1 FOR octet_length(t.hashes)) <> t.hashes
    ) THEN
        RAISE EXCEPTION 'a tile would lose what is published' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    INSERT INTO log_tiles (level, number, hashes)
    SELECT n.level, n.number, n.hashes FROM unnest(tile_level, tile_number, tile_hashes) AS n(level, number, hashes)
    ON CONFLICT (level, number) DO UPDATE SET hashes = excluded.hashes;
    INSERT INTO log_checkpoints (size, key_id, root, note, signed_at) VALUES (new_size, new_key, new_root, new_note, clock_timestamp());
    RETURN true;
END
$$
-- next
CREATE FUNCTION log_checkpoints_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% on % is refused: what was signed stays', TG_OP, TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END
$$
-- next
CREATE TRIGGER log_checkpoints_stay BEFORE UPDATE OR DELETE ON log_checkpoints FOR EACH STATEMENT EXECUTE FUNCTION log_checkpoints_stay()
-- next
ALTER TABLE log_checkpoints ENABLE ALWAYS TRIGGER log_checkpoints_stay
-- next
REVOKE ALL ON FUNCTION log_seal FROM PUBLIC
-- next
GRANT EXECUTE ON FUNCTION log_seal TO moderation_app
-- next
GRANT SELECT ON log_tiles, log_checkpoints TO moderation_app
