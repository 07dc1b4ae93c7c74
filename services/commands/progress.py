"""A progress bar on standard error; where that is no terminal, a line now and then."""

from __future__ import annotations

import sys
import time

WIDTH = 32


class Bar:
    """`bar(done, all)` as often as one likes; `end()` leaves the last state standing."""

    def __init__(self, unit: str) -> None:
        self._unit = unit
        self._began = time.monotonic()
        self._shown = 0.0
        self._terminal = sys.stderr.isatty()
        self._text = ""

    def __call__(self, done: int, of: int) -> None:
        """Show how far it is."""
        now = time.monotonic()
        if now - self._shown < (0.1 if self._terminal else 5.0) and done < of:
            return
        self._shown = now
        rate = done / max(now - self._began, 1e-6)
        filled = WIDTH * done // max(of, 1)
        self._text = f"[{'#' * filled}{'.' * (WIDTH - filled)}] {done:,}/{of:,} {self._unit}, {rate:,.0f}/s"
        print(f"\r{self._text}" if self._terminal else self._text, end="" if self._terminal else "\n", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Leave the line."""
        if self._terminal and self._text:
            print(file=sys.stderr, flush=True)
