"""What every table of the schema is declared with."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from shared.eventstore.port import InlineTable

METADATA = sa.MetaData()
TEXT = sa.Text(collation="C")
MOMENT = sa.DateTime(timezone=True)


def required(name: str, kind: sa.types.TypeEngine[Any], *, key: bool = False) -> sa.Column[Any]:
    """A column that is never null."""
    return sa.Column(name, kind, nullable=False, primary_key=key, autoincrement=False)


def inline_table(table: sa.Table, *, version_column: str | None = None, bumps_epoch: bool = False) -> InlineTable:
    """The table as the writer knows it; see `InlineTable` for the options."""
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    columns = {column.name: column.type.compile(dialect).split(" COLLATE ")[0] for column in table.columns}
    return InlineTable(
        name=table.name,
        columns=columns,
        key=tuple(column.name for column in table.primary_key.columns),
        version_column=version_column,
        bumps_epoch=bumps_epoch,
    )
