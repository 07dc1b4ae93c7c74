"""What is sent. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from msgspec import Struct


class CellBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One cell of the organiser's own table."""

    infraction: str
    rel: Literal["competitive", "professional", "regular"]
    penalty: Literal["caution", "disqualification", "disqualification_without_prize", "game_loss", "match_loss", "match_point", "warning"]


class PersonBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Who is entered."""

    person_id: str
    kind: Literal["player", "spectator"]


class RoundBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The pairings of a round; without `games_per_match` its matches are as long as the tournament's."""

    number: int
    stage: Literal["elimination", "swiss"]
    games_per_match: Literal[1, 3] | None = None
    pairings: list[list[str]]
    starts_at: datetime


class StandingsBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The order, the best first; with a cut so many advance."""

    order: list[str]
    cut: int | None = None


class TableBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The organiser's own cells, whole: they replace those of before. Only cells that the guide marks as assumed may be changed (I-70)."""

    cells: list[CellBody]
    note: str | None = None


class TournamentBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the tournament is. Judges are members of staff by their ids. The grace applies where D 131 allows it."""

    rel: Literal["competitive", "professional", "regular"]
    games_per_match: Literal[1, 3]
    decklists: bool
    scoring_version: str
    head_judge_id: str
    judge_ids: list[str] = []
    tardiness_grace_seconds: Literal[0, 180] = 0
