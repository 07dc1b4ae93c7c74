"""The inline projections of the moderation service."""

from __future__ import annotations

from migrations.steps import run_file

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the tables."""
    run_file("0002_views_up.sql")


def downgrade() -> None:
    """Remove the tables; they can be folded again from the log."""
    run_file("0002_views_down.sql")
