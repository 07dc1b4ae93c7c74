-- What a member of staff decided beside incidents (those are in `incidents`): what a rollback of theirs has to look at.
CREATE TABLE staff_decisions (
    staff_id    text COLLATE "C" NOT NULL,
    decided_at  timestamptz NOT NULL,
    stream      text COLLATE "C" NOT NULL,
    version     integer NOT NULL,
    kind        text NOT NULL,
    player_id   text COLLATE "C",
    incident_id text COLLATE "C",
    decision_id text COLLATE "C",
    PRIMARY KEY (staff_id, decided_at, stream, version)
)
-- next
-- Those recorded before this table existed. What was decided in an appeal counts as that appeal's decision.
INSERT INTO staff_decisions
SELECT coalesce(e.body ->> 'imported_by', e.body ->> 'by'),
       coalesce(e.body ->> 'imported_at', e.body ->> 'at')::timestamptz,
       e.stream, e.version, k.kind,
       coalesce(e.body ->> 'player_id', CASE WHEN e.stream LIKE 'record-%' THEN substr(e.stream, 8) END),
       e.body ->> 'incident_id',
       coalesce(e.body ->> 'adjustment_id', e.body ->> 'appeal_id', e.body ->> 'network_ban_id')
FROM (SELECT stream, version, type, command_id, convert_from(payload, 'UTF8')::jsonb AS body FROM events
      WHERE type IN ('moderation.sanctions_adjusted.v1', 'moderation.ip_ban_lifted.v1', 'moderation.proxy_ban_lifted.v1', 'moderation.appeal_decided.v1',
                     'moderation.incident_imported.v1', 'moderation.incident_imported.v2', 'moderation.network_ban_lifted.v1',
                     'moderation.network_banned.v1',
                     'moderation.network_account_exempted.v1')) e
JOIN (VALUES ('moderation.sanctions_adjusted.v1', 'adjustment'), ('moderation.ip_ban_lifted.v1', 'ip_ban_lift'),
             ('moderation.proxy_ban_lifted.v1', 'proxy_ban_lift'), ('moderation.appeal_decided.v1', 'appeal_decision'),
             ('moderation.incident_imported.v1', 'import'), ('moderation.incident_imported.v2', 'import'), ('moderation.network_ban_lifted.v1', 'network_ban_lift'),
             ('moderation.network_banned.v1', 'network_ban'), ('moderation.network_account_exempted.v1', 'network_exemption')) AS k(type, kind)
  ON k.type = e.type
WHERE e.body ->> 'appeal_id' IS NULL OR k.kind = 'appeal_decision'
-- next
DELETE FROM staff_decisions d USING events n, events a
WHERE d.kind IN ('network_ban_lift', 'network_exemption') AND n.stream = d.stream AND n.version = d.version
  AND a.command_id = n.command_id AND a.type = 'moderation.appeal_decided.v1'
-- next
CREATE TABLE rollbacks (
    rollback_id text COLLATE "C" PRIMARY KEY,
    version     integer NOT NULL,
    staff_id    text COLLATE "C" NOT NULL,
    made_at     timestamptz NOT NULL,
    body        bytea NOT NULL
)
-- next
CREATE INDEX rollbacks_by_time ON rollbacks (made_at, rollback_id)
-- next
GRANT SELECT, INSERT, UPDATE, DELETE ON staff_decisions, rollbacks TO moderation_app
