"""Reading a row at a column: which cell applies, and what becomes of it past the ladder (I-2, I-3)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from services.moderation.policy.tables import Cell, Row, SanctionTemplate, Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The cell that applies at a column, as it applies: `cell.text` are the source's words even where `raised` made a timed ban permanent (I-3)."""

    column: int
    cell: Cell
    past_ladder: bool
    raised: bool


def read(row: Row, column: int, settings: Settings) -> Reading:
    """The row at this column (active strikes + 1, from 1; I-2).

    Past the ladder the last defined cell applies; if that is a timed ban and the strike is `permanent_from_strike` or later, it is a permanent ban
    and nothing is left to choose about its length (I-3). A row without a strike is never raised: there is no strike to be the fourth.
    """
    if column < 1:
        message = f"columns count from 1, not {column}"
        raise ValueError(message)
    past = column > len(row.cells)
    cell = row.cells[min(column, len(row.cells)) - 1]
    raised = past and row.strike and column >= settings.permanent_from_strike and _is_timed(cell)
    return Reading(column=column, cell=_permanent(cell) if raised else cell, past_ladder=past, raised=raised)


def _is_timed(cell: Cell) -> bool:
    return any(sanction.kind == "ban" for sanction in cell.sanctions) or (cell.choice is not None and cell.choice.days is not None)


def _permanent(cell: Cell) -> Cell:
    kept = tuple(sanction for sanction in cell.sanctions if sanction.kind != "ban")
    choice = cell.choice
    if choice is not None:
        choice = replace(choice, days=None, permanent=False, outcomes=(), required=False) if choice.ip_ban else None
    return Cell(text=cell.text, sanctions=(SanctionTemplate(kind="permanent_ban"), *kept), choice=choice)
