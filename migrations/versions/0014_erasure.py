"""Erasure: the ledger's table, and the right to destroy data keys; who read what. Needs nothing but the log and the views (0001, 0002)."""

from __future__ import annotations

from migrations.steps import run_file

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Make the tables, give the right."""
    run_file("0014_erasure_up.sql")


def downgrade() -> None:
    """Remove them; the tables can be folded again from the log."""
    run_file("0014_erasure_down.sql")
