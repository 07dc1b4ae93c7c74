"""Server-sent events, as bytes come: the part of the WHATWG format that the feed uses, read without a limit on what an event holds.

Lines end with LF or CR LF only. A reader of text lines would also split at the separators that JSON text may hold (U+2028, U+0085).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_DIGITS: Final = 16  # positions of the log have no more


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What came up to an empty line. `data` is None where there was none, `place` the number in `id:`, `retry` milliseconds."""

    data: bytes | None = None
    place: int | None = None
    retry: int | None = None


class EventReader:
    """Makes events of chunks, wherever those were cut."""

    __slots__ = ("_data", "_parts", "_place", "_retry")

    def __init__(self) -> None:
        self._parts: list[bytes] = []  # of a line that has not ended; joined once, however many they are
        self._data: list[bytes] = []
        self._place: int | None = None
        self._retry: int | None = None

    def read(self, chunk: bytes) -> Iterator[Event]:
        """The events that end within this chunk."""
        first, *others = chunk.split(b"\n")
        self._parts.append(first)
        if not others:
            return
        lines = [b"".join(self._parts), *others]
        self._parts = [lines.pop()]
        for line in lines:
            event = self._line(line.removesuffix(b"\r"))
            if event is not None:
                yield event

    def _line(self, line: bytes) -> Event | None:
        if not line:
            data = b"\n".join(self._data) if self._data else None
            event = Event(data=data, place=self._place, retry=self._retry)
            self._data, self._place, self._retry = [], None, None
            return None if event == Event() else event
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        match name:
            case b"data":
                self._data.append(value)
            case b"id":
                self._place = _number(value)
            case b"retry":
                self._retry = _number(value)
            case _:  # a comment, or a field that we don't know
                pass
        return None


def _number(value: bytes) -> int | None:
    return int(value) if value.isdigit() and len(value) <= _DIGITS else None
