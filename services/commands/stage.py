"""Where a demonstration is played: what people do on the left, the feed beside it, at a pace that can be read."""

from __future__ import annotations

import asyncio
import os
import shutil
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TextIO

from services.commands.replay import printable

NARROW: Final = 96
WIDEST: Final = 150
SECONDS_A_WORD: Final = 0.12
_COLOURS: Final = {"bold": "1", "dim": "2", "green": "32", "yellow": "33", "cyan": "36", "magenta": "35"}


def coloured(out: TextIO, environment: Mapping[str, str]) -> bool:
    """Whether colours are wanted: on a terminal that has them, and where `NO_COLOR` doesn't say otherwise (no-color.org)."""
    return out.isatty() and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"


@dataclass(slots=True, kw_only=True)
class Stage:
    """Prints to `out`, `width` columns wide. Everything that was not written here is escaped before it is printed."""

    out: TextIO
    width: int
    colours: bool
    paced: bool

    @classmethod
    def on(cls, out: TextIO, *, paced: bool) -> Stage:
        """A stage as wide as the terminal."""
        width = min(shutil.get_terminal_size((120, 24)).columns, WIDEST)
        return cls(out=out, width=width, colours=coloured(out, os.environ), paced=paced)

    @property
    def left(self) -> int:
        """Columns of the left side; all of them where there is no room for two."""
        return self.width if self.width < NARROW else self.width * 11 // 20

    def title(self, text: str) -> None:
        """A heading over both sides."""
        self._line(self._paint(printable(text), "bold"))

    def heads(self) -> None:
        """What is where."""
        if self.left < self.width:
            self._line(self._paint("what people do".ljust(self.left) + "│ the feed, as the game server gets it", "dim"))

    async def act(self, who: str, text: str) -> None:
        """Somebody does something."""
        self._paragraph(printable(who), printable(text), "cyan")
        await self.pause(text)

    async def outcome(self, text: str) -> None:
        """What came of it."""
        self._paragraph("", "→ " + printable(text), "green")
        await self.pause(text)

    def feed(self, kind: str, text: str) -> None:
        """An item of the feed."""
        colour = {"duel.paused": "yellow", "duel.resumed": "magenta"}.get(kind, "")
        narrow = self.left == self.width
        indent = "    feed │ " if narrow else " " * self.left + "│ "
        for number, line in enumerate(textwrap.wrap(printable(f"{kind}  {text}"), max(self.width - len(indent), 20), break_on_hyphens=False) or [""]):
            shown = self._paint(line, colour) if colour else line
            self._line(indent + ("" if number == 0 else "  ") + shown)

    async def pause(self, text: str) -> None:
        """Time to read this."""
        if self.paced:
            await asyncio.sleep(0.4 + SECONDS_A_WORD * len(text.split()))

    def _paragraph(self, who: str, text: str, colour: str) -> None:
        margin = 10
        for number, line in enumerate(textwrap.wrap(text, max(self.left - margin - 1, 20), break_on_hyphens=False) or [""]):
            label = self._paint(who.ljust(margin), "bold") if number == 0 else " " * margin
            gap = " " * max(self.left - margin - len(line), 0) + self._paint("│", "dim") if self.left < self.width else ""
            self._line(label + self._paint(line, colour) + gap)

    def _paint(self, text: str, colour: str) -> str:
        return f"\x1b[{_COLOURS[colour]}m{text}\x1b[0m" if self.colours else text

    def _line(self, text: str) -> None:
        print(text, file=self.out, flush=True)
