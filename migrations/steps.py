"""Runs a file of SQL statements as one step of a migration."""

from __future__ import annotations

from pathlib import Path

from alembic import op

SQL = Path(__file__).parent / "sql"


def run_file(name: str) -> None:
    """Execute the statements of `sql/NAME`, which are separated by lines that say `-- next`."""
    for statement in (SQL / name).read_text(encoding="utf-8").split("\n-- next\n"):
        op.get_bind().exec_driver_sql(statement)
