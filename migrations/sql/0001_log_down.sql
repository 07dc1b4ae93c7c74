DROP VIEW events_json
-- next
DROP FUNCTION json_or_null, log_append, log_find, log_insert, log_leaf_hash
-- next
DROP TABLE events, log_head, idempotency, outbox, data_keys, config_epoch, projection_checkpoints
-- next
DROP FUNCTION log_is_append_only
