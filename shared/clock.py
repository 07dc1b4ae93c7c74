"""The one place that reads the wall clock; everything else is told the moment."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the present moment."""

    def now(self) -> datetime:
        """The present moment, aware, in UTC, to the microsecond."""
        ...


class SystemClock:
    """The machine's own clock."""

    __slots__ = ()

    def now(self) -> datetime:
        """The present moment, aware, in UTC, to the microsecond."""
        return datetime.now(UTC)
