"""The shapes of the penalty table."""

from __future__ import annotations

from typing import Literal

import msgspec

from services.moderation.tournaments.bodies import PenaltyName

Basis = Literal["stated", "inferred", "assumed", "organiser"]


class TableCell(msgspec.Struct, frozen=True, kw_only=True):
    """A cell and what it rests on (I-70)."""

    penalty: PenaltyName
    basis: Basis


class InfractionShape(msgspec.Struct, frozen=True, kw_only=True):
    """An infraction: its cells by rules enforcement level, why they are so, and how repeats go up (I-72)."""

    id: str
    name: str
    section: int
    category: str
    cells: dict[str, TableCell]
    because: str
    repeats: Literal["always", "similar", "exceptional", "instruct"]


class RuleShape(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence of the guide, under the id that steps, effects and advice cite."""

    id: str
    section: int
    text: str
    basis: str


class TableShape(msgspec.Struct, frozen=True, kw_only=True):
    """The table. `guide_version` is a digest of the guide that it was made from; `note` is the organiser's."""

    guide_version: str
    note: str | None
    infractions: list[InfractionShape]
    rules: list[RuleShape]


class TableReply(TableShape, frozen=True, kw_only=True):
    """The tournament's table after a change."""

    version: int
    position: int | None
