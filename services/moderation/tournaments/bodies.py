"""What comes in over HTTP about tournaments."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from shared.http.types import GameId, PageQuery, Reason, ShortText, Slug, Text4000, Utc, Uuid

Rel = Literal["regular", "competitive", "professional"]
Stage = Literal["swiss", "elimination"]
PersonKind = Literal["player", "spectator"]
PenaltyName = Literal["caution", "warning", "match_point", "game_loss", "match_loss", "disqualification", "disqualification_without_prize"]
Because = Literal["exceptional_circumstances", "no_applicable_philosophy", "rel", "round", "age", "experience", "education", "judge_level"]
RoundNumber = Annotated[int, Meta(ge=0, le=999, description="The round's number; 0 before the first round.")]
GameNumber = Annotated[int, Meta(ge=1, le=99, description="The game of the match, from 1.")]
Seconds = Annotated[int, Meta(ge=0, le=86_400)]
SoftwareVersion = Annotated[
    str, Meta(pattern=r"^[0-9]{1,6}(\.[0-9]{1,6}){0,3}\Z", description="Numbers between dots: 2.10 comes after 2.9.", examples=["3.0"])
]
Pairing = Annotated[list[GameId], Meta(min_length=1, max_length=16, description="Who plays in the match; one alone has a bye.")]


class TournamentBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """What the tournament is. Judges are members of staff by their ids. The grace applies where D 131 allows it."""

    rel: Rel
    games_per_match: Literal[1, 3]
    decklists: bool
    scoring_version: SoftwareVersion
    head_judge_id: GameId
    judge_ids: Annotated[list[GameId], Meta(max_length=500)] = msgspec.field(default_factory=list)
    tardiness_grace_seconds: Literal[0, 180] = 0


class CellBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """One cell of the organiser's own table."""

    infraction: Slug
    rel: Rel
    penalty: PenaltyName


class TableBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The organiser's own cells, whole: they replace those of before. Only cells that the guide marks as assumed may be changed (I-70)."""

    cells: Annotated[list[CellBody], Meta(max_length=200)]
    note: Text4000 | None = None


class PersonBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Who is entered."""

    person_id: GameId
    kind: PersonKind


class RoundBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The pairings of a round; without `games_per_match` its matches are as long as the tournament's."""

    number: Annotated[int, Meta(ge=1, le=999)]
    stage: Stage
    games_per_match: Literal[1, 3] | None = None
    pairings: Annotated[list[Pairing], Meta(max_length=10_000)]
    starts_at: Utc


class SituationBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Where the match stood when the offense came to light (I-73, I-74)."""

    new_game_began: bool = False
    between_rounds: bool = False
    before_match: bool = False
    can_continue: bool = True
    opponent_match_loss: bool = False


class DeviationBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The head judge's own penalty, with the reason that the report gives (I-77)."""

    penalty: PenaltyName
    reason: Reason
    because: Because | None = None


class PenaltyBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """An offense; the guide says what it costs.

    `ten_minutes`: the player was still not there ten minutes into the round (D 131). `ruling_seconds`: how long the ruling took, and for Tardiness in
    a single game how late the player was (I-85).
    """

    person_id: GameId
    infraction: Slug
    round: RoundNumber
    game: GameNumber
    description: Text4000 | None = None
    root_cause: ShortText | None = None
    similar_to: Uuid | None = None
    upgrade: bool = False
    self_reported: bool = False
    deviation: DeviationBody | None = None
    opponents_noticed: bool = False
    exceptional_reason: Reason | None = None
    unnoticeable: bool = False
    clerical: bool = False
    told_at_once: bool = False
    obvious_card: bool = False
    took_long: bool = False
    ten_minutes: bool = False
    ruling_seconds: Seconds | None = None
    intentional: bool = False
    no_proof: bool = False
    situation: SituationBody | None = None


class StandingsBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The order, the best first; with a cut so many advance."""

    order: Annotated[list[GameId], Meta(max_length=10_000)]
    cut: Annotated[int, Meta(ge=1, le=10_000)] | None = None


class TriggerBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The answers that D 123 asks for."""

    optional: bool
    choices: bool
    visible_effect: bool
    default_action: bool
    within_turn_cycle: bool


class TardinessBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """When the round began, when the player sat down (null: not yet), and whether they reported before its end."""

    person_id: GameId
    round: Annotated[int, Meta(ge=1, le=999)]
    began_at: Utc
    seated_at: Utc | None = None
    reported: bool = False


class DutiesQuery(PageQuery, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Which duties: those that are owed, or with `discharged` those that were seen to."""

    discharged: bool = False
