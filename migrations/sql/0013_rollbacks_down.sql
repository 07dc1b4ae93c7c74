DROP TABLE IF EXISTS staff_decisions, rollbacks
