"""The shapes of replies, for the API description and the typed client. Handlers build plain JSON; a test compares the two."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

from services.moderation.tournaments.bodies import PenaltyName, PersonKind, Rel, Stage


class RoundShape(msgspec.Struct, frozen=True, kw_only=True):
    """A round and its pairings."""

    number: int
    stage: Stage
    games_per_match: int
    pairings: list[list[str]]
    starts_at: datetime


class TournamentShape(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament; `playing` counts who may be paired, `people` everybody entered."""

    tournament_id: str
    rel: Rel
    games_per_match: int
    decklists: bool
    scoring_version: str
    head_judge_id: str
    judge_ids: list[str]
    tardiness_grace_seconds: int
    rounds: list[RoundShape]
    playing: int
    people: int
    version: int


class TournamentReply(TournamentShape, frozen=True, kw_only=True):
    """The tournament after a command."""

    position: int | None


class PersonShape(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody at the tournament. `dropped_in` is the round in which they left."""

    person_id: str
    kind: PersonKind
    playing: bool
    dropped_in: int | None
    left_because: Literal["asked", "tardiness"] | None
    disqualified: PenaltyName | None
    drops_unless_reported: bool
    version: int


class PersonReply(PersonShape, frozen=True, kw_only=True):
    """The person after a command."""

    position: int | None


class PlaceShape(msgspec.Struct, frozen=True, kw_only=True):
    """A place in the standings."""

    place: int
    person_id: str
    advances: bool
    disqualified: bool


class StandingsShape(msgspec.Struct, frozen=True, kw_only=True):
    """The standings with disqualifications applied (I-79): `removed` take up no place, and nobody advances for them after the cut."""

    order: list[str]
    places: list[PlaceShape]
    cut: int | None
    advancing: list[str]
    removed: list[str]
    version: int


class StandingsReply(StandingsShape, frozen=True, kw_only=True):
    """The standings after a command."""

    position: int | None
