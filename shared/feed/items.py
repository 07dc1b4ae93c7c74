"""The feed's items as they are sent: everything at one position of the log, rendered once for all who read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

import msgspec

_encode = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """All items at one position. `items` holds them as JSON objects with commas between, `frames` as server-sent events.

    Only the last frame has an `id:`, so whoever resumes behind an id has had the whole position.
    """

    position: int
    count: int
    items: bytes
    frames: bytes


def item(position: int, kind: str, player_id: str | None, data: bytes) -> bytes:
    """One item as JSON, on one line."""
    about = {} if player_id is None else {"player_id": player_id}
    made = _encode({"position": position, "type": kind, **about, "data": msgspec.Raw(data)})
    return made.replace(b"\n", b" ").replace(b"\r", b" ")  # only blanks between tokens: text escapes them


def place(position: int, items: Sequence[bytes]) -> Place:
    """The items of a position, in their order."""
    frames = b"".join(b"data: " + one + b"\n\n" for one in items[:-1]) + b"data: " + items[-1] + b"\nid: %d\n\n" % position
    return Place(position=position, count=len(items), items=b",".join(items), frames=frames)


def places(rows: Iterable[Sequence[Any]]) -> list[Place]:
    """Rows (position, type, player_id, data) in the log's order, as places."""
    return [place(position, [item(*row) for row in group]) for position, group in groupby(rows, key=itemgetter(0))]


def fitting(found: Sequence[Place], limit: int) -> list[Place]:
    """As many whole places as hold at most `limit` items together; at least one, when there is one."""
    taken: list[Place] = []
    count = 0
    for one in found:
        count += one.count
        if taken and count > limit:
            break
        taken.append(one)
    return taken
