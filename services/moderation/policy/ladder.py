"""Reading the table: which cell a row gives at a column, and what it imposes with the decider's choice (I-2, I-3, I-6, I-11)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from services.moderation.policy.tables import Cell, Choice, Row, SanctionTemplate, Settings
from shared.refusal import Refusal

PERMANENT = SanctionTemplate(kind="permanent_ban")


@dataclass(frozen=True, slots=True, kw_only=True)
class Picked:
    """What the decider chose: None or False where nothing was chosen."""

    days: int | None = None
    permanent: bool = False
    outcome: str | None = None
    ip_ban: bool = False

    def named(self) -> tuple[str, ...]:
        """The names of the choices made."""
        chosen = {"days": self.days is not None, "permanent": self.permanent, "outcome": self.outcome is not None, "ip_ban": self.ip_ban}
        return tuple(name for name, made in chosen.items() if made)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A cell as it counts for this player; `permanent`: past the ladder a timed ban became a permanent one (I-3)."""

    cell: Cell
    permanent: bool = False


def read(row: Row, column: int, settings: Settings, *, variant: str | None = None) -> Reading:
    """The cell of `row` at `column` (1 = no earlier strike).

    Past the last defined cell that one applies; when it is a timed ban and the strike the 4th or later (`permanent_from_strike`), it is permanent
    (I-3). A variant may have a cell of its own, whatever the column (I-11).
    """
    for known in row.variants:
        if known.id == variant and known.cell is not None:
            return Reading(cell=known.cell)
    past = column > len(row.cells)
    cell = row.cells[min(column, len(row.cells)) - 1]
    permanent = past and row.strike and column >= settings.permanent_from_strike and _is_timed(cell)
    return Reading(cell=cell, permanent=permanent)


def imposed(reading: Reading, picked: Picked, *, field: str) -> tuple[SanctionTemplate, ...]:
    """The sanctions of the cell with this choice.

    Raises a `Refusal`: `discretion_required`, `discretion_not_allowed`, `discretion_out_of_range`, each with what is allowed (I-6).
    """
    choice = None if reading.permanent else reading.cell.choice
    allowed = allowed_choices(choice)
    for name in picked.named():
        if name not in allowed:
            said = f"leaves a choice of {', '.join(allowed)} only" if allowed else "leaves no choice"
            raise Refusal("discretion_not_allowed", f"This cell {said}; {name} can't be chosen.", allowed=allowed, field=f"{field}.{name}")
    if reading.permanent:
        return (PERMANENT,)
    if choice is None:
        return reading.cell.sanctions
    return reading.cell.sanctions + _chosen(choice, picked, allowed, field)


def allowed_choices(choice: Choice | None) -> dict[str, Any]:
    """What may be chosen, by name of the choice."""
    if choice is None:
        return {}
    allowed: dict[str, Any] = {}
    if choice.days is not None:
        allowed["days"] = {"min": choice.days[0], "max": choice.days[1]}
    if choice.permanent:
        allowed["permanent"] = [True]
    if choice.outcomes:
        allowed["outcome"] = list(choice.outcomes)
    if choice.ip_ban:
        allowed["ip_ban"] = [True, False]
    return allowed


def _chosen(choice: Choice, picked: Picked, allowed: dict[str, Any], field: str) -> tuple[SanctionTemplate, ...]:
    names = picked.named()
    if not names:
        if choice.required:
            raise Refusal("discretion_required", f"This cell needs a choice: {', '.join(allowed)}.", allowed=allowed, field=field)
        return ()
    if len(names) > 1:
        raise Refusal("discretion_not_allowed", f"Choose one of {', '.join(allowed)}, not {' and '.join(names)}.", allowed=allowed, field=field)
    if picked.days is not None and choice.days is not None:
        low, high = choice.days
        if not low <= picked.days <= high:
            raise Refusal("discretion_out_of_range", f"days is {low} to {high}.", allowed=allowed, field=f"{field}.days")
        return (SanctionTemplate(kind="ban", days=picked.days),)
    if picked.outcome is not None:
        if picked.outcome not in choice.outcomes:
            raise Refusal("discretion_out_of_range", f"outcome is one of {', '.join(choice.outcomes)}.", allowed=allowed, field=f"{field}.outcome")
        return (SanctionTemplate(kind=picked.outcome),)
    return (PERMANENT,) if picked.permanent else (SanctionTemplate(kind="ip_ban"),)


def _is_timed(cell: Cell) -> bool:
    return any(sanction.kind == "ban" for sanction in cell.sanctions) or (cell.choice is not None and cell.choice.days is not None)
