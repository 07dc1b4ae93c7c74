"""What all tables are declared with."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

METADATA = sa.MetaData()
TEXT = sa.Text(collation="C")
MOMENT = sa.DateTime(timezone=True)


def required(name: str, kind: sa.types.TypeEngine[Any], *, key: bool = False) -> sa.Column[Any]:
    """A column that is never null; with `key` a part of the primary key."""
    return sa.Column(name, kind, nullable=False, primary_key=key, autoincrement=False)
