"""The log: events, head, idempotency, outbox, data keys, the append function."""

from __future__ import annotations

from migrations.steps import run_file

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the log."""
    run_file("0001_log_up.sql")


def downgrade() -> None:
    """Remove the log and all that it holds."""
    run_file("0001_log_down.sql")
