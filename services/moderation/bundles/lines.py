"""The lines of a bundle: one JSON object each, written in exactly one way, so that no byte can be changed unseen (docs/log-format.md)."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final, Literal, TypeVar

import msgspec

FORMAT: Final = "simorg-bundle-v1"
_encode = msgspec.json.Encoder().encode


class BundleError(Exception):
    """The bundle proves nothing: in which line (from 1) that shows, and why."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line
        self.why = why


class Header(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True, tag="header", tag_field="line"):
    """What the bundle holds: one player's record, or (`player_id` null) the whole log, up to the checkpoint; standings are as of `as_of`."""

    format: Literal["simorg-bundle-v1"]
    player_id: str | None
    as_of: datetime
    checkpoint: str


class EventLine(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True, omit_defaults=True, tag="event", tag_field="line"):
    """One leaf in base64, with its inclusion proof when the bundle is not the whole log.

    `personal` holds its personal parts as the exporter opened them: the proof is about what is sealed, not about these words.
    """

    leaf: str
    proof: tuple[str, ...] | None = None
    personal: dict[str, Any] | None = None


class StandingLine(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True, tag="standing", tag_field="line"):
    """A player's standing, to be found again by replaying the events."""

    player_id: str
    standing: dict[str, Any]


class EndLine(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True, tag="end", tag_field="line"):
    """How many lines of each kind there are, and the SHA-256 of all bytes before this line."""

    events: int
    standings: int
    sha256: str


Line = Header | EventLine | StandingLine | EndLine
L = TypeVar("L", Header, EventLine, StandingLine, EndLine)
_decode = msgspec.json.Decoder(Line).decode


def write(line: Line) -> bytes:
    """The line with its end."""
    return _encode(line) + b"\n"


def read(raw: bytes, number: int) -> Line:
    """The line from its bytes. Raises `BundleError` for what `write` would not have written."""
    try:
        line = _decode(raw)
        whole = write(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BundleError(number, "this is no line of a bundle") from error
    if whole != raw:
        raise BundleError(number, "the line is not written in its one form")
    return line


def expect(line: Line, kind: type[L], number: int) -> L:
    """The line, when it is of this kind. Raises `BundleError`."""
    if not isinstance(line, kind):
        raise BundleError(number, f"a {kind.__name__} is expected here")
    return line
