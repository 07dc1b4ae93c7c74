"""Reading the table: which cell a row gives at a column, and what it imposes with the decider's choice (I-2, I-3, I-6, I-11)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from services.moderation.policy.tables import Cell, Choice, Row, SanctionTemplate, Settings
from shared.refusal import Refusal

PERMANENT = SanctionTemplate(kind="permanent_ban")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The cell that applies at a column, as it applies: `cell.text` are the source's words even where `raised` made a timed ban permanent (I-3)."""

    column: int
    cell: Cell
    past_ladder: bool
    raised: bool


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


def read(row: Row, column: int, settings: Settings, *, variant: str | None = None) -> Reading:
    """The row at this column (active strikes + 1, from 1; I-2).

    Past the ladder the last defined cell applies; if that is a timed ban and the strike is `permanent_from_strike` or later, it is a permanent ban
    and nothing is left to choose about its length (I-3). A row without a strike is never raised: there is no strike to be the fourth. A variant may
    have a cell of its own, whatever the column (I-11).
    """
    if column < 1:
        message = f"columns count from 1, not {column}"
        raise ValueError(message)
    known = row.variant(variant) if variant is not None else None
    if known is not None and known.cell is not None:
        return Reading(column=column, cell=known.cell, past_ladder=False, raised=False)
    past = column > len(row.cells)
    cell = row.cells[min(column, len(row.cells)) - 1]
    raised = past and row.strike and column >= settings.permanent_from_strike and _is_timed(cell)
    return Reading(column=column, cell=_permanent(cell) if raised else cell, past_ladder=past, raised=raised)


def imposed(cell: Cell, picked: Picked, *, field: str) -> tuple[SanctionTemplate, ...]:
    """The sanctions of the cell with this choice.

    Raises a `Refusal`: `discretion_required`, `discretion_not_allowed`, `discretion_out_of_range`, each with what is allowed (I-6).
    """
    allowed = allowed_choices(cell.choice)
    for name in picked.named():
        if name not in allowed:
            said = f"leaves a choice of {', '.join(allowed)} only" if allowed else "leaves no choice"
            raise Refusal("discretion_not_allowed", f"This cell {said}; {name} can't be chosen.", allowed=allowed, field=f"{field}.{name}")
    if cell.choice is None:
        return cell.sanctions
    added = (SanctionTemplate(kind="ip_ban"),) if picked.ip_ban else ()
    return (*cell.sanctions, *_chosen(cell.choice, picked, allowed, field), *added)


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
    """The one choice of days, permanence or outcome; an IP ban stands beside it."""
    names = [name for name in picked.named() if name != "ip_ban"]
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
    if picked.permanent:
        return (PERMANENT,)
    if choice.required:
        raise Refusal("discretion_required", f"This cell needs a choice: {', '.join(allowed)}.", allowed=allowed, field=field)
    return ()


def _is_timed(cell: Cell) -> bool:
    return any(sanction.kind == "ban" for sanction in cell.sanctions) or (cell.choice is not None and cell.choice.days is not None)


def _permanent(cell: Cell) -> Cell:
    kept = tuple(sanction for sanction in cell.sanctions if sanction.kind != "ban")
    choice = cell.choice
    if choice is not None:
        choice = replace(choice, days=None, permanent=False, outcomes=(), required=False) if choice.ip_ban else None
    return Cell(text=cell.text, sanctions=(PERMANENT, *kept), choice=choice)
