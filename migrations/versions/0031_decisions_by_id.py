"""Whose adjustment it is, asked when another player appeals it. Needs the decisions of staff (0013)."""

from __future__ import annotations

from migrations.steps import run_file

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    """Make the index."""
    run_file("0031_decisions_by_id_up.sql")


def downgrade() -> None:
    """Remove the index."""
    run_file("0031_decisions_by_id_down.sql")
