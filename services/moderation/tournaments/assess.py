"""From an offense to its penalty, each step with D's rule (I-71 to I-73, I-77, I-80, I-83 to I-87). Only this tournament's own past counts (D 1)."""

from __future__ import annotations

from dataclasses import dataclass, field

from services.moderation.policy.penalties import (
    CAUTION,
    GAME_LOSS,
    MATCH_LOSS,
    MATCH_POINT,
    PENALTIES,
    REGULAR,
    WARNING,
    Infraction,
    PenaltyCell,
    PenaltyGuide,
    severity,
    step_down,
    step_up,
    version_at_least,
)
from services.moderation.tournaments.commands import GivePenalty
from services.moderation.tournaments.events import Step
from services.moderation.tournaments.state import ELIMINATION, PLAYER, SWISS, Given, Round, TournamentState
from shared.refusal import Refusal

EXCEPTIONAL = ("exceptional_circumstances", "no_applicable_philosophy")
NOT_EXCEPTIONAL = ("rel", "round", "age", "experience", "education", "judge_level")


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessment:
    """What the guide says: the infraction it is handled as, the table's penalty, the steps from there, and the penalty (None: none)."""

    row: Infraction
    standard: PenaltyCell
    steps: tuple[Step, ...]
    penalty: str | None
    instruction: bool = False


@dataclass(slots=True)
class _Walk:
    """The penalty on its way, and the steps so far."""

    penalty: str | None
    steps: list[Step] = field(default_factory=list)

    def to(self, rule: str, penalty: str | None) -> None:
        if penalty != self.penalty:
            self.note(rule, penalty)

    def note(self, rule: str, penalty: str | None) -> None:
        self.steps.append(Step(rule=rule, before=self.penalty, after=penalty))
        self.penalty = penalty


def round_of(command: GivePenalty, state: TournamentState) -> Round:
    """The round of the offense; before the first one, a round as the tournament's are."""
    known = state.rounds.get(command.round)
    return known or Round(number=0, stage=SWISS, games=state.games_per_match, pairings=(), starts_at=command.at)


def assess(command: GivePenalty, state: TournamentState, guide: PenaltyGuide) -> Assessment:
    """The penalty for the offense. Raises a `Refusal`: `unknown_infraction`, `upgrade_not_available`, `not_applicable`, `not_exceptional`."""
    reported = guide.infraction(command.infraction)
    earlier = _times_reported(command, state) if reported.repeats == "instruct" else 0
    row = guide.infraction(reported.becomes) if earlier > 1 and reported.becomes is not None else reported
    standard = row.cells[state.rel]
    walk = _Walk(standard.penalty)
    instruction = earlier == 1
    if row is not reported:
        walk.note("30-instruction", standard.penalty)
    if instruction:
        _check_no_upgrade(command)
        walk.to("30-instruction", None)
    elif command.told_at_once:
        _check_no_upgrade(command)
        _need(row.lost_sideboard, "told_at_once", "Only a lost card of the sideboard is told of.")
        walk.to("110-lost-sideboard", None)
    else:
        _weigh(command, state, guide, row, walk)
    if command.deviation is not None:
        _deviate(command, walk)
    return Assessment(row=row, standard=standard, steps=tuple(walk.steps), penalty=walk.penalty, instruction=instruction and walk.penalty is None)


def _weigh(command: GivePenalty, state: TournamentState, guide: PenaltyGuide, row: Infraction, walk: _Walk) -> None:
    """Repeats, the circumstances that D names, and the length of the match, in this order."""
    earlier = _earlier(command, state, row)
    _repeat(command, state, row, earlier, walk)
    category = guide.category(row)
    if command.ten_minutes:
        _need(row.late, "ten_minutes", "Only who comes late comes ten minutes late.")
        if severity(walk.penalty) < severity(GAME_LOSS):
            walk.to("131-ten-minutes", GAME_LOSS)
    if command.unnoticeable:
        _need(category.unnoticeable, "unnoticeable", "Only a Game Play Error is upgraded for being unnoticeable.")
        walk.to("120-unnoticeable", step_up(_held(walk)))
    if command.obvious_card:
        _need(row.obvious_card, "obvious_card", "Only a name on a decklist is obvious.")
        if severity(walk.penalty) > severity(WARNING):
            walk.to("111-obvious-card", WARNING)
    if command.self_reported:
        _need(category.self_report, "self_reported", "Cheating is not downgraded for being reported.")
        walk.to("1-self-report", step_down(_held(walk)))
    if command.took_long and walk.penalty == CAUTION:
        walk.to("20-caution-long", WARNING)
    _one_game(command, state, guide, row, first=not earlier, walk=walk)


def _check_no_upgrade(command: GivePenalty) -> None:
    for name, asked in {"similar_to": command.similar_to is not None, "upgrade": command.upgrade, "exceptional_reason": command.exceptional}.items():
        if asked:
            raise Refusal("upgrade_not_available", "This costs nothing, so there is nothing to upgrade.", field=name)


def _held(walk: _Walk) -> str:
    if walk.penalty is None:
        raise ValueError("there is a penalty here")
    return walk.penalty


def _times_reported(command: GivePenalty, state: TournamentState) -> int:
    return sum(one.person_id == command.person_id and one.reported == command.infraction and not one.absorbed for one in state.penalties.values())


def _earlier(command: GivePenalty, state: TournamentState, row: Infraction) -> list[Given]:
    """The person's earlier penalties for this infraction; one with the same root cause is no earlier offense but the same matter (I-75)."""
    return [one for one in state.of_person(command.person_id) if one.infraction == row.id and (command.cause is None or one.cause != command.cause)]


def _repeat(command: GivePenalty, state: TournamentState, row: Infraction, earlier: list[Given], walk: _Walk) -> None:
    """One step up from what the previous offense ended at (I-72)."""
    previous: Given | None = None
    if command.similar_to is not None:
        previous = next((one for one in earlier if one.penalty_id == command.similar_to), None)
        if previous is None:
            said = "It is similar only to an earlier offense of the same person under the same infraction."
            raise Refusal("upgrade_not_available", said, allowed=[one.penalty_id for one in earlier], field="similar_to")
    if row.repeats == "always" or (row.repeats == "exceptional" and command.exceptional):
        previous = earlier[-1] if earlier else None
    if command.exceptional and (row.repeats != "exceptional" or previous is None):
        raise Refusal("upgrade_not_available", "Only a repeated Tardiness is upgraded for an exceptional reason.", field="exceptional_reason")
    if row.repeats == "exceptional" and not command.exceptional:
        previous = None
    if command.upgrade and previous is None:
        raise Refusal("upgrade_not_available", _why_not(row, earlier), allowed=[one.penalty_id for one in earlier], field="upgrade")
    if previous is None or previous.penalty is None or (state.rel == REGULAR and not command.upgrade and not command.exceptional):
        return
    walk.to(_repeat_rule(command, state, row, previous), step_up(previous.penalty))


def _why_not(row: Infraction, earlier: list[Given]) -> str:
    if not earlier:
        return "There is no earlier offense of this infraction in the tournament."
    if row.repeats == "similar":
        return "A Game Play Error is upgraded only when `similar_to` names the earlier one that it is like."
    return "Tardiness is upgraded only with an `exceptional_reason`."


def _repeat_rule(command: GivePenalty, state: TournamentState, row: Infraction, previous: Given) -> str:
    if previous.penalty == MATCH_POINT:
        return "40-after-match-point"
    if command.exceptional:
        return "131-exceptional"
    if state.rel == REGULAR:
        return "40-regular"
    return "120-similar" if row.repeats == "similar" else "40-repeat"


def _one_game(command: GivePenalty, state: TournamentState, guide: PenaltyGuide, row: Infraction, *, first: bool, walk: _Walk) -> None:
    """A Game Loss in a match of one game (I-73, I-84, I-87)."""
    round_ = round_of(command, state)
    if round_.games != 1 or walk.penalty != GAME_LOSS or state.people[command.person_id].kind != PLAYER:
        return
    scored = version_at_least(state.scoring_version, guide.settings.match_point_version)
    if first and row.match_point and scored and command.situation.can_continue:
        if row.before_play and command.situation.before_match:
            walk.to("110-before-play", MATCH_POINT)
        elif round_.stage == SWISS:
            walk.to("20-match-point", MATCH_POINT)
    if walk.penalty == GAME_LOSS and round_.stage == ELIMINATION:
        walk.to("20-one-game", MATCH_LOSS)


def _deviate(command: GivePenalty, walk: _Walk) -> None:
    """The head judge's own penalty (I-77)."""
    wanted = command.deviation
    if wanted is None:
        return
    if wanted.because in NOT_EXCEPTIONAL:
        raise Refusal("not_exceptional", "D names this among what is not exceptional.", allowed=list(EXCEPTIONAL), field="deviation.because")
    if wanted.penalty == MATCH_POINT:
        allowed = [penalty for penalty in PENALTIES if penalty != MATCH_POINT]
        raise Refusal("not_applicable", "Nobody deviates to a Match Point (D 20).", allowed=allowed, field="deviation.penalty")
    walk.to("1-deviation", wanted.penalty)


def _need(holds: bool, field_name: str, said: str) -> None:  # noqa: FBT001  read aloud at its calls
    if not holds:
        raise Refusal("not_applicable", said, field=field_name)
