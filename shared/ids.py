"""The one place that makes identifiers: UUIDv7 strings, ordered by the moment at which they were made."""

from __future__ import annotations

from uuid_utils import uuid7


def new_id() -> str:
    """A new identifier: a UUIDv7 in its 36-character form."""
    return str(uuid7())
