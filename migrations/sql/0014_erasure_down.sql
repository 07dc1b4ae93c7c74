REVOKE DELETE ON data_keys FROM moderation_app
-- next
DROP TABLE erasures, reads
