"""A server that leaves nothing behind, for tests and benches."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from shared.embedded.server import EmbeddedPostgres


@contextlib.contextmanager
def temporary_postgres() -> Iterator[EmbeddedPostgres]:
    """A running server in a temporary folder, removed with all its data at the end of the block.

    A temporary folder is closed to other users, the one that root's server runs as among them; this one lets them pass through (and see nothing),
    so that the data need not be placed elsewhere, where it would stay.
    """
    folder = Path(tempfile.mkdtemp(prefix="moderation-pg-"))
    try:
        folder.chmod(0o711)
        with EmbeddedPostgres(folder / "data") as server:
            yield server
    finally:
        shutil.rmtree(folder, ignore_errors=True)
