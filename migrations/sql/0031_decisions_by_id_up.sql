CREATE INDEX staff_decisions_by_id ON staff_decisions (decision_id) WHERE decision_id IS NOT NULL
