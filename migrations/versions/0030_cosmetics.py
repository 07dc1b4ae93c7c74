"""The rows of cosmetics and of the pictures that nobody may upload. Needs nothing but the log (0001)."""

from __future__ import annotations

from migrations.steps import run_file

revision = "0030"
down_revision = "0020"


def upgrade() -> None:
    """Make the tables."""
    run_file("0030_cosmetics_up.sql")


def downgrade() -> None:
    """Remove the tables; they can be folded again from the log."""
    run_file("0030_cosmetics_down.sql")
