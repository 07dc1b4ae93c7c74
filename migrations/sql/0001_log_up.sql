-- The log, its head, and the rows that are written in the transaction of the events. Statements are separated by lines that say "-- next".
CREATE TABLE events (
    position    bigint PRIMARY KEY,
    stream      text COLLATE "C" NOT NULL,
    version     integer NOT NULL,
    type        text COLLATE "C" NOT NULL,
    recorded_at timestamptz NOT NULL,
    command_id  text COLLATE "C" NOT NULL,
    meta        bytea NOT NULL,
    payload     bytea NOT NULL,
    leaf_hash   bytea NOT NULL,
    CONSTRAINT events_stream_version UNIQUE (stream, version)
)
-- next
-- One row: lock, counter and head of the log. Its room lets the updates stay in the page (HOT), so that it does not bloat.
CREATE TABLE log_head (
    id          boolean PRIMARY KEY DEFAULT true CHECK (id),
    position    bigint NOT NULL,
    recorded_at timestamptz NOT NULL
) WITH (fillfactor = 10)
-- next
INSERT INTO log_head (position, recorded_at) VALUES (0, '1970-01-01T00:00:00Z')
-- next
CREATE TABLE idempotency (
    principal   text COLLATE "C" NOT NULL,
    key         text COLLATE "C" NOT NULL,
    route       text NOT NULL,
    fingerprint bytea NOT NULL,
    status      integer NOT NULL,
    reply       bytea NOT NULL,
    position    bigint,
    command_id  text COLLATE "C" NOT NULL,
    recorded_at timestamptz NOT NULL,
    PRIMARY KEY (principal, key)
)
-- next
CREATE TABLE outbox (
    position  bigint NOT NULL,
    ordinal   integer NOT NULL,
    type      text COLLATE "C" NOT NULL,
    player_id text COLLATE "C",
    data      bytea NOT NULL,
    PRIMARY KEY (position, ordinal)
)
-- next
CREATE TABLE data_keys (
    subject    text COLLATE "C" PRIMARY KEY,
    wrapped    bytea NOT NULL,
    created_at timestamptz NOT NULL
)
-- next
CREATE TABLE config_epoch (
    id    boolean PRIMARY KEY DEFAULT true CHECK (id),
    epoch bigint NOT NULL
) WITH (fillfactor = 10)
-- next
INSERT INTO config_epoch (epoch) VALUES (0)
-- next
CREATE TABLE projection_checkpoints (
    name     text COLLATE "C" PRIMARY KEY,
    position bigint NOT NULL
)
-- next
-- SHA-256(0x00 || canonical envelope), as docs/log-format.md says; STABLE because convert_to is, which lets the planner inline it.
CREATE FUNCTION log_leaf_hash(place bigint, stream text, version integer, type text, recorded_us bigint, command_id text, meta bytea, payload bytea)
RETURNS bytea LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT sha256('\x00'::bytea || convert_to(E'simorg-leaf-v1\n', 'UTF8')
        || int4send(8) || int8send(place)
        || int4send(octet_length(convert_to(stream, 'UTF8'))) || convert_to(stream, 'UTF8')
        || int4send(8) || int8send(version)
        || int4send(octet_length(convert_to(type, 'UTF8'))) || convert_to(type, 'UTF8')
        || int4send(8) || int8send(recorded_us)
        || int4send(octet_length(convert_to(command_id, 'UTF8'))) || convert_to(command_id, 'UTF8')
        || int4send(octet_length(meta)) || meta
        || int4send(octet_length(payload)) || payload)
$$
-- next
-- Record a batch of requests under the lock of the head row. Arrays ending in _req say to which request (from 1) an element belongs; a refused request
-- (its key has an answer, a stream is at another version, its subject has another data key) leaves nothing behind, the others are recorded.
-- The planner switches matter: plans are cached, and one made while the table was empty would scan and sort for ever.
CREATE FUNCTION log_append(
    idem_req integer[], idem_principal text[], idem_key text[], idem_route text[], idem_fingerprint bytea[], idem_status integer[], idem_reply bytea[],
    idem_command text[], idem_event integer[],
    guard_req integer[], guard_stream text[], guard_expected integer[],
    event_req integer[], event_stream text[], event_version integer[], event_type text[], event_command text[], event_meta bytea[], event_payload bytea[],
    out_event integer[], out_ordinal integer[], out_type text[], out_player text[], out_data bytea[],
    key_req integer[], key_subject text[], key_wrapped bytea[],
    OUT base bigint, OUT moment timestamptz,
    OUT answered_req integer[], OUT answered_route text[], OUT answered_fingerprint bytea[], OUT answered_status integer[], OUT answered_reply bytea[],
    OUT answered_position bigint[],
    OUT conflict_req integer[], OUT conflict_stream text[], OUT conflict_expected integer[], OUT conflict_actual integer[],
    OUT taken_req integer[], OUT taken_subject text[]
)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = public, pg_temp
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_sort = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    refused  integer[];
    place    bigint[];
    recorded bigint;
    micros   bigint;
BEGIN
    SELECT h.position, GREATEST(clock_timestamp(), h.recorded_at) INTO STRICT base, moment FROM log_head h WHERE h.id FOR UPDATE;
    micros := (extract(epoch FROM moment) * 1000000)::bigint;

    IF cardinality(idem_key) > 0 THEN
        SELECT array_agg(r.req), array_agg(i.route), array_agg(i.fingerprint), array_agg(i.status), array_agg(i.reply), array_agg(i.position)
        INTO answered_req, answered_route, answered_fingerprint, answered_status, answered_reply, answered_position
        FROM unnest(idem_req, idem_principal, idem_key) AS r(req, principal, key)
        JOIN idempotency i ON i.principal = r.principal AND i.key = r.key;
    END IF;
    IF cardinality(guard_stream) > 0 THEN
        SELECT array_agg(g.req), array_agg(g.stream), array_agg(g.expected), array_agg(g.actual)
        INTO conflict_req, conflict_stream, conflict_expected, conflict_actual
        FROM (SELECT u.req, u.stream, u.expected,
                     COALESCE((SELECT e.version FROM events e WHERE e.stream = u.stream ORDER BY e.version DESC LIMIT 1), 0) AS actual
              FROM unnest(guard_req, guard_stream, guard_expected) AS u(req, stream, expected) OFFSET 0) g
        WHERE g.actual <> g.expected;
    END IF;
    IF cardinality(key_subject) > 0 THEN
        SELECT array_agg(k.req), array_agg(k.subject) INTO taken_req, taken_subject
        FROM unnest(key_req, key_subject, key_wrapped) AS k(req, subject, wrapped)
        JOIN data_keys d ON d.subject = k.subject WHERE d.wrapped <> k.wrapped;
    END IF;
    refused := COALESCE(answered_req, '{}') || COALESCE(conflict_req, '{}') || COALESCE(taken_req, '{}');

    IF cardinality(refused) = 0 THEN
        recorded := cardinality(event_req);
        SELECT array_agg(n) INTO place FROM generate_series(base + 1, base + recorded) AS n;
    ELSE
        SELECT array_agg(CASE WHEN p.good THEN p.position ELSE 0 END ORDER BY p.ord), count(*) FILTER (WHERE p.good) INTO place, recorded
        FROM (SELECT g.ord, g.good, base + count(*) FILTER (WHERE g.good) OVER (ORDER BY g.ord) AS position
              FROM (SELECT u.ord, u.req <> ALL (refused) AS good FROM unnest(event_req) WITH ORDINALITY AS u(req, ord)) g) p;
    END IF;

    IF recorded > 0 THEN
        INSERT INTO events (position, stream, version, type, recorded_at, command_id, meta, payload, leaf_hash)
        SELECT e.position, e.stream, e.version, e.type, moment, e.command, e.meta, e.payload,
               log_leaf_hash(e.position, e.stream, e.version, e.type, micros, e.command, e.meta, e.payload)
        FROM unnest(place, event_stream, event_version, event_type, event_command, event_meta, event_payload)
             AS e(position, stream, version, type, command, meta, payload)
        WHERE e.position > 0;
        UPDATE log_head SET position = base + recorded, recorded_at = moment WHERE id;
        IF cardinality(out_event) > 0 THEN
            INSERT INTO outbox (position, ordinal, type, player_id, data)
            SELECT place[o.event], o.ordinal, o.type, o.player, o.data
            FROM unnest(out_event, out_ordinal, out_type, out_player, out_data) AS o(event, ordinal, type, player, data)
            WHERE place[o.event] > 0;
        END IF;
        PERFORM pg_notify('moderation_log', (base + recorded)::text);
    END IF;
    IF cardinality(idem_key) > 0 THEN
        INSERT INTO idempotency (principal, key, route, fingerprint, status, reply, position, command_id, recorded_at)
        SELECT i.principal, i.key, i.route, i.fingerprint, i.status, i.reply, CASE WHEN i.event > 0 THEN place[i.event] END, i.command, moment
        FROM unnest(idem_req, idem_principal, idem_key, idem_route, idem_fingerprint, idem_status, idem_reply, idem_command, idem_event)
             AS i(req, principal, key, route, fingerprint, status, reply, command, event)
        WHERE i.req <> ALL (refused);
    END IF;
    IF cardinality(key_subject) > 0 THEN
        INSERT INTO data_keys (subject, wrapped, created_at)
        SELECT k.subject, k.wrapped, moment FROM unnest(key_req, key_subject, key_wrapped) AS k(req, subject, wrapped)
        WHERE k.req <> ALL (refused)
        ON CONFLICT (subject) DO NOTHING;
    END IF;
END
$$
-- next
-- What became of requests whose answer was lost. The lock makes it wait until a transaction that still runs has ended, so that "not found" is final.
CREATE FUNCTION log_find(find_stream text[], find_version integer[], find_principal text[], find_key text[], find_command text[])
RETURNS TABLE (req bigint, found_position bigint, found_at timestamptz)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = public, pg_temp
SET enable_seqscan = off
AS $$
BEGIN
    PERFORM 1 FROM log_head h WHERE h.id FOR UPDATE;
    RETURN QUERY
        SELECT f.ord, e.position, e.recorded_at
        FROM unnest(find_stream, find_version, find_command) WITH ORDINALITY AS f(stream, version, command, ord)
        JOIN events e ON e.stream = f.stream AND e.version = f.version AND e.command_id = f.command
        UNION ALL
        SELECT f.ord, 0::bigint, i.recorded_at
        FROM unnest(find_stream, find_principal, find_key, find_command) WITH ORDINALITY AS f(stream, principal, key, command, ord)
        JOIN idempotency i ON i.principal = f.principal AND i.key = f.key AND i.command_id = f.command
        WHERE f.stream IS NULL;
END
$$
-- next
-- Events at versions that the caller chose, for tools and tests (another library's recorder): the owner's, not the application's.
CREATE FUNCTION log_insert(new_stream text[], new_version integer[], new_type text[], new_command text[], new_meta bytea[], new_payload bytea[])
RETURNS bigint LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
    base   bigint;
    moment timestamptz;
    micros bigint;
BEGIN
    SELECT h.position, GREATEST(clock_timestamp(), h.recorded_at) INTO STRICT base, moment FROM log_head h WHERE h.id FOR UPDATE;
    micros := (extract(epoch FROM moment) * 1000000)::bigint;
    INSERT INTO events (position, stream, version, type, recorded_at, command_id, meta, payload, leaf_hash)
    SELECT base + e.ord, e.stream, e.version, e.type, moment, e.command, e.meta, e.payload,
           log_leaf_hash(base + e.ord, e.stream, e.version, e.type, micros, e.command, e.meta, e.payload)
    FROM unnest(new_stream, new_version, new_type, new_command, new_meta, new_payload) WITH ORDINALITY
         AS e(stream, version, type, command, meta, payload, ord);
    UPDATE log_head SET position = base + cardinality(new_stream), recorded_at = moment WHERE id AND cardinality(new_stream) > 0;
    PERFORM pg_notify('moderation_log', (base + cardinality(new_stream))::text);
    RETURN base + 1;
END
$$
-- next
CREATE FUNCTION log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% on % is refused: the log is append-only', TG_OP, TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END
$$
-- next
CREATE TRIGGER events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON events FOR EACH STATEMENT EXECUTE FUNCTION log_is_append_only()
-- next
ALTER TABLE events ENABLE ALWAYS TRIGGER events_append_only
-- next
CREATE TRIGGER log_head_stays BEFORE DELETE OR TRUNCATE ON log_head FOR EACH STATEMENT EXECUTE FUNCTION log_is_append_only()
-- next
ALTER TABLE log_head ENABLE ALWAYS TRIGGER log_head_stays
-- next
CREATE FUNCTION json_or_null(raw bytea) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    RETURN convert_from(raw, 'UTF8')::jsonb;
EXCEPTION WHEN OTHERS THEN
    RETURN NULL;
END
$$
-- next
-- For people: the log with its JSON as JSON, and null where the bytes are none.
CREATE VIEW events_json AS
SELECT position, stream, version, type, recorded_at, command_id, json_or_null(meta) AS meta, json_or_null(payload) AS payload, encode(leaf_hash, 'hex') AS leaf_hash
FROM events
-- next
REVOKE ALL ON FUNCTION log_append, log_find, log_insert FROM PUBLIC
-- next
GRANT EXECUTE ON FUNCTION log_append, log_find TO moderation_app
-- next
GRANT SELECT ON events, events_json, log_head, idempotency, outbox, data_keys, config_epoch, projection_checkpoints TO moderation_app
-- next
GRANT UPDATE ON config_epoch TO moderation_app
-- next
GRANT INSERT, UPDATE, DELETE ON projection_checkpoints TO moderation_app
-- next
GRANT SELECT ON alembic_version TO moderation_app
