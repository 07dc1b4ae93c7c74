"""The client's generated half is that of the declared endpoints (`make golden` writes it)."""

from __future__ import annotations

import os

from services.gateway.routes import ENDPOINTS
from tests.golden.client.__main__ import main
from tests.golden.client.files import FOLDER, write


def test_the_client_is_the_golden_one() -> None:
    """An operation without its method, or a type that has changed since, is seen in review."""
    if os.environ.get("UPDATE_GOLDEN"):
        main()
    wanted = write(ENDPOINTS)
    there = {str(path.relative_to(FOLDER)): path.read_text() for path in FOLDER.rglob("*.py")}
    stale = sorted(name for name in wanted.keys() | there.keys() if wanted.get(name) != there.get(name))
    assert not stale, f"the API has changed; if so meant: make golden, or python -m tests.golden.client. Differing: {stale}"
