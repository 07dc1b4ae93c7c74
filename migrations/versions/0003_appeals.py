"""The list of appeals."""

from __future__ import annotations

from migrations.steps import run_file

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the table."""
    run_file("0003_appeals_up.sql")


def downgrade() -> None:
    """Remove the table; it can be folded again from the log."""
    run_file("0003_appeals_down.sql")
