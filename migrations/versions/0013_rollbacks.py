"""What each member of staff decided beside incidents, and the list of rollbacks. Needs the log (0001)."""

from __future__ import annotations

from migrations.steps import run_file

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Make the tables; decisions recorded before come from the log."""
    run_file("0013_rollbacks_up.sql")


def downgrade() -> None:
    """Remove the tables; they can be folded again from the log."""
    run_file("0013_rollbacks_down.sql")
