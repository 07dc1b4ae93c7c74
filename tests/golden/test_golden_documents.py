"""The pages made from the rule table and from other pages are current (`make golden` writes them)."""

from __future__ import annotations

import os

from tests.golden.documents import DOCS, documents, main


def test_the_pages_are_the_golden_ones() -> None:
    """The rule table that people read is the one that is applied, and every page is in the index."""
    if os.environ.get("UPDATE_GOLDEN"):
        main()
    stale = [str(path.relative_to(DOCS)) for path, text in documents().items() if not path.exists() or path.read_text() != text]
    assert not stale, f"if so meant: make golden, or python -m tests.golden.documents. Differing: {stale}"
