DROP FUNCTION log_seal
-- next
DROP TABLE log_tiles, log_checkpoints
-- next
DROP FUNCTION log_checkpoints_stay
