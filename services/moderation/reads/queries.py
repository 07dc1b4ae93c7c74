"""Questions about reads."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

_SELECT = "SELECT reader, version, read_at, role, player_id, what, subject, request_id FROM reads"
_ORDER = "ORDER BY read_at DESC, reader DESC, version DESC LIMIT"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Which reads: of this reader, of this player, from `start` on, before `end`; None: no limit."""

    reader: str | None = None
    player_id: str | None = None
    start: datetime | None = None
    end: datetime | None = None


class ReadQueries:
    """Finds reads in the projection that is written with them."""

    def __init__(self, fetch: Callable[..., Awaitable[Sequence[Any]]]) -> None:
        self._fetch = fetch

    async def listed(self, asked: Asked, after: Sequence[Any] | None, limit: int) -> list[tuple[dict[str, Any], list[Any]]]:
        """At most `limit` reads behind the one with this sort key, the newest first, each with its own."""
        wanted: list[tuple[str, Any]] = [
            ("reader = {}", asked.reader),
            ("player_id = {}", asked.player_id),
            ("read_at >= {}", asked.start),
            ("read_at < {}", asked.end),
        ]
        arguments: list[Any] = []
        conditions = []
        for condition, value in wanted:
            if value is not None:
                arguments.append(value)
                conditions.append(condition.format(f"${len(arguments)}"))
        if after is not None:
            arguments += [datetime.fromisoformat(after[0]), after[1], after[2]]
            conditions.append("(read_at, reader, version) < (${}, ${}, ${})".format(*range(len(arguments) - 2, len(arguments) + 1)))
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        arguments.append(limit)
        rows = await self._fetch(f"{_SELECT}{where} {_ORDER} ${len(arguments)}", *arguments)
        return [(_item(row), [row[2].isoformat(), row[0], row[1]]) for row in rows]


def _item(row: Any) -> dict[str, Any]:
    reader, _, at, role, player_id, what, subject, request_id = row
    return {"reader": reader, "role": role, "what": what, "at": at, "player_id": player_id, "subject": subject, "request_id": request_id}
