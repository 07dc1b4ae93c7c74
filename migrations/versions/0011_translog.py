"""The Merkle tiles and the signed checkpoints over the log. Needs nothing but the log (0001)."""

from __future__ import annotations

from migrations.steps import run_file

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Make the tables and the function that seals."""
    run_file("0011_translog_up.sql")


def downgrade() -> None:
    """Remove them; tiles can be computed again, but the signed checkpoints are gone."""
    run_file("0011_translog_down.sql")
