"""Webhooks: who is told, how far each has got, what is under way. Needs nothing but the log (0001)."""

from __future__ import annotations

from migrations.steps import run_file

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Make the tables."""
    run_file("0012_webhooks_up.sql")


def downgrade() -> None:
    """Remove them; the webhooks themselves stay in the log."""
    run_file("0012_webhooks_down.sql")
