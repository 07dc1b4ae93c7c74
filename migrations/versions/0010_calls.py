"""The inline projections of the calls service, and the index of a duel's incidents."""

from __future__ import annotations

from migrations.steps import run_file

revision = "0010"
down_revision = "0003"


def upgrade() -> None:
    """Make the tables."""
    run_file("0010_calls_up.sql")


def downgrade() -> None:
    """Remove the tables; they can be folded again from the log."""
    run_file("0010_calls_down.sql")
