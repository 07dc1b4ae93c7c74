"""The feed as the database has it: the outbox, read by the log's positions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from shared.feed.items import Place, places

Fetch = Callable[..., Awaitable[Sequence[Any]]]
"""Runs a query: rows that can be indexed."""

# One statement, one snapshot: the head moves in the transaction of the outbox rows, so up to it none is missing and none comes later.
_SQL: Final = """
SELECT h.position, c.epoch, extract(epoch FROM clock_timestamp() - h.recorded_at)::float8, o.position, o.type, o.player_id, o.data
FROM log_head h CROSS JOIN config_epoch c
LEFT JOIN LATERAL (SELECT x.* FROM outbox x WHERE x.position > $1 ORDER BY x.position, x.ordinal LIMIT $2) o ON true
ORDER BY o.position, o.ordinal"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """What was found behind a position: whole places, and `upto`, up to which nothing is left out.

    `head` is the log's last position, `age` the seconds since it was recorded, `epoch` the configuration's.
    """

    places: list[Place]
    upto: int
    head: int
    epoch: int
    age: float


async def read(fetch: Fetch, after: int, limit: int) -> Read:
    """The feed behind `after`: about `limit` items, never a part of a position."""
    while True:
        rows = await fetch(_SQL, after, limit)
        head, epoch, age = rows[0][:3]
        found = [row[3:] for row in rows if row[3] is not None]
        if len(found) < limit:
            return Read(places=places(found), upto=max(head, after), head=head, epoch=epoch, age=age)
        whole = [row for row in found if row[0] != found[-1][0]]  # the last position may go on
        if whole:
            return Read(places=places(whole), upto=whole[-1][0], head=head, epoch=epoch, age=age)
        limit *= 2
