"""Questions about cosmetics, answered from the rows that are written with the events."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from shared.refusal import Refusal

Fetch = Callable[..., Awaitable[Sequence[Any]]]
_ONE_SQL = "SELECT player_id, state, files, body FROM cosmetics WHERE cosmetic_id = $1"
_PLAYER_SQL = """
SELECT cosmetic_id, body FROM cosmetics WHERE player_id = $1 AND ($2::text IS NULL OR cosmetic_id < $2) ORDER BY cosmetic_id DESC LIMIT $3"""
_REVIEW_SQL = """
SELECT rank, cosmetic_id, body FROM cosmetics WHERE in_review AND (rank, cosmetic_id) > ($1::integer, $2::text)
ORDER BY rank, cosmetic_id LIMIT $3"""
_COUNT_SQL = """
SELECT count(*) FILTER (WHERE rank <= 0), count(*) FILTER (WHERE rank < 0), count(*) FILTER (WHERE rank > 0) FROM cosmetics WHERE in_review"""
_decode = msgspec.json.Decoder(dict[str, Any]).decode
_decode_files = msgspec.json.Decoder(dict[str, tuple[str, int]]).decode
_FIRST = (-100_000, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundCosmetic:
    """A cosmetic's row; `files` are the SHA-256 and length of each size."""

    player_id: str
    state: str
    files: dict[str, tuple[str, int]]
    view: dict[str, Any]


class CosmeticQueries:
    """Reads of the table `cosmetics`."""

    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch

    async def one(self, cosmetic_id: str) -> FoundCosmetic:
        """One cosmetic. Raises a `Refusal` `not_found`."""
        rows = await self._fetch(_ONE_SQL, cosmetic_id)
        if not rows:
            raise Refusal("not_found", "There is no such cosmetic.")
        player_id, state, files, body = rows[0]
        return FoundCosmetic(player_id=player_id, state=state, files=_decode_files(files), view=_decode(body))

    async def of_player(self, player_id: str, before: str | None, limit: int) -> list[dict[str, Any]]:
        """A player's cosmetics, the latest first, older than `before`."""
        return [_decode(row[1]) for row in await self._fetch(_PLAYER_SQL, player_id, before, limit)]

    async def review(self, after: tuple[int, str] | None, limit: int) -> list[tuple[tuple[int, str], dict[str, Any]]]:
        """What reviewers still have to look at: the most reported first, then the oldest, then what is not shown any more; with the key of each."""
        rows = await self._fetch(_REVIEW_SQL, *(after or _FIRST), limit)
        return [((row[0], row[1]), _decode(row[2])) for row in rows]

    async def waiting(self) -> tuple[int, int, int]:
        """How many that are shown wait for a review, how many of them were reported, and how many more were reported and are shown no longer."""
        (row,) = await self._fetch(_COUNT_SQL)
        return row[0], row[1], row[2]
