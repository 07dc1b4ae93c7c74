"""The list of tournament penalties that were referred to the site. Needs nothing but the log (0001)."""

from __future__ import annotations

from migrations.steps import run_file

revision = "0020"
down_revision = "0014"


def upgrade() -> None:
    """Make the table."""
    run_file("0020_tournaments_up.sql")


def downgrade() -> None:
    """Remove the table; it can be folded again from the log."""
    run_file("0020_tournaments_down.sql")
