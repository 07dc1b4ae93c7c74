"""The shapes of penalties, duties and advice, for the API description and the typed client."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

from services.moderation.tournaments.bodies import Because, PenaltyName, Rel
from services.moderation.tournaments.shapes import PersonShape
from services.moderation.tournaments.shapes_table import Basis, RuleShape

EffectKind = Literal[
    "lose_game", "lose_match", "match_point_penalty", "chooses_play_or_draw", "no_sideboards_first_game", "lose_current_match_and_drop", "drop",
    "removed_from_standings", "time_extension", "direct_instruction",
]  # fmt: skip
DutyKind = Literal["report_to_penalty_database", "report_to_head_judge", "report_to_investigations"]
DutyTo = Literal["penalty_database", "head_judge", "investigations"]
Remedy = Literal["deck_to_list", "list_to_deck", "note_missing"]


class StandardShape(msgspec.Struct, frozen=True, kw_only=True):
    """The table's penalty, its basis, and the guide's section."""

    penalty: PenaltyName
    basis: Basis
    section: int


class StepShape(msgspec.Struct, frozen=True, kw_only=True, rename={"before": "from", "after": "to"}):
    """One step, with the rule that makes it; null is no penalty."""

    rule: str
    before: PenaltyName | None
    after: PenaltyName | None


class AppliesShape(msgspec.Struct, frozen=True, kw_only=True):
    """Where it is applied; `game` is null for a whole match."""

    round: int
    game: int | None


class MovedShape(msgspec.Struct, frozen=True, kw_only=True):
    """The graver penalty to which it gave way (I-74)."""

    penalty_id: str
    rule: str


class EffectShape(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something to be carried out; `unless` says what makes it void."""

    kind: EffectKind
    person_id: str
    rule: str
    round: int | None = None
    game: int | None = None
    points: int | None = None
    seconds: int | None = None
    unless: Literal["reported"] | None = None


class DutyShape(msgspec.Struct, frozen=True, kw_only=True):
    """A report that is owed, until `discharged_by` is somebody (I-78)."""

    duty_id: str
    kind: DutyKind
    to: DutyTo
    penalty_id: str
    person_id: str
    since: datetime
    discharged_by: str | None


class CompanionShape(msgspec.Struct, frozen=True, kw_only=True):
    """What fell on an opponent along with it (I-76)."""

    penalty_id: str
    person_id: str
    infraction: str
    penalty: PenaltyName | None


class DeviationShape(msgspec.Struct, frozen=True, kw_only=True):
    """The head judge's own penalty."""

    penalty: PenaltyName
    because: Because | None


class PenaltyShape(msgspec.Struct, frozen=True, kw_only=True):
    """A penalty as it stands now. What the judge wrote is null in replies of commands, for game servers, and once it was erased."""

    penalty_id: str
    person_id: str
    infraction: str
    reported_as: str
    rel: Rel
    round: int
    game: int
    standard: StandardShape
    penalty: PenaltyName | None
    no_proof: bool
    self_reported: bool
    steps: list[StepShape]
    applies_to: AppliesShape | None
    moved_by: MovedShape | None
    absorbed: bool
    remedy: Remedy | None
    deviation: DeviationShape | None
    companion_of: str | None
    companions: list[CompanionShape]
    similar_to: str | None
    effects: list[EffectShape]
    duties: list[DutyShape]
    referral_id: str | None
    given_by: str
    given_at: datetime
    description: str | None
    deviation_reason: str | None
    exceptional_reason: str | None
    root_cause: str | None


class PenaltyReply(PenaltyShape, frozen=True, kw_only=True):
    """The penalty just given; `position` is null in a dry run."""

    version: int
    position: int | None


class PersonPenalties(PersonShape, frozen=True, kw_only=True):
    """Somebody at the tournament, with all their penalties, absorbed ones too."""

    penalties: list[PenaltyShape]


class DutyPage(msgspec.Struct, frozen=True, kw_only=True):
    """Duties, oldest first."""

    items: list[DutyShape]
    next_cursor: str | None


class DutyReply(DutyShape, frozen=True, kw_only=True):
    """The duty after a command."""

    version: int
    position: int | None


class ReferredReply(msgspec.Struct, frozen=True, kw_only=True):
    """The referral of a penalty."""

    referral_id: str
    tournament_id: str
    penalty_id: str
    person_id: str
    version: int
    position: int | None


class TriggerAdvice(msgspec.Struct, frozen=True, kw_only=True):
    """What to do, the rule that says so, and its words."""

    remedy: Literal["no_penalty", "assume_resolved", "resolve_default", "put_on_stack", "continue_without"]
    rule: str
    text: str


class TardinessShape(msgspec.Struct, frozen=True, kw_only=True):
    """What the tardiness costs, in order, and the rules that say so. Nothing is recorded: penalties are given as any other."""

    penalties: list[PenaltyName]
    dropped: bool
    time_extension_seconds: int
    rules: list[RuleShape]
