"""What comes back. Written by `python -m tests.golden.client`; not to be edited."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct, field

from shared.client.api.common.replies import Person, Rule, Tournament


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


class PersonPenalties(Person, frozen=True, kw_only=True):
    """Somebody at the tournament, with all their penalties, absorbed ones too."""

    penalties: list[Penalty]


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


class Standard(Struct, frozen=True, kw_only=True):
    """The table's penalty, its basis, and the guide's section."""

    penalty: str
    basis: str
    section: int


class Step(Struct, frozen=True, kw_only=True):
    """One step, with the rule that makes it; null is no penalty."""

    rule: str
    before: str | None = field(name="from")
    after: str | None = field(name="to")


class Tardiness(Struct, frozen=True, kw_only=True):
    """What the tardiness costs, in order, and the rules that say so. Nothing is recorded: penalties are given as any other."""

    penalties: list[str]
    dropped: bool
    time_extension_seconds: int
    rules: list[Rule]


class TriggerAdvice(Struct, frozen=True, kw_only=True):
    """What to do, the rule that says so, and its words."""

    remedy: str
    rule: str
    text: str
