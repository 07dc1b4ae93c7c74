DROP TABLE IF EXISTS duel_incidents, calls, call_queue
