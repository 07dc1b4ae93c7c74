"""What is said of an event that can't be read."""

from __future__ import annotations

from shared.refusal import Unavailable


class UnreadableEvent(Unavailable):
    """An event that this program cannot read: its stream's state is unknown, and never taken as clean (E06).

    `position` and `type` say which; `why` holds no value of the payload.
    """

    def __init__(self, position: int, type_: str, why: str) -> None:
        super().__init__(f"event {position} ({type_}) cannot be read")
        self.position = position
        self.type = type_
        self.why = why
