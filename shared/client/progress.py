"""How far a reader of the feed is, so that a cut in the middle of a position neither skips an item nor gives one twice."""

from __future__ import annotations

from typing import Final

_WHOLE: Final = float("inf")


class Progress:
    """`after` is the position up to which everything was handed out; None: not known yet (from now on).

    Items of one position have no number of their own, but an order that never changes: the n-th of a position is the same one whenever it is read.
    """

    __slots__ = ("_given", "_reading", "after")

    def __init__(self, after: int | None) -> None:
        self.after = after
        self._given: tuple[float, float] = (-1 if after is None else after, _WHOLE)  # position and number of the newest item handed out
        self._reading = (-1, 0)

    def restart(self) -> None:
        """What is read from here on begins with a position's first item."""
        self._reading = (-1, 0)

    def reached(self, position: int) -> None:
        """Everything up to this position was handed out, or is none of ours."""
        self.after = position if self.after is None else max(self.after, position)
        self._given = max(self._given, (position, _WHOLE))

    def take(self, position: int, *, last: bool) -> bool:
        """Note the next item that was read; whether it is new. `last`: its position holds no more."""
        at, number = self._reading
        self._reading = (position, number + 1 if position == at else 1)
        new = self._reading > self._given
        if new:
            self._given = self._reading
        if last:
            self.reached(position)
        return new
