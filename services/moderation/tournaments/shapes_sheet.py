"""The shapes of a round's sheet and of the event's report."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

from services.moderation.tournaments.bodies import PenaltyName, Rel, Stage
from services.moderation.tournaments.shapes import TournamentShape
from services.moderation.tournaments.shapes_penalty import DutyShape, PenaltyShape


class LostGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game that one, or both, have lost by a penalty."""

    game: int
    lost_by: list[str]


class SheetMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A match, as far as penalties decide it; `winner` is null while they leave it open, or when all have lost."""

    table: int
    players: list[str]
    games_lost: list[LostGame]
    match_lost_by: list[str]
    winner: str | None
    time_extension_seconds: int


class SheetLine(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody to whom a penalty does something."""

    person_id: str
    penalty: PenaltyName | None
    penalty_id: str


class GameLine(SheetLine, frozen=True, kw_only=True):
    """The same, in this game."""

    game: int | None


class PointsLine(SheetLine, frozen=True, kw_only=True):
    """Points to take off."""

    points: int


class TimeLine(SheetLine, frozen=True, kw_only=True):
    """Time to give to the match."""

    seconds: int


class CarriedLine(GameLine, frozen=True, kw_only=True):
    """A penalty for an offense in another round."""

    from_round: int


class DropLine(msgspec.Struct, frozen=True, kw_only=True):
    """Who leaves, and why."""

    person_id: str
    because: Literal["asked", "tardiness", "disqualification", "disqualification_without_prize"]


class SheetShape(msgspec.Struct, frozen=True, kw_only=True):
    """What the scorekeeper enters for a round. `not_paired` have a penalty in it and no match: they left before."""

    tournament_id: str
    round: int
    stage: Stage
    games_per_match: int
    starts_at: datetime
    matches: list[SheetMatch]
    game_losses: list[GameLine]
    match_losses: list[SheetLine]
    match_points: list[PointsLine]
    play_or_draw: list[GameLine]
    sideboard_bans: list[GameLine]
    time_extensions: list[TimeLine]
    drops: list[DropLine]
    drop_unless_reported: list[str]
    carried_over: list[CarriedLine]
    not_paired: list[str]
    version: int


class DisqualificationLine(msgspec.Struct, frozen=True, kw_only=True):
    """A disqualification."""

    person_id: str
    penalty_id: str
    infraction: str
    round: int
    with_prize: bool
    no_proof: bool


class CellLine(msgspec.Struct, frozen=True, kw_only=True):
    """A cell of the organiser's own."""

    infraction: str
    rel: Rel
    penalty: PenaltyName


class ReportShape(msgspec.Struct, frozen=True, kw_only=True):
    """The event's report: penalties from Warning up, deviations with their reasons, disqualifications, and what is still owed."""

    tournament: TournamentShape
    counts: dict[str, int]
    penalties: list[PenaltyShape]
    deviations: list[PenaltyShape]
    disqualifications: list[DisqualificationLine]
    instructions: list[PenaltyShape]
    absorbed: list[PenaltyShape]
    duties: list[DutyShape]
    table_changes: list[CellLine]
    version: int
