"""What is recorded about a tournament. All moments are aware and in UTC; along one tournament `at` never goes backwards.

What people wrote is personal: it is encrypted under the data key of the person whom it is about.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from services.moderation.policy.penalties import CellChange


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentSet:
    """What the organiser says of the tournament from now on, whole; the first one opens it."""

    tournament_id: str
    rel: str
    games_per_match: int
    decklists: bool
    scoring_version: str
    head_judge_id: str
    judge_ids: tuple[str, ...]
    tardiness_grace_seconds: int
    by: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSet:
    """The organiser's own cells from now on, whole (I-70); penalties already given stay."""

    cells: tuple[CellChange, ...]
    by: str
    at: datetime
    note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonEntered:
    """A player, a spectator or a bystander is in the tournament; a dropped player who is entered again is back in."""

    person_id: str
    kind: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonDropped:
    """A player leaves the tournament in this round (0: before the first); `because` is `asked`, or `tardiness` (I-82)."""

    person_id: str
    round: int
    because: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LatecomerReported:
    """A player who was too late reported to the head judge or the scorekeeper before the end of the round, and so stays in (I-82)."""

    person_id: str
    round: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundBegan:
    """A round was paired; it ends when the next one begins. A pairing of one is a bye."""

    number: int
    stage: str
    games_per_match: int
    pairings: tuple[tuple[str, ...], ...]
    starts_at: datetime
    by: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step from the standard penalty to the one given; None is no penalty."""

    rule: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Application:
    """The game, or without one the match of that round, that a penalty is applied to."""

    round: int
    game: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """Something that the scorekeeper or the judge carries out. `unless` names what makes it void (I-82)."""

    kind: str
    person_id: str
    rule: str
    round: int | None = None
    game: int | None = None
    points: int | None = None
    seconds: int | None = None
    unless: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Duty:
    """A report that is owed (I-78)."""

    duty_id: str
    kind: str
    to: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Deviation:
    """The head judge's own penalty in place of the computed one, and which kind of reason there was."""

    penalty: str
    because: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyWords:
    """What the judge wrote."""

    description: str | None = None
    deviation_reason: str | None = None
    exceptional_reason: str | None = None
    root_cause: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyGiven:
    """An offense and what it came to.

    `reported` is the infraction as the judge named it, `infraction` what it is handled as (I-80). `standard` is the table's penalty with its basis
    (I-70), `penalty` the one given (None: none). `cause` is a keyed digest of the root cause. An absorbed penalty is applied nowhere (I-75).
    `companion_of` is the penalty of another person that brought this one (I-76).
    """

    penalty_id: str
    person_id: str
    reported: str
    infraction: str
    rel: str
    round: int
    game: int
    standard: str
    basis: str
    section: int
    penalty: str | None
    steps: tuple[Step, ...]
    applies_to: Application | None
    absorbed: bool
    effects: tuple[Effect, ...]
    duties: tuple[Duty, ...]
    by: str
    role: str
    at: datetime
    no_proof: bool = False
    self_reported: bool = False
    remedy: str | None = None
    similar_to: str | None = None
    cause: str | None = None
    deviation: Deviation | None = None
    companion_of: str | None = None
    words: PenaltyWords | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyAbsorbed:
    """A graver offense with the same root cause came to light: this penalty is no longer applied and nothing of it is owed (I-75)."""

    penalty_id: str
    by_penalty_id: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyMoved:
    """A Game Loss is applied later than was said, with these effects (I-74).

    It gives way to a match that was lost whole, by `by_penalty_id`; or the round was paired so that it can't be applied there, and the id is its own.
    """

    penalty_id: str
    by_penalty_id: str
    applies_to: Application
    effects: tuple[Effect, ...]
    rule: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DutyDischarged:
    """The report was made."""

    duty_id: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsPut:
    """The order as the scorekeeper has it. With a `cut` so many advance; `advancing` are those who do, as it was when that cut was made (I-79)."""

    order: tuple[str, ...]
    cut: int | None
    advancing: tuple[str, ...]
    by: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyReferred:
    """The head judge refers the penalty to the site's admins; it stays what it is."""

    penalty_id: str
    referral_id: str
    by: str
    at: datetime


TournamentEvent = (
    TournamentSet
    | TableSet
    | PersonEntered
    | PersonDropped
    | LatecomerReported
    | RoundBegan
    | PenaltyGiven
    | PenaltyAbsorbed
    | PenaltyMoved
    | DutyDischarged
    | StandingsPut
    | PenaltyReferred
)
