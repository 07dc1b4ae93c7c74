"""An oracle of the ladder, written from the rules' own words and without the service's code: who commits these one after another ends up so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

PERMANENT: Final = "permanent"
WARNING: Final = "warning"
# Days of the ban by strike (S1, S2, S4). The last cell counts for all further strikes; a timed ban of the fourth strike or later is permanent (I-3).
CELLS: Final[dict[str, tuple[int | str, ...]]] = {
    "inexperience": (WARNING, 1, 3, PERMANENT),
    "harassment-major": (2, 4, 7, PERMANENT),
    "harassment-severe": (7, PERMANENT),
    "hate-speech": (7, PERMANENT),
    "spam-major": (1, 3, 7, PERMANENT),
    "trolling-major": (3, 5, 7, PERMANENT),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What one incident came to: the strike's number, its column, and until when the ban lasts (None: no ban)."""

    strike: int
    column: int
    ends: datetime | str | None


def expected(infractions: Sequence[tuple[str, datetime]]) -> list[Step]:
    """The steps of these infractions, decided one after another at these moments."""
    steps = []
    for number, (infraction, at) in enumerate(infractions, 1):
        cells = CELLS[infraction]
        cell = cells[min(number, len(cells)) - 1]
        if isinstance(cell, int) and number >= 4:
            cell = PERMANENT
        ends: datetime | str | None = at + timedelta(days=cell) if isinstance(cell, int) else PERMANENT if cell == PERMANENT else None
        steps.append(Step(strike=number, column=number, ends=ends))
    return steps


def moment(text: str) -> datetime:
    """A time of the API."""
    return datetime.fromisoformat(text)


def observed(incident: dict[str, Any]) -> Step:
    """The same of an incident as the API tells it."""
    ends: datetime | str | None = None
    for sanction in incident["sanctions"]:
        if sanction["kind"] == "permanent_ban":
            ends = PERMANENT
        elif sanction["kind"] == "ban":
            ends = moment(sanction["ends_at"])
    strike = incident["strike"]
    return Step(strike=strike["number"] if strike else 0, column=incident["column"], ends=ends)
