"""What comes back. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct, field


class Applies(Struct, frozen=True, kw_only=True):
    """Where it is applied; `game` is null for a whole match."""

    round: int
    game: int | None


class CellLine(Struct, frozen=True, kw_only=True):
    """A cell of the organiser's own."""

    infraction: str
    rel: str
    penalty: str


class Companion(Struct, frozen=True, kw_only=True):
    """What fell on an opponent along with it (I-76)."""

    penalty_id: str
    person_id: str
    infraction: str
    penalty: str | None


class Deviation(Struct, frozen=True, kw_only=True):
    """The head judge's own penalty."""

    penalty: str
    because: str | None


class DisqualificationLine(Struct, frozen=True, kw_only=True):
    """A disqualification."""

    person_id: str
    penalty_id: str
    infraction: str
    round: int
    with_prize: bool
    no_proof: bool


class DropLine(Struct, frozen=True, kw_only=True):
    """Who leaves, and why."""

    person_id: str
    because: str


class Duty(Struct, frozen=True, kw_only=True):
    """A report that is owed, until `discharged_by` is somebody (I-78)."""

    duty_id: str
    kind: str
    to: str
    penalty_id: str
    person_id: str
    since: datetime
    discharged_by: str | None


class DutyPage(Struct, frozen=True, kw_only=True):
    """Duties, oldest first."""

    items: list[Duty]
    next_cursor: str | None


class DutyReply(Duty, frozen=True, kw_only=True):
    """The duty after a command."""

    version: int
    position: int | None


class Effect(Struct, frozen=True, kw_only=True):
    """Something to be carried out; `unless` says what makes it void."""

    kind: str
    person_id: str
    rule: str
    round: int | None = None
    game: int | None = None
    points: int | None = None
    seconds: int | None = None
    unless: str | None = None


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


class Moved(Struct, frozen=True, kw_only=True):
    """The graver penalty to which it gave way (I-74)."""

    penalty_id: str
    rule: str


class Penalty(Struct, frozen=True, kw_only=True):
    """A penalty as it stands now. What the judge wrote is null in replies of commands, for game servers, and once it was erased."""

    penalty_id: str
    person_id: str
    infraction: str
    reported_as: str
    rel: str
    round: int
    game: int
    standard: Standard
    penalty: str | None
    no_proof: bool
    self_reported: bool
    steps: list[Step]
    applies_to: Applies | None
    moved_by: Moved | None
    absorbed: bool
    remedy: str | None
    deviation: Deviation | None
    companion_of: str | None
    companions: list[Companion]
    similar_to: str | None
    effects: list[Effect]
    duties: list[Duty]
    referral_id: str | None
    given_by: str
    given_at: datetime
    description: str | None
    deviation_reason: str | None
    exceptional_reason: str | None
    root_cause: str | None


class PenaltyReply(Penalty, frozen=True, kw_only=True):
    """The penalty just given; `position` is null in a dry run."""

    version: int
    position: int | None


class Person(Struct, frozen=True, kw_only=True):
    """Somebody at the tournament, with all their penalties. `dropped_in` is the round in which they left."""

    person_id: str
    kind: str
    playing: bool
    dropped_in: int | None
    left_because: str | None
    disqualified: str | None
    drops_unless_reported: bool
    penalties: list[Penalty]
    version: int


class PersonReply(Person, frozen=True, kw_only=True):
    """The person after a command."""

    position: int | None


class Place(Struct, frozen=True, kw_only=True):
    """A place in the standings."""

    place: int
    person_id: str
    advances: bool
    disqualified: bool


class ReferredReply(Struct, frozen=True, kw_only=True):
    """The referral of a penalty."""

    referral_id: str
    tournament_id: str
    penalty_id: str
    person_id: str
    version: int
    position: int | None


class Report(Struct, frozen=True, kw_only=True):
    """The event's report: penalties from Warning up, deviations with their reasons, disqualifications, and what is still owed."""

    tournament: Tournament
    counts: dict[str, int]
    penalties: list[Penalty]
    deviations: list[Penalty]
    disqualifications: list[DisqualificationLine]
    instructions: list[Penalty]
    absorbed: list[Penalty]
    duties: list[Duty]
    table_changes: list[CellLine]
    version: int


class Round(Struct, frozen=True, kw_only=True):
    """A round and its pairings."""

    number: int
    stage: str
    games_per_match: int
    pairings: list[list[str]]
    starts_at: datetime


class Rule(Struct, frozen=True, kw_only=True):
    """A sentence of the guide, under the id that steps, effects and advice cite."""

    id: str
    section: int
    text: str
    basis: str


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


class Standard(Struct, frozen=True, kw_only=True):
    """The table's penalty, its basis, and the guide's section."""

    penalty: str
    basis: str
    section: int


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


class Step(Struct, frozen=True, kw_only=True):
    """One step, with the rule that makes it; null is no penalty."""

    rule: str
    before: str | None = field(name="from")
    after: str | None = field(name="to")


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


class Tardiness(Struct, frozen=True, kw_only=True):
    """What the tardiness costs, in order, and the rules that say so. Nothing is recorded: penalties are given as any other."""

    penalties: list[str]
    dropped: bool
    time_extension_seconds: int
    rules: list[Rule]


class TimeLine(SheetLine, frozen=True, kw_only=True):
    """Time to give to the match."""

    seconds: int


class Tournament(Struct, frozen=True, kw_only=True):
    """A tournament; `playing` counts who may be paired, `people` everybody entered."""

    tournament_id: str
    rel: str
    games_per_match: int
    decklists: bool
    scoring_version: str
    head_judge_id: str
    judge_ids: list[str]
    tardiness_grace_seconds: int
    rounds: list[Round]
    playing: int
    people: int
    version: int


class TournamentReply(Tournament, frozen=True, kw_only=True):
    """The tournament after a command."""

    position: int | None


class TriggerAdvice(Struct, frozen=True, kw_only=True):
    """What to do, the rule that says so, and its words."""

    remedy: str
    rule: str
    text: str
