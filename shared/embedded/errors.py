"""What can go wrong with the embedded database, in words for the person at the terminal."""

from __future__ import annotations


class EmbeddedPostgresError(Exception):
    """The embedded database can't be started; the text says what to do about it."""
