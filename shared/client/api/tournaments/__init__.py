"""Operations and types of `tournaments`. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from shared.client.api.common.replies import Person, Round, Rule, Tournament
from shared.client.api.tournaments.bodies import CellBody, PersonBody, RoundBody, StandingsBody, TableBody, TournamentBody
from shared.client.api.tournaments.operations import TournamentsOperations
from shared.client.api.tournaments.replies import (
    CarriedLine,
    DropLine,
    GameLine,
    Infraction,
    LostGame,
    PersonReply,
    Place,
    PointsLine,
    Sheet,
    SheetLine,
    SheetMatch,
    Standings,
    StandingsReply,
    Table,
    TableCell,
    TableReply,
    TimeLine,
    TournamentReply,
)

__all__ = [
    "CarriedLine",
    "CellBody",
    "DropLine",
    "GameLine",
    "Infraction",
    "LostGame",
    "Person",
    "PersonBody",
    "PersonReply",
    "Place",
    "PointsLine",
    "Round",
    "RoundBody",
    "Rule",
    "Sheet",
    "SheetLine",
    "SheetMatch",
    "Standings",
    "StandingsBody",
    "StandingsReply",
    "Table",
    "TableBody",
    "TableCell",
    "TableReply",
    "TimeLine",
    "Tournament",
    "TournamentBody",
    "TournamentReply",
    "TournamentsOperations",
]
