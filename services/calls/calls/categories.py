"""The categories of calls, one queue each (I-40)."""

from __future__ import annotations

from typing import Final

from shared.refusal import Refusal

CATEGORIES: Final = ("afk", "cheating", "harassment", "report-bug", "ruling-question", "slow-play")
WATCHERS: Final = frozenset({"harassment", "report-bug"})
"""What somebody may call for about a duel that they don't play in (I-43)."""


def check_category(category: str) -> None:
    """Raises a `Refusal` `unknown_category`."""
    if category not in CATEGORIES:
        raise Refusal("unknown_category", f"There is no category {category!r}.", allowed=list(CATEGORIES), field="category")
