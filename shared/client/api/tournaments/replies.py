"""What comes back. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from shared.client.api.common.replies import Person, Rule, Tournament


class DropLine(Struct, frozen=True, kw_only=True):
    """Who leaves, and why."""

    person_id: str
    because: str


class Infraction(Struct, frozen=True, kw_only=True):
    """An infraction: its cells by rules enforcement level, why they are so, and how repeats go up (I-72)."""

    id: str
    name: str
    section: int
    category: str
    cells: dict[str, TableCell]
    because: str
    repeats: str


class LostGame(Struct, frozen=True, kw_only=True):
    """A game that one, or both, have lost by a penalty."""

    game: int
    lost_by: list[str]


class PersonReply(Person, frozen=True, kw_only=True):
    """The person after a command."""

    position: int | None


class Place(Struct, frozen=True, kw_only=True):
    """A place in the standings."""

    place: int
    person_id: str
    advances: bool
    disqualified: bool


class Sheet(Struct, frozen=True, kw_only=True):
    """What the scorekeeper enters for a round. `not_paired` have a penalty in it and no match: they left before."""

    tournament_id: str
    round: int
    stage: str
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


class SheetLine(Struct, frozen=True, kw_only=True):
    """Somebody to whom a penalty does something."""

    person_id: str
    penalty: str | None
    penalty_id: str


class GameLine(SheetLine, frozen=True, kw_only=True):
    """The same, in this game."""

    game: int | None


class CarriedLine(GameLine, frozen=True, kw_only=True):
    """A penalty for an offense in another round."""

    from_round: int


class PointsLine(SheetLine, frozen=True, kw_only=True):
    """Points to take off."""

    points: int


class SheetMatch(Struct, frozen=True, kw_only=True):
    """A match, as far as penalties decide it; `winner` is null while they leave it open, or when all have lost."""

    table: int
    players: list[str]
    games_lost: list[LostGame]
    match_lost_by: list[str]
    winner: str | None
    time_extension_seconds: int


class Standings(Struct, frozen=True, kw_only=True):
    """The standings with disqualifications applied (I-79): `removed` take up no place, and nobody advances for them after the cut."""

    order: list[str]
    places: list[Place]
    cut: int | None
    advancing: list[str]
    removed: list[str]
    version: int


class StandingsReply(Standings, frozen=True, kw_only=True):
    """The standings after a command."""

    position: int | None


class Table(Struct, frozen=True, kw_only=True):
    """The table. `guide_version` is a digest of the guide that it was made from; `note` is the organiser's."""

    guide_version: str
    note: str | None
    infractions: list[Infraction]
    rules: list[Rule]


class TableCell(Struct, frozen=True, kw_only=True):
    """A cell and what it rests on (I-70)."""

    penalty: str
    basis: str


class TableReply(Table, frozen=True, kw_only=True):
    """The tournament's table after a change."""

    version: int
    position: int | None


class TimeLine(SheetLine, frozen=True, kw_only=True):
    """Time to give to the match."""

    seconds: int


class TournamentReply(Tournament, frozen=True, kw_only=True):
    """The tournament after a command."""

    position: int | None
