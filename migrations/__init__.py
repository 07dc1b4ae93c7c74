"""The database's schema, step by step: `runner.py` runs the steps, `sql/` holds them, `shared/eventstore/schema.py` describes their outcome."""
